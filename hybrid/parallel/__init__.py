"""Exploration on several processes or machines: subtrees as data, handed out and counted together."""
