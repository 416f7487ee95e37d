"""Steps that Ctrl-C and time limits do not tear apart: what is left and what was counted must fit
together, or a checkpoint loses or repeats a subtree."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

_NAMES: Final = ("SIGINT", "SIGALRM", "SIGVTALRM")  # whose handlers raise exceptions


class Undisturbed:
    """While entered, a signal that comes within a `step` waits for its end. Does nothing outside
    the main thread, which alone gets signals."""

    def __init__(self) -> None:
        self._before: dict[int, Callable[[int, FrameType | None], Any]] = {}
        self._within = False
        self._waiting: list[int] = []  # signals

    def __enter__(self) -> Undisturbed:
        if threading.current_thread() is threading.main_thread():
            for number in (getattr(signal, name, None) for name in _NAMES):
                handler = None if number is None else signal.getsignal(number)
                if number is not None and callable(handler):
                    self._before[number] = handler
                    signal.signal(number, self._take)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _take(self, number: int, frame: FrameType | None) -> None:
        if self._within:
            self._waiting.append(number)
        else:
            self._before[number](number, frame)

    @contextmanager
    def step(self, last: bool = False) -> Iterator[None]:
        """After the `last` one there is nothing that a signal could end: it is forgotten."""
        self._within = True
        try:
            yield
        finally:
            self._within = False
            waiting, self._waiting = self._waiting, []
            for number in waiting if not last else ():
                self._before[number](number, None)
