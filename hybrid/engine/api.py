"""What every engine offers: `explore` yields traces and keeps counters."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from hybrid.engine.counters import Counters as Counters
from hybrid.errors import InputError
from hybrid.errors import Stopped as Stopped
from hybrid.execution.trace import Trace
from hybrid.model.core import Model
from hybrid.program.loops import DEFAULT_MAX_STEPS
from hybrid.program.program import Program

DEFAULT_UNROLL = 5
RANDOM: Final = "random"
POLICIES: Final = ("first", "last", RANDOM)  # which event, or which thread, comes next
TRACE: Final = "trace"  # Shasha–Snir traces
RF: Final = "rf"  # reads-from classes
FAA: Final = "faa"  # traces with independent fetch-and-adds in any order
EQUIVALENCES: Final = (TRACE, RF, FAA)  # what can be asked for
WITNESS: Final = "witness"  # of an answer by one run of each kind, without a count of traces


@dataclass(frozen=True, slots=True)
class Limits:
    # jumps back in loops that depend on memory, each; see program.loops
    unroll: int = DEFAULT_UNROLL
    deadline: float | None = None  # in time.monotonic() seconds
    max_steps: int = DEFAULT_MAX_STEPS  # how many instructions a thread executes at most in a run

    def check_time(self) -> None:
        """Engines call this now and then; raises Stopped after the deadline."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise Stopped


class Engine(Protocol):
    name: str
    counters: Counters  # of the last exploration

    def explore(self, program: Program, model: Model, limits: Limits) -> Iterator[Trace]:
        """All complete traces, each once; the WAITING runs, each once; also the CUT and ERROR runs,
        with that status, and BLOCKED ones in which an assert fails or freed memory is written;
        other BLOCKED ones are only counted. Where the model has a flag `race` and accesses race in
        BLOCKED runs alone, one of these at least. The caller has asked the engine's entry whether
        it refuses this."""
        ...


def check_word(what: str, word: str, known: Sequence[str]) -> None:
    """Raises an InputError when a policy, an equivalence, … of this name is not known."""
    if word not in known:
        raise InputError(f"no {what} is called '{word}'", hint=f"known: {', '.join(known)}")
