"""`-j auto`: this process alone while a run is short, all cores once it is long. Most runs are over
before another process would have started."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

from hybrid.parallel.coordinator import Lost
from hybrid.parallel.processes import Processes
from hybrid.parallel.unit import Worker
from hybrid.parallel.work import Job, Part, WorkUnit

AFTER: Final = 5.0  # seconds after which a run is long
PIECE: Final = 0.5  # seconds of a unit before that: what Ctrl-C loses
_HERE: Final = 0  # the number of a unit in this process; those of the others count from 1


class Growing:
    """Workers for a Coordinator: one, which is this process, for `after` seconds; then `jobs`
    processes."""

    def __init__(self, job: Job, jobs: int, after: float = AFTER) -> None:
        self._job = job
        self._jobs = jobs
        self.long_from = time.monotonic() + after  # when the run has become long
        self._worker: Worker | None = None  # in this process
        self._unit: WorkUnit | None = None  # for it
        self._processes: Processes | None = None  # None: not yet

    @property
    def grown(self) -> bool:
        return self._processes is not None

    @property
    def capacity(self) -> int:
        if self._processes is None and self._unit is None and time.monotonic() >= self.long_from:
            self._processes = Processes(self._job, self._jobs)
            self._worker = None  # its memory is not needed any more
        return 1 if self._processes is None else self._processes.capacity

    def submit(self, unit: WorkUnit) -> int:
        if self._processes is not None:
            return self._processes.submit(unit)
        self._unit = replace(unit, seconds=PIECE)
        return _HERE

    def wait(self, seconds: float) -> list[tuple[int, Part | Lost]]:
        if self._processes is not None:
            return self._processes.wait(seconds)
        if self._unit is None:
            return []
        if self._worker is None:
            self._worker = Worker(self._job)
        part = self._worker(self._unit)
        self._unit = None
        return [(_HERE, part)]

    def close(self) -> None:
        if self._processes is not None:
            self._processes.close()
