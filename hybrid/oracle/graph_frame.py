"""What a graph oracle notes of a commit."""

from __future__ import annotations

from typing import Final

from hybrid.oracle.api import CommitFrame
from hybrid.oracle.relations import Lifted

_NONE: Final[list[int]] = []


class GraphFrame(CommitFrame):
    """One commit: how to undo it and, when it was lifted, how to do it again."""

    __slots__ = ("committed", "held", "lifted", "lifted_columns", "lifted_stores", "mark")

    def __init__(
        self, event: int, candidate: int, seen: int, committed: int, held: int, mark: int
    ) -> None:
        super().__init__(event, candidate, seen)
        self.mark = mark  # the length of the log before
        self.committed = committed  # Points.committed before; of a lifted one: after
        self.held = held  # GraphOracle._held before
        self.lifted: Lifted | None = None
        self.lifted_columns: list[int] = _NONE  # of the onward relations
        self.lifted_stores = 0  # of its events those that are stores
