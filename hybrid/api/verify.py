"""`hybrid.verify`: one program under one model.

A limit of time or memory gives a partial result, which says so and is INCONCLUSIVE unless what was
found before is an answer already. Bad input raises InputError. Ctrl-C raises KeyboardInterrupt, as
everywhere in Python; with `keep_partial` it gives a partial result as well, if it comes while the
program is explored.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal, Unpack

from hybrid.api.inputs import (
    FileName,
    ModelSource,
    ProgramSource,
    Reading,
    compiling_of,
    model_for,
    timeouts,
)
from hybrid.api.options import (
    EngineOptions,
    by_keyword,
    checked,
    configuration_of,
    demanded_verdict,
    time_above_zero,
    whole_number,
)
from hybrid.api.trace_view import TraceView
from hybrid.api.verified import Verified, verified_of
from hybrid.batch.explore import Explorer, Exploring
from hybrid.catalogue.choice import choose
from hybrid.catalogue.engines import make
from hybrid.errors import Stopped
from hybrid.execution.trace import Status
from hybrid.memory import memory_limit
from hybrid.model.core import Model
from hybrid.parallel.sharing import Sharing
from hybrid.program.c11 import annotated
from hybrid.program.condition import holds
from hybrid.program.program import Program
from hybrid.report.result import TIME_OUT, Result
from hybrid.time_limit import time_limit
from hybrid.verdict import Verdict

C11 = "C11"  # what a program of no machine with C11's orders is of


@by_keyword()
def verify(
    program: ProgramSource,
    model: ModelSource | None = None,
    *,
    timeout: float | None = None,
    max_memory: int | None = None,
    first: bool = False,
    limit: int | None = None,
    expect: str | Verdict | None = None,
    jobs: int | Literal["auto"] = 1,
    cluster: str | None = None,
    checkpoint: FileName | None = None,
    certificate: FileName | None = None,
    keep_partial: bool = False,
    clang: FileName | None = None,
    flags: Sequence[str] = (),
    link: Sequence[FileName] = (),
    **options: Unpack[EngineOptions],
) -> Verified:
    """Explores a program under a model and answers its final condition.

    `program` is a path, or what `load`, `parse` or a ProgramBuilder gives; `model` a name, a path
    or a Model, by default that of the program's architecture. `timeout` is in seconds, reading
    included; `max_memory` in bytes; `first` stops at the first trace that answers, `limit` after so
    many traces; `jobs` is a number of processes or "auto"; `certificate` is a folder or a .zip
    that is to be written. All else is named as on the command line.
    """
    start = time.monotonic()
    time_above_zero("timeout", timeout)
    for name, number, least in (
        ("limit", limit, 1),
        ("max_memory", max_memory, 1),
        ("jobs", None if jobs == "auto" else jobs, 1),
    ):
        whole_number(name, number, least)
    configuration = configuration_of(checked(options))
    demanded = demanded_verdict(expect, "expect") or ""
    target = None if certificate is None else _target(certificate)
    saved = None if checkpoint is None else Path(checkpoint)
    explorer = Explorer(
        Exploring(configuration, timeout, max_memory, first, limit, demanded),
        sharing=Sharing(processes(jobs), cluster, saved, max_memory, jobs == "auto"),
    )
    reading = Reading(compiling_of(program, clang, flags, link), timeout, max_memory)
    file = "" if isinstance(program, Program) else os.fspath(program)
    if not isinstance(program, Program):
        try:
            program = reading.program(program, start)
        except (Stopped, MemoryError) as stop:
            return _unexplored(Path(file).stem, "-", _why(stop, explorer), start, file)
    found = verify_loaded(program, model_for(program, model), explorer, start, file)
    if found.interrupted and not keep_partial:
        raise KeyboardInterrupt
    if target is not None:
        from hybrid.api.certify import with_certificate

        compiler = None if clang is None else os.fspath(clang)
        found = with_certificate(found, target, compiler, timeout, max_memory)
    return found if model is not None else replace(found, chosen_for=chosen_for(program))


def _target(certificate: FileName) -> str:
    from hybrid.api.certify import target_of  # it loads the checker of the ground truth

    return target_of(certificate)


def processes(jobs: int | str) -> int:
    """As a number."""
    from hybrid.batch.pool import cores

    return cores() if isinstance(jobs, str) else jobs


def chosen_for(program: Program) -> str:
    """What a program is of, whose model it runs under where none is named; empty: of no machine."""
    return C11 if not program.arch and annotated(program) else program.arch


def verify_loaded(
    program: Program, model: Model, explorer: Explorer, start: float, file: str = ""
) -> Verified:
    """The same for a program and a model that are there, by an explorer; its time began at
    `start`. After Ctrl-C the result is partial."""
    seconds = explorer.asked.seconds
    left = None if seconds is None else max(seconds - (time.monotonic() - start), 0.001)
    deadline = None if seconds is None else start + seconds
    try:
        with time_limit(left), memory_limit(explorer.asked.max_memory):
            result = explorer.explore(program, model, deadline)
    except (Stopped, MemoryError) as stop:
        return _unexplored(program.name, model.name, _why(stop, explorer), start, file)
    return verified_of(result, file, partial(_traces, program, result, explorer))


def _why(stop: Stopped | MemoryError, explorer: Explorer) -> str:
    """Why there is nothing to show."""
    if isinstance(stop, MemoryError):
        return "out of memory"
    return stop.told or f"{TIME_OUT} after {explorer.asked.seconds:.3g} s"


def _unexplored(name: str, model: str, why: str, start: float, file: str) -> Verified:
    """What was stopped outside of an exploration."""
    open_ = Verdict.INCONCLUSIVE
    seconds = time.monotonic() - start
    return Verified(name, model, open_, open_, open_.exit_code, why, seconds, file=file)


def _traces(program: Program, result: Result, explorer: Explorer) -> Iterator[TraceView]:
    """The complete traces that count, by the engine that gave the result. The engine looks at the
    clock itself: a timer would end what the caller does between two traces."""
    model = result.model
    ready = explorer.prepare(program, model)
    configuration = ready.configuration
    if configuration.engine != result.engine:  # the first one got stuck
        configuration = choose(ready.asked, ready.program, model, stuck=True).configuration
    engine = make(configuration)
    seconds = explorer.asked.seconds
    deadline = None if seconds is None else time.monotonic() + seconds
    limits = ready.asked.limits(deadline)
    kept = ready.program.filter
    with timeouts(f"the traces of {program.name}"):
        for trace in engine.explore(ready.program, model, limits):
            complete = trace.status is Status.COMPLETE
            if complete and (kept is None or holds(kept, trace.value_of)):
                yield TraceView(trace.data(), model, engine.name, limits)
