"""Exploration by several processes or machines: subtrees as data, handed out, counted together."""
