"""A set of words with common beginnings stored once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

Letter = TypeVar("Letter", bound=Hashable)


class _Node(Generic[Letter]):
    __slots__ = ("after", "word")

    def __init__(self) -> None:
        self.after: dict[Letter, _Node[Letter]] | None = None  # None: nothing
        self.word = False  # a word ends here


class Trie(Generic[Letter]):
    """`len` is the number of words."""

    def __init__(self) -> None:
        self._root: _Node[Letter] = _Node()
        self._words = 0
        self.nodes = 1  # the root included

    def __len__(self) -> int:
        return self._words

    def __contains__(self, word: Sequence[Letter]) -> bool:
        node: _Node[Letter] | None = self._root
        for letter in word:
            if node is None or node.after is None:
                return False
            node = node.after.get(letter)
        return node is not None and node.word

    def add(self, word: Sequence[Letter]) -> bool:
        """Adds the word; False when it was there."""
        node = self._root
        for letter in word:
            if node.after is None:
                node.after = {}
            following = node.after.get(letter)
            if following is None:
                following = node.after[letter] = _Node()
                self.nodes += 1
            node = following
        if node.word:
            return False
        node.word = True
        self._words += 1
        return True
