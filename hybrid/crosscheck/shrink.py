"""Delta debugging of a disagreement (after Zeller and Hildebrandt, Simplifying and Isolating
Failure-Inducing Input, 2002): a program is made smaller step by step while the same configurations
still disagree in the same way.

A step is kept when it makes the program's weight less, the program is valid and the disagreement
stays. The passes are repeated until none of them finds a step, so the result is minimal in their
sense; it depends on the program alone, unless the time is over first.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from hybrid.catalogue.spelling import spelled
from hybrid.crosscheck.compare import (
    FORMULA,
    PLACES,
    REPLAY,
    Comparison,
    Difference,
    crosscheck,
)
from hybrid.crosscheck.found import Recheck
from hybrid.crosscheck.reduce import PASSES, weight
from hybrid.crosscheck.rename import renamed
from hybrid.engine.api import Limits
from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError, InternalError
from hybrid.frontend.prog import load_prog
from hybrid.frontend.prog_print import print_program
from hybrid.model.core import Model
from hybrid.program.check import check_program
from hybrid.program.loops import DEFAULT_MAX_STEPS
from hybrid.program.program import Program

SECONDS = 60.0  # for the whole of it
EACH = 5.0  # seconds for a configuration on one smaller program


@dataclass(slots=True)
class Shrunk:
    program: Program
    tried: int = 0  # programs
    kept: int = 0  # steps
    finished: bool = True  # False: the time was over first
    seconds: float = 0.0


class Disagreement(Protocol):
    """What must stay while shrinking."""

    def differences(self, program: Program) -> list[Difference]:
        """The differences of its kind that `program` shows."""
        ...


@dataclass(frozen=True, slots=True)
class Quarrel:
    """What must stay while shrinking: the same kind of difference between the same
    configurations."""

    model: Model
    configurations: tuple[Configuration, ...]  # those concerned, the reference first
    kind: str
    name: str  # the configuration at fault, or the formula
    unroll: int
    seed: int = 0
    seconds: float = EACH  # a configuration
    recheck: Recheck | None = None
    max_steps: int = DEFAULT_MAX_STEPS

    @staticmethod
    def about(
        difference: Difference,
        comparison: Comparison,
        configurations: Sequence[Configuration],
        seed: int = 0,
        recheck: Recheck | None = None,
    ) -> Quarrel:
        by_name = {spelled(configuration): configuration for configuration in configurations}
        concerned = [by_name[n] for n in (difference.against, difference.name) if n in by_name]
        return Quarrel(
            comparison.model,
            tuple(concerned),
            difference.kind,
            difference.name,
            comparison.limits.unroll,
            seed,
            recheck=recheck if difference.kind == REPLAY else None,
            max_steps=comparison.limits.max_steps,
        )

    def differences(self, program: Program) -> list[Difference]:
        """The differences of this kind that `program` shows."""
        result = crosscheck(
            program,
            self.model,
            self.configurations,
            Limits(self.unroll, max_steps=self.max_steps),
            seconds=self.seconds,
            seed=self.seed,
            complete=self.name == FORMULA,
            recheck=self.recheck,
            relocate=self.kind == PLACES,
        )
        return [d for d in result.differences if (d.kind, d.name) == (self.kind, self.name)]


def shrink(
    program: Program,
    quarrel: Disagreement,
    *,
    seconds: float = SECONDS,
    on_progress: Callable[[Shrunk], None] | None = None,
) -> Shrunk:
    """The smallest program found for which the quarrel stays."""
    search = _Search(quarrel, Shrunk(program), time.monotonic(), seconds, on_progress)
    return search.run()


class _Search:
    def __init__(
        self,
        quarrel: Disagreement,
        result: Shrunk,
        start: float,
        seconds: float,
        on_progress: Callable[[Shrunk], None] | None,
    ) -> None:
        self.quarrel = quarrel
        self.result = result
        self.start = start
        self.deadline = start + seconds
        self.on_progress = on_progress
        self.failed: set[str] = set()  # texts of programs that do not disagree

    def run(self) -> Shrunk:
        result = self.result
        try:
            self._passes()
        except _TimeOver:
            result.finished = False
        except KeyboardInterrupt:
            result.finished = False
        if result.finished:
            tidy = renamed(result.program)
            if self._valid(tidy) and self.quarrel.differences(tidy):
                result.program = tidy
        result.seconds = time.monotonic() - self.start
        return result

    def _passes(self) -> None:
        again = True
        while again:
            again = False
            for simpler in PASSES:
                while (program := self._step(simpler(self.result.program))) is not None:
                    self.result.program = program
                    self.result.kept += 1
                    again = True

    def _step(self, candidates: Iterator[Program]) -> Program | None:
        """The first candidate that is smaller and still shows the disagreement."""
        now = weight(self.result.program)
        for candidate in candidates:
            if weight(candidate) < now and self._valid(candidate) and self._disagrees(candidate):
                return candidate
        return None

    def _valid(self, program: Program) -> bool:
        try:
            check_program(program)
        except InputError:
            return False
        return True

    def _disagrees(self, program: Program) -> bool:
        if time.monotonic() > self.deadline:
            raise _TimeOver
        text = print_program(program)
        if text in self.failed:
            return False
        self.result.tried += 1
        if self.on_progress is not None:
            self.on_progress(self.result)
        stays = bool(self.quarrel.differences(program))
        if not stays:
            self.failed.add(text)
        return stays


class _TimeOver(Exception):
    pass


def free_path(name: str, folder: Path) -> Path:
    """A path in `folder` named after a program, at which there is nothing yet."""
    stem = re.sub(r"[^A-Za-z0-9_.+-]+", "_", name).strip("._") or "program"
    number = 1
    while True:
        path = folder / (f"{stem}-shrunk.prog" if number == 1 else f"{stem}-shrunk-{number}.prog")
        if not path.exists():
            return path
        number += 1


def save(program: Program, quarrel: Disagreement, path: Path) -> list[Difference]:
    """Writes the program to a new file, reads it again and gives the differences that what was read
    shows: at least one."""
    try:
        with open(path, "x", encoding="utf-8") as stream:
            stream.write(print_program(program))
    except FileExistsError:
        raise InputError(
            f"cannot write {path}: it exists", hint="give another name with -o"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot write {path}: {reason}") from None
    found = quarrel.differences(load_prog(path))
    if not found:
        raise InternalError(f"{path} does not show the disagreement that it was saved for")
    return found


def described(program: Program, difference: Difference, model: Model) -> Program:
    """The program with the disagreement as its description."""
    return replace(program, description=f"Under {model.name}: {difference.text}.")
