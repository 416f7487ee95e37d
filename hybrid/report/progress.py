"""How far a long exploration, or a batch of them, has come: a line on a terminal, or in a log one
per minute."""

from __future__ import annotations

import shutil
import threading
import time
from types import TracebackType
from typing import Protocol, TextIO

from hybrid.engine.api import Counters
from hybrid.report.how_far import duration, how_far
from hybrid.report.screen import draw, write_line
from hybrid.report.watch import Watch

DELAY = 1.0  # seconds before the line appears
TICK = 0.2  # seconds between its changes
MINUTE = 60.0  # seconds between two lines of a log
WIDTH = 20  # characters of a bar


class Counting(Protocol):
    """What is looked at: an engine, or what stands for several."""

    counters: Counters


class Progress:
    """While entered, a thread reads the engine's counters, so that the exploration itself pays
    nothing and the line moves also while no trace is found. On a terminal it is one line that is
    drawn again and again, elsewhere a new line per minute. Nothing is written unless `wanted`. A
    `watch` says how many executions there are."""

    def __init__(
        self,
        engine: Counting,
        name: str,
        stream: TextIO,
        wanted: bool = True,
        watch: Watch | None = None,
    ) -> None:
        self._wanted = wanted
        self._engine = engine
        self._name = name
        self._stream = stream
        self._watch = watch
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)
        self._shown = False  # a line stands on the terminal

    def __enter__(self) -> Progress:
        if self._wanted:
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
        drawn = self._stream.isatty()
        wait = DELAY if drawn else MINUTE
        while not self._done.wait(wait):
            wait = TICK if drawn else MINUTE
            seconds = time.monotonic() - start
            if drawn:
                self._shown = True
                width = shutil.get_terminal_size().columns - 1  # a wrapped line stays
                line = progress_line(self._engine, self._name, seconds, self._watch, width)
                self._write(line[:width])
            else:
                self._log(log_line(self._engine, self._name, seconds, self._watch))

    def _write(self, line: str) -> None:
        try:
            draw(self._stream, line)
        except (OSError, ValueError):
            self._done.set()  # the terminal is gone

    def _log(self, line: str) -> None:
        try:
            write_line(self._stream, line)
        except (OSError, ValueError):
            self._done.set()


def progress_line(
    engine: Counting, name: str, seconds: float, watch: Watch | None = None, width: int = 1000
) -> str:
    """`SB: 1234 traces, 410/s, blocked 3, 3.0 s`; with an estimate `SB: [##…] 12 %, 1,234 of about
    10,300 executions (8,900 to 12,000), 410/s, 22 s left`, or less of it, so that it fits into the
    `width` of the terminal with the time left at its end."""
    counters = engine.counters
    far = how_far(counters, watch)
    if far is not None:
        forms = (
            f"{name}: {bar_of(far.part)} {far} (Ctrl-C stops with a partial result)",
            f"{name}: {bar_of(far.part)} {far}",
            f"{name}: {bar_of(far.part)} {far.short}",
            f"{name}: {bar_of(far.part, WIDTH // 2)} {far.short}",
            f"{name}: {far.short}",
        )
        return next((form for form in forms if len(form) <= width), far.short)
    rate = counters.complete / seconds if seconds > 0 else 0.0
    return (
        f"{name}: {counters.complete} traces, {rate:.0f}/s, blocked {counters.blocked}, "
        f"{seconds:.1f} s (Ctrl-C stops with a partial result)"
    )


def log_line(engine: Counting, name: str, seconds: float, watch: Watch | None = None) -> str:
    """`SB after 2 min: 12 %, 1,234 of about 10,300 executions (8,900 to 12,000), 410/s, 22 s
    left`"""
    counters = engine.counters
    far = how_far(counters, watch)
    after = f"{name} after {duration(seconds)}"
    if far is not None:
        return f"{after}: {far}"
    rate = counters.complete / seconds if seconds > 0 else 0.0
    return f"{after}: {counters.complete:,} traces, {rate:.0f}/s, blocked {counters.blocked:,}"


def bar_of(part: float, width: int = WIDTH) -> str:
    """`[#####...............]`, for a quarter."""
    filled = int(width * min(max(part, 0.0), 1.0))
    return f"[{'#' * filled}{'.' * (width - filled)}]"


class Bar:
    """How far a batch has come, on a terminal: `[###.…] 12/584, 3.1/s, 60 s left, 1 disagree: SB`.

    With `by_itself` a thread redraws it while this thread works; otherwise the one that waits calls
    `draw`. Elsewhere than on a terminal it is a line per minute. Nothing is written unless
    `wanted`.
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
        self._able = wanted
        self._drawing = stream.isatty()
        if not self._drawing:
            self._drawn = self._start
        self._thread = threading.Thread(target=self._run, daemon=True)
        if self._able and by_itself:
            self._thread.start()

    def draw(self) -> None:
        pause = TICK if self._drawing else MINUTE
        if not self._able or time.monotonic() - self._drawn < pause:
            return
        with self._lock:
            self._drawn = time.monotonic()
            line = self.line(self._drawn - self._start)
            if self._drawing:
                self._shown = True
                self._write(line[: shutil.get_terminal_size().columns - 1])
            else:
                self._log(line)

    def count(self, bad: list[str]) -> None:
        """One more is done; `bad` are words for what went wrong."""
        self.done += 1
        for word in bad:
            self.bad[word] = self.bad.get(word, 0) + 1

    def line(self, seconds: float) -> str:
        rate = (self.done - self.before) / seconds if seconds > 0 else 0.0
        parts = [f"{bar_of(self.done / max(self.total, 1))} {self.done}/{self.total}"]
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

    def _log(self, text: str) -> None:
        try:
            write_line(self._stream, text)
        except (OSError, ValueError):
            self._able = False
