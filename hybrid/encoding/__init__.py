"""Memory models as constraints over named variables, for a SAT solver and for Z3."""
