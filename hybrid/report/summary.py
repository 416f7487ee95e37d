"""Explores a program and sums up what came of it, whatever ended the exploration."""

from __future__ import annotations

import time

from hybrid.engine.api import Engine, Limits, Stopped
from hybrid.engine.races import Races
from hybrid.memory import out_of_memory
from hybrid.model.core import Model
from hybrid.printable import number_of
from hybrid.program.program import Program
from hybrid.report.result import INTERRUPTED, TIME_OUT, Result
from hybrid.report.tally import Tally
from hybrid.report.watch import Watch


def summarise(
    program: Program,
    model: Model,
    engine: Engine,
    limits: Limits,
    *,
    oracle: str = "",
    equivalence: str = "trace",
    first: bool = False,
    max_traces: int | None = None,
    duplicates: bool = False,
    races: Races | None = None,
    liveness: bool = False,
    watch: Watch | None = None,
) -> Result:
    """Explore to the end, to the first answer (`first`), to `max_traces` complete traces or to the
    deadline.

    A time-out, Ctrl-C and a lack of memory give a partial result, never an exception. `races` is by
    default what suits the program. A `watch` is told of each trace, and what it estimates is in the
    result.
    """
    result = Result(program, model, engine.name, oracle, equivalence, limits, asked_races=races)
    result.liveness = liveness
    tally = Tally(result, duplicates)
    start = time.monotonic()
    try:
        for trace in engine.explore(program, model, limits):
            tally.add(trace)
            if watch is not None:
                watch.tick()
            if first and tally.answered:
                result.partial = "stopped at the first answer"
                break
            if max_traces is not None and result.traces >= max_traces:
                result.partial = f"limit of {number_of(max_traces, 'trace')}"
                break
    except Stopped as stop:
        given = (limits.deadline or start) - start
        result.partial = stop.told or f"{TIME_OUT} after {max(given, 0.0):.3g} s"
    except KeyboardInterrupt:
        result.partial = INTERRUPTED
    except RecursionError:
        result.partial = "out of stack: something in the program or the model is nested too deeply"
    except Exception as error:
        result.partial = out_of_memory(error)
        if not result.partial:
            raise
    result.seconds = time.monotonic() - start
    result.counters = engine.counters
    if watch is not None:
        watch.tell(result)
    tally.finish()
    return result
