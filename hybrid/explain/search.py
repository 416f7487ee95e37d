"""Looking for one trace: the first, the N-th, or the first that satisfies a formula."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

from hybrid.engine.api import Engine, Limits, Stopped
from hybrid.execution.trace import Status, Trace
from hybrid.memory import out_of_memory
from hybrid.model.core import Model
from hybrid.program.loops import MAX_STEPS, UNROLL
from hybrid.program.program import Program
from hybrid.report.progress import Progress
from hybrid.report.result import INTERRUPTED
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
    seen = 0
    erring: Trace | None = None
    waiting: Trace | None = None
    partial = ""
    bounds: set[str] = set()
    try:
        with time_limit(time_left(limits.deadline)), Progress(engine, program.name, sys.stderr):
            for trace in engine.explore(program, model, limits):
                bounds.update(bound for _, _, bound in trace.cut())
                seen += trace.status is Status.COMPLETE
                if (unfinished or trace.status is Status.COMPLETE) and wanted(trace):
                    return Search(trace, seen, "", erring, waiting)
                if trace.status is Status.ERROR:
                    erring = erring or trace
                elif trace.status is Status.WAITING:
                    waiting = waiting or trace
    except Stopped as stop:
        partial = stop.told or "the time is up"
    except KeyboardInterrupt:
        partial = INTERRUPTED
    except Exception as error:
        partial = out_of_memory(error)
        if not partial:
            raise
    left_out = partial or _left_out(engine, limits, bounds)
    return Search(None, seen, left_out, erring, waiting)


def _left_out(engine: Engine, limits: Limits, bounds: set[str]) -> str:
    counters = engine.counters
    if counters.stuck:
        return "some runs get stuck: the model's commit-before does not fit its axioms"
    if counters.thin_air:
        return "executions whose values justify themselves in a circle are left out"
    if UNROLL in bounds:
        return f"some runs are cut at the loop bound (--unroll {limits.unroll})"
    if MAX_STEPS in bounds:
        return f"some runs are cut at the bound on instructions (--max-steps {limits.max_steps})"
    return ""
