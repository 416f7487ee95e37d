"""herd's litmus tests (.litmus) to Programs: one reader for all, one module an architecture."""
