"""Looking for one trace: the first, the N-th, or the first that satisfies a formula."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hybrid.engine.api import Engine, Limits, Stopped
from hybrid.execution.trace import Status, Trace
from hybrid.memory import out_of_memory
from hybrid.model.core import Model
from hybrid.program.loops import MAX_STEPS, UNROLL
from hybrid.program.program import Program
from hybrid.report.notes import bound_of
from hybrid.report.progress import Progress
from hybrid.report.result import INTERRUPTED
from hybrid.report.screen import terminal
from hybrid.report.violations import mixes_sizes
from hybrid.time_limit import time_left, time_limit


@dataclass(frozen=True, slots=True)
class Search:
    """How a search ended."""

    trace: Trace | None
    seen: int  # complete traces looked at
    open: str  # why a trace that was not found may exist all the same; empty if it cannot
    erring: Trace | None = None  # the first run met that accesses no location
    waiting: Trace | None = None  # the first run met in which threads wait for ever


def search(
    program: Program,
    model: Model,
    engine: Engine,
    limits: Limits,
    wanted: Callable[[Trace], bool],
    unfinished: bool = False,
) -> Search:
    """The first complete trace that is `wanted`; or, with `unfinished`, the first run, however it
    ends."""
    met = _Met(program)
    partial = ""
    try:
        with time_limit(time_left(limits.deadline)), Progress(engine, program.name, terminal()):
            for trace in engine.explore(program, model, limits):
                complete = trace.status is Status.COMPLETE
                met.seen += complete
                if (unfinished or complete) and wanted(trace):
                    return Search(trace, met.seen, "", met.erring, met.waiting)
                met.add(trace)
    except Stopped as stop:
        partial = stop.told or "the time is up"
    except KeyboardInterrupt:
        partial = INTERRUPTED
    except Exception as error:
        partial = out_of_memory(error)
        if not partial:
            raise
    left_out = partial or _left_out(engine, limits, met.bounds)
    return Search(None, met.seen, left_out, met.erring, met.waiting)


@dataclass(slots=True)
class _Met:
    """What a search has met besides what it looks for."""

    program: Program
    seen: int = 0  # complete traces
    erring: Trace | None = None  # the first, one that does more than mix sizes if there is one
    waiting: Trace | None = None  # the first
    bounds: set[str] = field(default_factory=set)  # those at which runs were cut

    def add(self, trace: Trace) -> None:
        self.bounds.update(bound_of(self.program, place) for place in trace.cut())
        if trace.status is Status.ERROR:
            if self.erring is None or (mixes_sizes(self.erring) and not mixes_sizes(trace)):
                self.erring = trace
        elif trace.status is Status.WAITING:
            self.waiting = self.waiting or trace


def _left_out(engine: Engine, limits: Limits, bounds: set[str]) -> str:
    counters = engine.counters
    if counters.stuck:
        return "some runs get stuck: the model's commit-before does not fit its axioms"
    if counters.thin_air:
        return "executions whose values justify themselves in a circle are left out"
    if UNROLL in bounds:
        return f"some runs are cut at the loop bound (--unroll {limits.unroll})"
    for bound in sorted(bounds - {MAX_STEPS}):
        return f"some runs are cut: {bound}"
    if MAX_STEPS in bounds:
        return f"some runs are cut at the bound on instructions (--max-steps {limits.max_steps})"
    return ""
