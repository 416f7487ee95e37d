"""A line on a terminal that says how far a long exploration, or a batch of them, has come."""

from __future__ import annotations

import shutil
import threading
import time
from types import TracebackType
from typing import Protocol, TextIO

from hybrid.engine.api import Counters
from hybrid.report.screen import draw

DELAY = 1.0  # seconds before the line appears
TICK = 0.2  # seconds between its changes
WIDTH = 20  # characters of a bar


class Counting(Protocol):
    """What is looked at: an engine, or what stands for several."""

    counters: Counters


class Progress:
    """While entered, a thread reads the engine's counters, so that the exploration itself pays
    nothing and the line moves also while no trace is found. Nothing is written unless `stream` is a
    terminal and `wanted`."""

    def __init__(self, engine: Counting, name: str, stream: TextIO, wanted: bool = True) -> None:
        self._wanted = wanted
        self._engine = engine
        self._name = name
        self._stream = stream
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)
        self._shown = False  # a line stands on the terminal

    def __enter__(self) -> Progress:
        if self._wanted and self._stream.isatty():
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        if self._thread.ident is not None:
            self._thread.join()
        if self._shown:
            self._write("")

    def _show(self) -> None:
        start = time.monotonic()
        wait = DELAY
        while not self._done.wait(wait):
            wait = TICK
            self._shown = True
            line = progress_line(self._engine, self._name, time.monotonic() - start)
            self._write(line[: shutil.get_terminal_size().columns - 1])  # a wrapped line stays

    def _write(self, line: str) -> None:
        try:
            draw(self._stream, line)
        except (OSError, ValueError):
            self._done.set()  # the terminal is gone


def progress_line(engine: Counting, name: str, seconds: float) -> str:
    """`SB: 1234 traces, 410/s, blocked 3, 3.0 s`"""
    counters = engine.counters
    rate = counters.complete / seconds if seconds > 0 else 0.0
    return (
        f"{name}: {counters.complete} traces, {rate:.0f}/s, blocked {counters.blocked}, "
        f"{seconds:.1f} s (Ctrl-C stops with a partial result)"
    )


class Bar:
    """How far a batch has come, on a terminal: `[###.…] 12/584, 3.1/s, 60 s left, 1 disagree: SB`.

    With `by_itself` a thread redraws it while this thread works; otherwise the one that waits calls
    `draw`. Nothing is written unless `stream` is a terminal and `wanted`.
    """

    def __init__(self, total: int, stream: TextIO, wanted: bool, by_itself: bool) -> None:
        self.total = total
        self.done = 0
        self.before = 0  # of these, known from an earlier run
        self.bad: dict[str, int] = {}  # what is to be told at once, with numbers
        self.now = ""  # what is being run
        self._stream = stream
        self._start = time.monotonic()
        self._drawn = 0.0  # when it was last
        self._lock = threading.Lock()
        self._shown = False
        self._over = threading.Event()
        self._able = wanted and stream.isatty()
        self._thread = threading.Thread(target=self._run, daemon=True)
        if self._able and by_itself:
            self._thread.start()

    def draw(self) -> None:
        if not self._able or time.monotonic() - self._drawn < TICK:
            return
        with self._lock:
            self._drawn = time.monotonic()
            self._shown = True
            line = self.line(self._drawn - self._start)
            self._write(line[: shutil.get_terminal_size().columns - 1])

    def count(self, bad: list[str]) -> None:
        """One more is done; `bad` are words for what went wrong."""
        self.done += 1
        for word in bad:
            self.bad[word] = self.bad.get(word, 0) + 1

    def line(self, seconds: float) -> str:
        rate = (self.done - self.before) / seconds if seconds > 0 else 0.0
        filled = WIDTH * self.done // max(self.total, 1)
        parts = [f"[{'#' * filled}{'.' * (WIDTH - filled)}] {self.done}/{self.total}"]
        if rate > 0:
            parts.append(f"{rate:.1f}/s")
            parts.append(f"{(self.total - self.done) / rate:.0f} s left")
        parts += [f"{number} {word}" for word, number in self.bad.items()]
        return ", ".join(parts) + (f": {self.now}" if self.now else "")

    def erase(self) -> None:
        """Before anything else is written to the terminal."""
        with self._lock:
            if self._shown:
                self._shown = False
                self._write("")

    def end(self) -> None:
        self._over.set()
        if self._thread.ident is not None:
            self._thread.join()
        self.erase()

    def _run(self) -> None:
        while not self._over.wait(TICK):
            self.draw()

    def _write(self, text: str) -> None:
        try:
            draw(self._stream, text)
        except (OSError, ValueError):
            self._able = False  # the terminal is gone
