"""hybrid: a SAT/SMT-assisted checker for concurrent programs under weak memory models."""

__version__ = "0.1.0"
