"""The `enumerate` engine: brute force over paths, rf and co; and the checker of single traces."""

from hybrid.engine.enumerate.engine import Enumerate

__all__ = ["Enumerate"]
