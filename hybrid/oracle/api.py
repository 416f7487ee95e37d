"""What every oracle offers: it judges partial traces at each commit."""

from __future__ import annotations

from abc import ABC, abstractmethod

from mypy_extensions import mypyc_attr

from hybrid.errors import InternalError
from hybrid.execution.execution import Execution
from hybrid.execution.step import Step
from hybrid.oracle.reason import Reason

Candidate = int  # a load's or an rmw's source, a store's index in its location's co


@mypyc_attr(allow_interpreted_subclasses=True)
class CommitFrame:
    """One commit that an oracle has taken in; subclasses hold what undoing it needs."""

    __slots__ = ("candidate", "event", "judged", "seen")

    def __init__(self, event: int, candidate: Candidate, seen: int) -> None:
        self.event = event
        self.candidate = candidate
        self.seen = seen  # fetched events already taken in, before
        self.judged: bool | None = None  # whether the trace up to here is allowed; None: not asked


@mypyc_attr(allow_interpreted_subclasses=True)
class Oracle(ABC):
    """Follows one execution: each `commit` here goes with one of the execution, after it, and each
    `rollback` too. An oracle for reads-from classes, where the execution's own `co` only lists the
    stores, has the last two methods as well."""

    @abstractmethod
    def allows(self, execution: Execution, event: int, candidate: Candidate) -> bool:
        """Whether committing `event` with this candidate keeps the partial trace allowed. What is
        found is kept, so that committing it next costs nothing."""

    def allowed(
        self, execution: Execution, event: int, candidates: list[Candidate]
    ) -> list[Candidate]:
        """The candidates with which committing `event` keeps the partial trace allowed."""
        return [each for each in candidates if self.allows(execution, event, each)]

    @abstractmethod
    def commit(self, event: int, candidate: Candidate) -> None: ...

    @abstractmethod
    def recommit(self, execution: Execution, event: int, candidate: Candidate) -> None:
        """Commits what is known to be allowed, without looking."""

    @abstractmethod
    def rollback(self) -> None:
        """Undoes the last commit."""

    def lift(self) -> CommitFrame | None:
        """Undoes the last commit; gives what it takes to put it back, if the oracle knows a way
        that is cheaper than to commit it anew."""
        self.rollback()
        return None

    def catch_up(self, execution: Execution) -> None:
        """Takes in what was fetched since the last commit, which is known to be allowed: before the
        execution has again what `put_back` puts back."""
        raise InternalError("this oracle does not lift commits")

    def put_back(self, execution: Execution, frame: CommitFrame) -> None:
        """Puts back what was lifted, after the execution has it again, where all that was committed
        before it is as it was then."""
        raise InternalError("this oracle does not lift commits")

    @abstractmethod
    def reason(self) -> Reason:
        """Why the last refused candidate was refused."""

    @abstractmethod
    def settled(self, execution: Execution) -> bool:
        """Whether the trace is allowed with all that was fetched after the last commit."""

    @abstractmethod
    def flags(self) -> tuple[str, ...]:
        """The names of the model's flags that the trace raises."""

    def hides_sources(self, step: Step) -> int:
        """Under a model with coherent loads (coherence.py): events, po-earlier ones and whatever
        else is known, such that the load of this step cannot read from a store that is co-before
        one of them, or before one that one of them has read from."""
        return step.po

    def hides_places(self, step: Step) -> int:
        """Under a coherent model: events such that the store of this step cannot be co-before one
        of them; where the model is coherent after loads, nor before what one of them has read
        from."""
        return step.po

    # ---- of reads-from classes

    def witness(self, last: dict[int, int]) -> list[list[int]] | None:
        """Coherence orders that allow the committed trace and end, at the given locations, with the
        given stores; None if there are none."""
        raise InternalError("this oracle is not one for reads-from classes")

    def flags_of(self, orders: list[list[int]]) -> tuple[str, ...]:
        """The names of the model's flags that the trace raises with these coherence orders."""
        raise InternalError("this oracle is not one for reads-from classes")
