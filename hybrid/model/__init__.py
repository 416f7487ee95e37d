"""Memory models: cat text to definitions and axioms."""

from hybrid.data import builtin_models
from hybrid.model.load import load_model, parse_model
from hybrid.model.show import show_expr

__all__ = ["builtin_models", "load_model", "parse_model", "show_expr"]
