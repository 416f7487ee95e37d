"""LLVM's intermediate language as text (`.ll`): reading it, and how its types lie in memory."""
