"""Bounded model checking: a whole program with bounded loops, and a memory model, as one
formula."""
