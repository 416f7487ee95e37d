"""Litmus tests from critical cycles: edges, cycles, names, layout, and the printers of the
architectures."""
