"""A whole exploration by several workers, from its first task to a Result; or on from where a
checkpoint left it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from hybrid import __version__
from hybrid.engine.api import Limits, Stopped
from hybrid.engine.races import default_races
from hybrid.errors import InputError, InternalError
from hybrid.memory import told
from hybrid.parallel.checkpoint import CONTENT, EVERY, Checkpoint
from hybrid.parallel.coordinator import Coordinator, ExplorationProgress, Full, Gone, Workers
from hybrid.parallel.processes import Processes
from hybrid.parallel.undisturbed import Undisturbed
from hybrid.parallel.unit import subtrees
from hybrid.parallel.validate import Implausible, check_checkpoint
from hybrid.parallel.work import Job
from hybrid.report.result import INTERRUPTED, TIME_OUT, Result
from hybrid.report.tally import Counts, Tally
from hybrid.source import Span


def job_name(job: Job) -> str:
    """Tells jobs apart, also those of other processes and machines."""
    return hashlib.blake2b(repr(job).encode(), digest_size=16).hexdigest()


def settings_of(job: Job) -> dict[str, Any]:
    """What a run must have in common with the one whose checkpoint it goes on from."""
    options = {
        each.name: str(getattr(job, each.name))
        for each in fields(Job)
        if each.name not in ("program", "model", "seed", "sat_solver", "memory")
    }
    if job.policy == "random":
        options["policy"] += f" {job.seed}"
    options["races"] = (job.races or default_races(job.program)).value
    return {
        "hybrid": __version__,
        "program": job.program.name,
        "model": job.model.name,
        **options,
        CONTENT: hashlib.blake2b(
            _written((job.program, job.model)).encode(), digest_size=16
        ).hexdigest(),
    }


def _written(value: object) -> str:
    """Like repr, but the same in every process and folder: what is in a set comes in order, and
    places in the text are left out."""
    if isinstance(value, Span):
        return ""
    if is_dataclass(value):
        shown = (_written(getattr(value, each.name)) for each in fields(value) if each.repr)
        return f"{type(value).__name__}({', '.join(shown)})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_written, value)))}}}"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_written(k)}: {_written(v)}' for k, v in value.items())}}}"
    if isinstance(value, tuple | list):
        return f"({', '.join(map(_written, value))})"
    return repr(value)


def summarise_parallel(
    job: Job,
    limits: Limits,
    workers: Workers | int,
    *,
    first: bool = False,
    liveness: bool = False,
    checkpoint: Path | None = None,
    tick: Callable[[Coordinator], None] = lambda _: None,
) -> Result:
    """Like summary.summarise, by `workers` or so many processes. Ctrl-C, the deadline and a lack of
    workers give a partial result."""
    root = subtrees(job).root()  # also refuses what cannot be shared out
    result = Result(
        job.program,
        job.model,
        job.engine,
        job.oracle,
        job.equivalence,
        limits,
        asked_races=job.races,
    )
    result.liveness = liveness
    tally = Tally(result, smallest=not first)
    progress = ExplorationProgress([root])
    file = None
    if checkpoint is not None:
        file = Checkpoint(checkpoint, settings_of(job), job.program)
        found = file.load()
        if found is not None:
            progress = _continued(job, file, *found)
            tally.merge(found[1])
            result.continued = str(checkpoint)
            result.messages.append(_told(file, progress, found[1]))
    start = time.monotonic()
    saved = start
    trouble = ""  # why the file is older than it should be

    def look(coordinator: Coordinator) -> None:
        nonlocal saved
        if file is not None and time.monotonic() - saved > EVERY:
            save_if_possible()
            saved = time.monotonic()
        tick(coordinator)

    def save() -> None:
        if file is not None:
            seconds = progress.seconds + time.monotonic() - start
            file.save(progress, coordinator.pending, tally.counts(), seconds)

    def save_if_possible() -> None:
        """What was found is worth more than the file."""
        nonlocal trouble
        try:
            save()
            trouble = ""
        except InputError as error:
            trouble = f"{error.message}; it is as it was before"

    if isinstance(workers, int):
        workers = Processes(job, workers)
    with Undisturbed() as undisturbed:
        coordinator = Coordinator(
            progress, tally, workers, first, limits.deadline, look, undisturbed
        )
        try:
            save()  # complains now of a file that cannot be written
            coordinator.run()
        except KeyboardInterrupt:
            result.partial = INTERRUPTED
        except Full:
            assert job.memory is not None
            result.partial = told(job.memory)
        except Stopped as stop:
            result.partial = stop.told
            coordinator.late = not stop.told
        except Gone as error:
            result.partial = str(error)
        except InternalError as error:
            if file is None or not result.continued:
                raise
            why = f"exploring what is left in it fails ({error})"
            raise file.fault(why) from error
        finally:
            with undisturbed.step(last=True):
                save_if_possible()
                workers.close()
    if coordinator.late:
        given = (limits.deadline or start) - start
        result.partial = f"{TIME_OUT} after {max(given, 0.0):.3g} s"
    elif coordinator.answered and coordinator.pending:
        result.partial = "stopped at the first answer"
    result.seconds = progress.seconds + time.monotonic() - start
    result.counters = progress.counters
    if progress.lost:
        again = "1 unit of work" if progress.lost == 1 else f"{progress.lost} units of work"
        result.messages.append(f"{again} done again, whose worker was lost")
    if trouble:
        result.messages.append(trouble)
    elif file is not None and coordinator.pending and not coordinator.answered:
        result.saved = str(checkpoint)
    tally.finish()
    return result


def _continued(
    job: Job, file: Checkpoint, progress: ExplorationProgress, counts: Counts
) -> ExplorationProgress:
    """What the file says, if a run of this job can have left it."""
    try:
        check_checkpoint(job, subtrees(job), progress, counts)
    except Implausible as why:
        raise file.fault(f"{why}: it is damaged or forged") from None
    return progress


def _told(file: Checkpoint, progress: ExplorationProgress, counts: Counts) -> str:
    traces = "1 trace" if counts.traces == 1 else f"{counts.traces} traces"
    left = "nothing was left" if not progress.tasks else "what was left there was explored"
    return f"this goes on from the checkpoint {file.path}, whose {traces} were not looked at again; {left}"
