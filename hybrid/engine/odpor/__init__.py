"""Optimal-DPOR-Await: interleavings, explored once for each happens-before order."""
