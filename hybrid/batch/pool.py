"""Long-lived worker processes for a batch: each takes one item after the other; results come back
in the order of the items.

A worker that dies, or that does not answer long after its time, costs the batch one item: what
`lost` says of it stands for its result, and a new worker goes on with the rest. The workers are
forked where the system can, so that they start at once with all models that are loaded; elsewhere
`work` is pickled.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Generic, TypeVar

from hybrid.errors import InputError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

T = TypeVar("T")
R = TypeVar("R")

TICK = 0.2  # seconds between looks at the clock
MARGIN = 5.0  # seconds that a worker may answer after its time
LATE = "late"  # why a worker that did not answer by then was ended
GRACE = 3.0  # seconds that interrupted workers have to give what they found so far


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    pipe: Connection
    item: int | None = None  # what it works on; None: it waits
    since: float = 0.0  # when it began
    dead: str = ""  # why we ended it


class Interrupts:
    """While entered, the first Ctrl-C is remembered in `stopped`; the second is an ordinary
    KeyboardInterrupt."""

    def __init__(self) -> None:
        self.stopped = False
        self._main = threading.current_thread() is threading.main_thread()

    def __enter__(self) -> Interrupts:
        if self._main:
            self._before = signal.signal(signal.SIGINT, self._remember)
        return self

    def _remember(self, number: int, frame: FrameType | None) -> None:
        self.stopped = True
        signal.signal(signal.SIGINT, self._before)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._main:
            signal.signal(signal.SIGINT, self._before)


def cores() -> int:
    """As many processes can work at the same time."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Pool(Generic[T, R]):
    """`work` on every item, by `jobs` processes. `seconds`: how long an item may take, by its own
    clock; None: for ever."""

    def __init__(
        self,
        items: Sequence[T],
        work: Callable[[T], R],
        lost: Callable[[T, str], R],
        jobs: int,
        seconds: float | None = None,
        arrived: Callable[[int, R], None] = lambda number, result: None,
        tick: Callable[[], None] = lambda: None,
    ) -> None:
        self.items = items
        self.interrupted = False  # not everything was run
        self._work = work
        self._lost = lost
        self._jobs = min(jobs, len(items))
        self._seconds = seconds
        self._arrived = arrived  # told of a result at once, before its turn comes
        self._tick = tick  # called now and then
        self._next = 0  # the first item that nobody has taken
        self._found: dict[int, R] = {}  # results whose turn has not come
        self._workers: list[_Worker] = []
        self._interrupts = Interrupts()
        import multiprocessing  # what a single program can do without is loaded when needed

        methods = multiprocessing.get_all_start_methods()
        self._context = multiprocessing.get_context("fork" if "fork" in methods else None)

    def results(self) -> Iterator[tuple[int, R]]:
        """The number of each item and its result, in order. After Ctrl-C: of those that are done,
        or were begun and gave a part."""
        turn = 0
        with self._interrupts as interrupts:
            try:
                while turn < len(self.items) and not interrupts.stopped:
                    self._hand_out()
                    self._collect(TICK)
                    self._tick()
                    while turn in self._found:
                        yield turn, self._found.pop(turn)
                        turn += 1
                if turn < len(self.items):
                    self.interrupted = True
                    self._interrupt()
                    yield from sorted(self._found.items())
            finally:
                self._end()

    def _hand_out(self) -> None:
        while len(self._workers) < min(self._jobs, self._open):
            self._start()
        for worker in self._workers:
            if worker.item is None and self._next < len(self.items):
                # A worker that is dead already is met in `_collect`.
                with contextlib.suppress(OSError):
                    worker.pipe.send((self._next, self.items[self._next]))
                worker.item, worker.since = self._next, time.monotonic()
                self._next += 1

    @property
    def _open(self) -> int:
        """How many items are not done."""
        busy = sum(worker.item is not None for worker in self._workers)
        return len(self.items) - self._next + busy

    def _start(self) -> None:
        ours, theirs = self._context.Pipe()
        others = [ours, *(worker.pipe for worker in self._workers)]
        forked = self._context.get_start_method() == "fork"
        process = self._context.Process(
            target=_serve,
            args=(theirs, others if forked else [], self._work, os.getpid()),
            daemon=True,
        )
        try:
            with _ctrl_c_later():
                process.start()
        except OSError as error:
            ours.close()
            theirs.close()
            if self._workers:  # with fewer it goes on
                self._jobs = len(self._workers)
                return
            raise InputError(f"cannot start a worker process: {error.strerror or error}") from None
        theirs.close()
        self._workers.append(_Worker(process, ours))

    def _collect(self, seconds: float) -> None:
        """Takes in what comes within `seconds`; sees to workers that died or are late."""
        from multiprocessing.connection import wait

        workers = list(self._workers)
        sources = [s for worker in workers for s in (worker.pipe, worker.process.sentinel)]
        ready = wait(sources, seconds)
        for worker in workers:
            spoke = worker.pipe in ready
            if spoke and self._receive(worker):
                continue
            if spoke or worker.process.sentinel in ready:
                self._bury(worker)
            elif (
                worker.item is not None
                and self._seconds is not None
                and time.monotonic() - worker.since > self._seconds + MARGIN
            ):
                worker.dead = LATE
                self._bury(worker)

    def _receive(self, worker: _Worker) -> bool:
        """Takes one result from the worker; False: there is none, since it is gone."""
        try:
            number, result, crash = worker.pipe.recv()
        except Exception:  # EOF, or half a message, which may raise anything
            return False
        self._take(number, self._lost(self.items[number], crash) if crash else result)
        worker.item = None
        return True

    def _take(self, number: int, result: R) -> None:
        self._found[number] = result
        self._arrived(number, result)

    def _bury(self, worker: _Worker) -> None:
        """Ends a worker for good; its item is lost."""
        self._workers.remove(worker)
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        # A terminal's Ctrl-C goes to the workers too; one that ended with it has no fault.
        if worker.item is not None and not self._interrupts.stopped:
            reason = worker.dead or _death(worker.process.exitcode)
            self._take(worker.item, self._lost(self.items[worker.item], reason))

    def _interrupt(self) -> None:
        """Lets busy workers say what they have found so far."""
        for worker in self._workers:
            if worker.item is not None and worker.process.pid is not None:
                with contextlib.suppress(OSError):
                    os.kill(worker.process.pid, signal.SIGINT)
        end = time.monotonic() + GRACE
        while any(w.item is not None for w in self._workers) and time.monotonic() < end:
            self._collect(TICK)

    def _end(self) -> None:
        for worker in self._workers:
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()
        self._workers.clear()


