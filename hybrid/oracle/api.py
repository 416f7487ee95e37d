"""What every oracle offers: it judges partial traces at each commit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from hybrid.execution.execution import Execution
from hybrid.execution.step import Step
from hybrid.execution.trace import EventId

Candidate = int  # a load's or an rmw's source, a store's index in its location's co


@dataclass(frozen=True, slots=True)
class Edge:
    """A pair of an offending cycle, labelled by the relations of the model's text: `rfe`, `sync`,
    `ppo: addr;po`."""

    start: EventId
    label: str
    end: EventId
    # what it is made of, from `start` to `end`, in named or base relations
    steps: tuple[tuple[EventId, str, EventId], ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a trace is refused: the axiom and the shortest cycle against it; for an `empty` axiom the
    one pair."""

    axiom: str
    test: str  # acyclic, irreflexive or empty
    edges: tuple[Edge, ...]

    def __str__(self) -> str:
        if not self.edges:
            return f"{self.axiom} ({self.test})"
        text = _name(self.edges[0].start)
        for edge in self.edges:
            text += f" --{edge.label}--> {_name(edge.end)}"
        return f"{self.axiom} ({self.test}): {text}"


def _name(event: EventId) -> str:
    return f"init{event[1]}" if event[0] < 0 else f"{event[0]}.{event[1]}"


class Oracle(Protocol):
    """Follows one execution: each `commit` here goes with one of the execution, after it, and each
    `rollback` too."""

    def allowed(
        self, execution: Execution, event: int, candidates: list[Candidate]
    ) -> list[Candidate]:
        """The candidates with which committing `event` keeps the partial trace allowed."""
        ...

    def commit(self, event: int, candidate: Candidate) -> None: ...

    def recommit(self, execution: Execution, event: int, candidate: Candidate) -> None:
        """Commits what is known to be allowed, without looking."""
        ...

    def rollback(self) -> None:
        """Undoes the last commit."""
        ...

    def reason(self) -> Reason:
        """Why the last refused candidate was refused."""
        ...

    def settled(self, execution: Execution) -> bool:
        """Whether the trace is allowed with all that was fetched after the last commit."""
        ...

    def flags(self) -> tuple[str, ...]:
        """The names of the model's flags that the trace raises."""
        ...

    def hides_sources(self, step: Step) -> int:
        """Under a model with coherent loads (coherence.py): events, po-earlier ones and whatever
        else is known, such that the load of this step cannot read from a store that is co-before
        one of them, or before one that one of them has read from."""
        ...

    def hides_places(self, step: Step) -> int:
        """Under a coherent model: events such that the store of this step cannot be co-before one
        of them; where the model is coherent after loads, nor before what one of them has read
        from."""
        ...


class RfOracle(Oracle, Protocol):
    """The same for reads-from classes: the execution's own `co` only lists the stores."""

    def witness(self, last: dict[int, int]) -> list[list[int]] | None:
        """Coherence orders that allow the committed trace and end, at the given locations, with the
        given stores; None if there are none."""
        ...

    def flags_of(self, orders: list[list[int]]) -> tuple[str, ...]:
        """The names of the model's flags that the trace raises with these coherence orders."""
        ...
