"""What a disputed trace is: which configurations have it and which lack it, and what two judges say
that share no code with each other.

One judge replays the key from scratch (`hybrid.engine.enumerate.check`), the other lays the trace
out as a committed execution and asks for a reason (`hybrid.oracle.of_trace`). Both name the axiom
and a cycle where they refuse it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hybrid.crosscheck.compare import FORMULA, INCOMPLETE, Comparison, Difference
from hybrid.crosscheck.found import Lens
from hybrid.engine.enumerate.check import Refusal, check_key
from hybrid.execution.trace import Key, TraceData
from hybrid.oracle.of_trace import explain_trace
from hybrid.oracle.reason import Reason


@dataclass(frozen=True, slots=True)
class Dispute:
    key: Key
    has: tuple[str, ...]  # configurations
    lacks: tuple[str, ...]  # those that finished
    data: TraceData | None  # None: the program has no such run, whatever the model
    replayed: Refusal | None  # by key; None: allowed
    explained: Reason | None  # by the graph; None: allowed, or there is no trace to judge

    @property
    def allowed(self) -> bool | None:
        """What both judges say; None when they contradict each other."""
        if self.data is None:
            return False
        if (self.replayed is None) != (self.explained is None):
            return None
        return self.replayed is None


def dispute(comparison: Comparison, difference: Difference) -> Dispute | None:
    """The smallest trace that the difference is about, judged; None when it is about no trace."""
    if not difference.keys:
        return None
    key = difference.keys[0]
    program, model, limits = comparison.program, comparison.model, comparison.limits
    lens = comparison.lens or Lens(program)
    has: list[str] = []
    lacks: list[str] = []
    for found in comparison.findings:
        if lens.has(found, key):
            has.append(found.name)
        elif not found.unfinished and not found.crash:
            lacks.append(found.name)
    if difference.name == FORMULA:
        (has if difference.kind == INCOMPLETE else lacks).append(FORMULA)
    judged = check_key(program, model, key, limits)
    replayed = judged if isinstance(judged, Refusal) else None
    # Without axioms the key alone decides whether the program runs so.
    free = check_key(program, replace(model, axioms=()), key, limits) if replayed else judged
    data = free if isinstance(free, TraceData) else None
    explained = explain_trace(data, model) if data is not None else None
    return Dispute(key, tuple(has), tuple(lacks), data, replayed, explained)
