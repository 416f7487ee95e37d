"""Worker processes on this machine. One that dies costs nothing but time: its unit is given back as
lost, and a new process takes its place."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from hybrid.errors import InputError, InternalError
from hybrid.parallel.coordinator import Lost
from hybrid.parallel.unit import Worker
from hybrid.parallel.work import Job, Part, WorkUnit


@dataclass(slots=True)
class _Process:
    process: BaseProcess
    pipe: Connection
    number: int | None = None  # of the unit it works on; None: it waits


class Processes:
    """`capacity` processes, started when they are first needed."""

    def __init__(self, job: Job, jobs: int) -> None:
        self.capacity = jobs
        self._job = job
        self._crew: list[_Process] = []
        self._handed = 0
        methods = multiprocessing.get_all_start_methods()
        self._context = multiprocessing.get_context("fork" if "fork" in methods else None)

    @property
    def pids(self) -> list[int]:
        return [each.process.pid for each in self._crew if each.process.pid is not None]

    def submit(self, unit: WorkUnit) -> int:
        worker = next((each for each in self._crew if each.number is None), None)
        if worker is None:
            worker = self._start()
        self._handed += 1
        worker.number = self._handed
        with contextlib.suppress(OSError):  # it is dead: `wait` finds out
            worker.pipe.send(unit)
        return self._handed

    def wait(self, seconds: float) -> list[tuple[int, Part | Lost]]:
        sources = [s for each in self._crew for s in (each.pipe, each.process.sentinel)]
        ready = wait(sources, seconds)
        found: list[tuple[int, Part | Lost]] = []
        for worker in list(self._crew):
            if worker.pipe in ready:
                answer = self._receive(worker)
            elif worker.process.sentinel in ready:
                answer = self._bury(worker)
            else:
                continue
            if worker.number is not None:
                found.append((worker.number, answer))
            worker.number = None
        return found

    def _start(self) -> _Process:
        try:
            ours, theirs = self._context.Pipe()
            forked = self._context.get_start_method() == "fork"
            others = [ours, *(each.pipe for each in self._crew)] if forked else []
            process = self._context.Process(
                target=_serve, args=(theirs, others, self._job, os.getpid()), daemon=True
            )
            process.start()
        except OSError as error:
            raise InputError(
                f"cannot start worker process {len(self._crew) + 1}: {error.strerror or error}",
                hint="give a smaller -j",
            ) from None
        theirs.close()
        self._crew.append(_Process(process, ours))
        return self._crew[-1]

    def _receive(self, worker: _Process) -> Part | Lost:
        try:
            answer = worker.pipe.recv()
        except Exception:  # the end of the pipe, or half a message, which may raise anything
            return self._bury(worker)
        if isinstance(answer, str):
            raise InternalError(f"a worker process failed: {answer}")
        if isinstance(answer, Lost):
            self._bury(worker)
            return answer
        assert isinstance(answer, Part)
        return answer

    def _bury(self, worker: _Process) -> Lost:
        self._crew.remove(worker)
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        return Lost(f"the worker process ended with exit code {worker.process.exitcode}")

    def close(self) -> None:
        for worker in self._crew:
            worker.process.kill()
        for worker in self._crew:
            worker.process.join()
            worker.pipe.close()
        self._crew.clear()


def _serve(pipe: Connection, others: list[Connection], job: Job, parent: int) -> None:
    """A worker's life. Ctrl-C is for the first process alone, which ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in others:  # forked with them open, it would keep other workers' pipes from closing
        other.close()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        try:
            work = Worker(job)
            while True:
                pipe.send(work(pipe.recv()))
        except (EOFError, OSError):
            raise
        except (MemoryError, RecursionError) as error:  # which is not a bug
            del work  # makes room
            pipe.send(Lost(f"out of {'memory' if isinstance(error, MemoryError) else 'stack'}"))
        except Exception as error:
            pipe.send(f"{type(error).__name__}: {error}")


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)
