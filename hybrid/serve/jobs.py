"""The queue of runs: one after the other, each in its process.

A thread takes the next job when the one before has ended. What came of a job is kept until there
are newer ones enough; a job that nobody has asked about for a while is stopped.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from enum import Enum
from typing import Final

from hybrid.report.result import INTERRUPTED
from hybrid.serve.answers import Answer, broken, unfinished
from hybrid.serve.process import RunLimits, RunProcess
from hybrid.serve.request import RunRequest

MOST_WAITING: Final = 16  # jobs in the queue
MOST_KEPT: Final = 16  # jobs that have ended
FORGOTTEN: Final = 180.0  # seconds after which a job that nobody asks about is stopped


class JobState(Enum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"


class QueuedRun:
    """A run in the queue."""

    def __init__(self, asked: RunRequest, limits: RunLimits) -> None:
        self.number = secrets.token_urlsafe(16)  # nobody guesses it
        self.state = JobState.WAITING
        self.answer: Answer | None = None  # when it is done
        self.process = RunProcess(asked, limits)
        self.asked_about = time.monotonic()
        self.ended = threading.Event()

    def end(self, answer: Answer) -> None:
        self.answer = answer
        self.state = JobState.DONE
        self.ended.set()


class QueueFull(Exception):
    """There are too many jobs already."""


class JobQueue:
    """Jobs by number. All methods may be called from any thread."""

    def __init__(self, limits: RunLimits) -> None:
        self.limits = limits
        self._lock = threading.Condition()
        self._jobs: OrderedDict[str, QueuedRun] = OrderedDict()
        self._waiting: list[QueuedRun] = []
        self._running: QueuedRun | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="runs", daemon=True)
        self._watch = threading.Thread(target=self._look_around, name="watch", daemon=True)
        self._thread.start()
        self._watch.start()

    def add(self, asked: RunRequest) -> QueuedRun:
        """Puts a run into the queue; raises QueueFull if that is too long."""
        job = QueuedRun(asked, self.limits)
        with self._lock:
            if self._closed or len(self._waiting) >= MOST_WAITING:
                raise QueueFull
            self._forget()
            self._jobs[job.number] = job
            self._waiting.append(job)
            self._lock.notify_all()
        return job

    def find(self, number: str) -> QueuedRun | None:
        with self._lock:
            job = self._jobs.get(number)
            if job is not None:
                job.asked_about = time.monotonic()
            return job

    def before(self, job: QueuedRun) -> int:
        """How many jobs are to end before this one starts."""
        with self._lock:
            if job not in self._waiting:
                return 0
            return self._waiting.index(job) + (self._running is not None)

    def stop(self, job: QueuedRun) -> None:
        """Ends a job, whether it has begun or not."""
        with self._lock:
            if job in self._waiting:
                self._waiting.remove(job)
                job.end(unfinished(INTERRUPTED))
            else:
                job.process.stop()

    def close(self) -> None:
        """Stops all jobs, takes no more, and waits for the process that runs."""
        with self._lock:
            self._closed = True
            for job in [*self._waiting, *([self._running] if self._running else [])]:
                self.stop(job)
            self._lock.notify_all()
        self._thread.join()
        self._watch.join()

    def _work(self) -> None:
        while True:
            with self._lock:
                while not self._waiting and not self._closed:
                    self._lock.wait()
                if self._closed:
                    return
                job = self._running = self._waiting.pop(0)
                job.state = JobState.RUNNING
            try:
                answer = job.process.wait()
            except Exception as error:
                answer = broken(f"{type(error).__name__}: {error}")
            with self._lock:
                self._running = None
                job.end(answer)

    def _look_around(self) -> None:
        """Stops what nobody waits for any more."""
        while True:
            with self._lock:
                self._lock.wait(FORGOTTEN / 10)
                if self._closed:
                    return
                old = time.monotonic() - FORGOTTEN
                for job in [*self._waiting, *([self._running] if self._running else [])]:
                    if job.asked_about < old:
                        self.stop(job)

    def _forget(self) -> None:
        done = [job for job in self._jobs.values() if job.state is JobState.DONE]
        for job in done[: max(0, len(done) - MOST_KEPT + 1)]:
            del self._jobs[job.number]
