"""How an oracle follows an execution: it tries candidates, keeps the one that is committed, and
undoes commits, the last first.

What an oracle has taken in is always, from the bottom up:

- `_bottom`: what there is before the first commit. It is never undone.
- `_frames`: one frame for each commit of the execution, oldest first.
- `_tried`: at most one frame more, of a candidate that was applied to be judged and is not
  committed. `allows` leaves its candidate there, as that is mostly the one that is committed
  next: then `commit` only moves the frame. Every other call undoes it before it does anything.

A frame is made by `_apply`, and `_undo` of the same frame takes back all that has happened since,
provided that the frames above it are undone already. Events that the execution fetches between two
commits belong to the frame that is on top when they are seen (`_take_in`): they leave with it.
`_seen` are the fetched events that were taken in.

So the state depends on the frames alone, not on what was tried or undone on the way.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, TypeVar

from mypy_extensions import mypyc_attr

from hybrid.errors import InternalError
from hybrid.execution.execution import Execution
from hybrid.model import core
from hybrid.oracle.api import Candidate, CommitFrame, Oracle
from hybrid.oracle.reason import Reason

F = TypeVar("F", bound=CommitFrame)


@mypyc_attr(allow_interpreted_subclasses=True)
class FollowingOracle(Oracle, Generic[F]):
    """The interface of api.py, by a way to apply a commit, to judge it and to undo it."""

    def __init__(self, model: core.Model, execution: Execution, bottom: F) -> None:
        self.model = model
        self.execution = execution
        self._bottom: F = bottom
        self._frames: list[F] = []
        self._tried: F | None = None
        self._seen = 0
        self._refused: tuple[int, int] | None = None  # the last event and candidate to be refused

    # ---- what an oracle must do

    @abstractmethod
    def _apply(self, event: int, candidate: Candidate, known: bool) -> F:
        """Adds a commit on top of what is there; `known` to be allowed, it need not be judged."""

    @abstractmethod
    def _undo(self, frame: F) -> None:
        """Takes back the frame on top, with what was fetched since."""

    @abstractmethod
    def _take_in(self, frame: F, known: bool) -> None:
        """Adds the events fetched since the last look to the frame on top: what is known at fetch,
        and fences and branches, which are committed at once. `known` as in `_apply`."""

    @abstractmethod
    def _allows(self, frame: F) -> bool:
        """Whether the trace up to the frame on top is allowed."""

    @abstractmethod
    def _reason_now(self) -> Reason | None:
        """Why the trace as it stands is refused."""

    # ---- the interface

    def allows(self, execution: Execution, event: int, candidate: Candidate) -> bool:
        if self._tried is not None:
            self._forget()
        if execution.fetched != self._seen and execution.fetched & ~self._seen:
            self._take_in(self._top(), False)
        frame = self._apply(event, candidate, False)
        self._tried = frame
        if self._allows(frame):
            return True
        self._refused = (event, candidate)
        return False

    def commit(self, event: int, candidate: Candidate) -> None:
        frame = self._tried
        if frame is not None and frame.event == event and frame.candidate == candidate:
            self._tried = None
            self._frames.append(frame)
            return
        if self._tried is not None:
            self._forget()
        if self.execution.fetched & ~self._seen:
            raise InternalError("committed without asking whether it is allowed")
        self._frames.append(self._apply(event, candidate, False))

    def recommit(self, execution: Execution, event: int, candidate: Candidate) -> None:
        if self._tried is not None:
            self._forget()
        if execution.fetched & ~self._seen:
            self._take_in(self._top(), True)
        self._frames.append(self._apply(event, candidate, True))

    def catch_up(self, execution: Execution) -> None:
        if self._tried is not None:
            self._forget()
        if execution.fetched & ~self._seen:
            self._take_in(self._top(), True)

    def rollback(self) -> None:
        if self._tried is not None:
            self._forget()
        self._undo(self._frames.pop())

    def settled(self, execution: Execution) -> bool:
        if self._tried is not None:
            self._forget()
        top = self._top()
        if execution.fetched & ~self._seen:
            self._take_in(top, False)
        return self._allows(top)

    def reason(self) -> Reason:
        if self._refused is None:
            raise InternalError("no candidate was refused")
        event, candidate = self._refused
        if self._tried is not None:
            self._forget()
        frame = self._apply(event, candidate, False)
        self._tried = frame
        if self._allows(frame):
            raise InternalError("a refused candidate is allowed when asked again")
        reason = self._reason_now()
        if reason is None:
            raise InternalError("a refused candidate violates no axiom")
        return reason

    # ---- frames

    def _top(self) -> F:
        """The frame of the last commit."""
        return self._frames[-1] if self._frames else self._bottom

    def _forget(self) -> None:
        """Undoes what was tried and not committed."""
        if self._tried is not None:
            self._undo(self._tried)
            self._tried = None
