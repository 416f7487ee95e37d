"""Explorers: one file an algorithm."""
