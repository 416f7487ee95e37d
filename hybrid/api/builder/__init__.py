"""Programs written in Python: `hybrid.ProgramBuilder`."""
