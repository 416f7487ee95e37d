"""Memory models: cat text to definitions and axioms."""
