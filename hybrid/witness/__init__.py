"""Counterexamples: tables, JSON, drawings, replay."""
