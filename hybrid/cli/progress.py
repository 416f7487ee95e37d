"""A line on a terminal that says how far a long exploration has come: traces found, rate, time."""

from __future__ import annotations

import shutil
import threading
import time
from types import TracebackType
from typing import TextIO

from hybrid.engine.api import Engine

DELAY = 1.0  # seconds before the line appears
TICK = 0.2  # seconds between its changes


class Progress:
    """While entered, a thread reads the engine's counters, so that the exploration itself pays nothing and the line
    moves also while no trace is found. Nothing is written unless `stream` is a terminal."""

    def __init__(self, engine: Engine, name: str, stream: TextIO) -> None:
        self._engine = engine
        self._name = name
        self._stream = stream
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)
        self._shown = False  # a line stands on the terminal

    def __enter__(self) -> Progress:
        if self._stream.isatty():
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
            self._stream.write(f"\r\x1b[K{line}")  # to the line's start, erase it
            self._stream.flush()
        except (OSError, ValueError):
            self._done.set()  # the terminal is gone


def progress_line(engine: Engine, name: str, seconds: float) -> str:
    """`SB: 1234 traces, 410/s, blocked 3, 3.0 s`"""
    counters = engine.counters
    rate = counters.complete / seconds if seconds > 0 else 0.0
    return (
        f"{name}: {counters.complete} traces, {rate:.0f}/s, blocked {counters.blocked}, "
        f"{seconds:.1f} s (Ctrl-C stops with a partial result)"
    )
