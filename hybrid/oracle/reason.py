"""Why an oracle refuses a trace: the axiom and the cycle against it."""

from __future__ import annotations

from dataclasses import dataclass, field

from hybrid.execution.trace import EventId


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
