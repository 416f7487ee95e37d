"""Explorers whose graphs are data, with a set of loads to revisit or a trie of graphs visited."""
