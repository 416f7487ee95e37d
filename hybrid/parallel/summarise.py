"""A whole exploration by several workers, from its first task to a Result; or on from where a
checkpoint left it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from hybrid.engine.api import RANDOM, Limits, Stopped
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
from hybrid.report.watch import Watch
from hybrid.source import Span
from hybrid.versions import __version__


def job_name(job: Job) -> str:
    """Tells jobs apart, also those of other processes and machines."""
    return hashlib.blake2b(repr(job).encode(), digest_size=16).hexdigest()


def settings_of(job: Job) -> dict[str, Any]:
    """What a run must have in common with the one whose checkpoint it goes on from."""
    how = job.configuration
    seed = f" {how.seed or 0}" if how.policy == RANDOM else ""
    return {
        "hybrid": __version__,
        "program": job.program.name,
        "model": job.model.name,
        "engine": how.engine,
        "oracle": how.oracle,
        "equivalence": how.equivalence,
        "policy": how.policy + seed,
        "unroll": str(how.limits().unroll),
        "races": (how.races or default_races(job.program)).value,
        "max_steps": str(how.max_steps),
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
    checkpoint: Path | None = None,
    tick: Callable[[Coordinator], None] = lambda _: None,
    watch: Watch | None = None,
) -> Result:
    """Like summary.summarise, by `workers` or so many processes. Ctrl-C, the deadline and a lack of
    workers give a partial result. The caller has asked whether the engine takes the program and the
    model."""
    root = subtrees(job).root()  # also refuses what cannot be shared out
    result = job.new_result(limits)
    tally = Tally(result, smallest=not first)
    saving = _Saving(job, tally, checkpoint)
    progress = saving.begin(ExplorationProgress([root]))
    if watch is not None:
        watch.begin(progress.counters)

    def look(coordinator: Coordinator) -> None:
        saving.look(coordinator)
        tick(coordinator)

    if isinstance(workers, int):
        workers = Processes(job, workers)
    with Undisturbed() as undisturbed:
        coordinator = Coordinator(
            progress, tally, workers, first, limits.deadline, look, undisturbed
        )
        try:
            _run(coordinator, saving, job, result)
        except InternalError as error:
            saving.blame(error)
            raise
        finally:
            with undisturbed.step(last=True):
                saving.save_if_possible(coordinator)
                workers.close()
    if coordinator.late:
        given = (limits.deadline or saving.start) - saving.start
        result.partial = f"{TIME_OUT} after {max(given, 0.0):.3g} s"
    elif coordinator.answered and coordinator.pending:
        result.partial = "stopped at the first answer"
    result.seconds = saving.seconds(progress)
    result.counters = progress.counters
    if watch is not None:
        watch.tell(result)
    if progress.lost:
        again = "1 unit of work" if progress.lost == 1 else f"{progress.lost} units of work"
        result.messages.append(f"{again} done again, whose worker was lost")
    saving.tell(coordinator)
    tally.finish()
    return result


def _run(coordinator: Coordinator, saving: _Saving, job: Job, result: Result) -> None:
    """Runs to the end or to what stops it, which the result then says."""
    try:
        saving.save(coordinator)  # complains now of a file that cannot be written
        coordinator.run()
    except KeyboardInterrupt:
        result.partial = INTERRUPTED
    except Full:
        assert job.max_memory is not None
        result.partial = told(job.max_memory)
    except Stopped as stop:
        result.partial = stop.told
        coordinator.late = not stop.told
    except Gone as error:
        result.partial = str(error)


class _Saving:
    """The checkpoint of a run, if there is to be one, and the clock of the run."""

    def __init__(self, job: Job, tally: Tally, path: Path | None) -> None:
        self.tally = tally
        self.start = self.saved = time.monotonic()
        self.trouble = ""  # why the file is older than it should be
        self._job = job
        self._file = None if path is None else Checkpoint(path, settings_of(job), job.program)

    def begin(self, new: ExplorationProgress) -> ExplorationProgress:
        """Where the run begins: what an earlier run has left in the file, else `new`."""
        file, result = self._file, self.tally.result
        found = None if file is None else file.load()
        if file is not None and found is not None:
            new = _continued(self._job, file, *found)
            self.tally.merge(found[1])
            result.continued = str(file.path)
            result.messages.append(_told(file, new, found[1]))
        self.start = self.saved = time.monotonic()
        return new

    def seconds(self, progress: ExplorationProgress) -> float:
        """Of this run and those before it."""
        return progress.seconds + time.monotonic() - self.start

    def look(self, coordinator: Coordinator) -> None:
        """Saves now and then."""
        if self._file is not None and time.monotonic() - self.saved > EVERY:
            self.save_if_possible(coordinator)
            self.saved = time.monotonic()

    def save(self, coordinator: Coordinator) -> None:
        if self._file is not None:
            progress, counts = coordinator.progress, self.tally.counts()
            self._file.save(progress, coordinator.pending, counts, self.seconds(progress))

    def save_if_possible(self, coordinator: Coordinator) -> None:
        """What was found is worth more than the file."""
        try:
            self.save(coordinator)
            self.trouble = ""
        except InputError as error:
            self.trouble = f"{error.message}; it is as it was before"

    def blame(self, error: InternalError) -> None:
        """A worker fails: says that it is the fault of the file, if the run goes on from one."""
        if self._file is not None and self.tally.result.continued:
            why = f"exploring what is left in it fails ({error})"
            raise self._file.fault(why) from error

    def tell(self, coordinator: Coordinator) -> None:
        """Says at the end where what is left was saved, or why it was not."""
        result = self.tally.result
        if self.trouble:
            result.messages.append(self.trouble)
        elif self._file is not None and coordinator.pending and not coordinator.answered:
            result.saved = str(self._file.path)


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
    return (
        f"this goes on from the checkpoint {file.path}, whose {traces} were not looked at again; "
        f"{left}"
    )