def _death(code: int | None) -> str:
    if code is not None and code < 0:
        try:
            return f"the worker process was ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"the worker process was ended by signal {-code}"
    return f"the worker process ended with exit code {code}"


def _serve(pipe: Connection, others: list[Connection], work: Callable[[T], R], parent: int) -> None:
    """A worker's life: until its pipe is closed or its parent is gone. The first Ctrl-C reaches the
    work."""
    # What was loaded before the fork stays; tests leave little garbage in circles.
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    for other in others:
        other.close()  # forked open, they would keep the other workers' pipes from closing
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()

    def once(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal and the parent both send it
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, once)
    with contextlib.suppress(KeyboardInterrupt, EOFError, OSError):
        _let_ctrl_c_through(True)
        while True:
            number, item = pipe.recv()
            answer: tuple[int, R | None, str]
            try:
                answer = (number, work(item), "")
            except Exception as error:
                answer = (number, None, f"{type(error).__name__}: {error}")
            pipe.send(answer)


@contextlib.contextmanager
def _ctrl_c_later() -> Iterator[None]:
    """While a process is started: in the new one nobody would catch it, and in this one what runs
    at a fork swallows it."""
    _let_ctrl_c_through(False)
    try:
        yield
    finally:
        _let_ctrl_c_through(True)


def _let_ctrl_c_through(yes: bool) -> None:
    if hasattr(signal, "pthread_sigmask"):  # not on Windows
        signal.pthread_sigmask(signal.SIG_UNBLOCK if yes else signal.SIG_BLOCK, {signal.SIGINT})


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)
