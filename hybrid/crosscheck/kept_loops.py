"""Programs with their loops as they are, and without the iterations that change nothing: the
outcomes of complete runs, and the asserts that fail in them, must be the same.

At any bound: a run without such iterations is one of the program, with as many rounds; and a run of
the program stays one if they are taken out, with fewer rounds.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from hybrid.catalogue.engines import make
from hybrid.catalogue.spelling import not_applicable, spelled
from hybrid.crosscheck.compare import Difference
from hybrid.engine.api import TRACE, Limits
from hybrid.engine.configuration import Configuration
from hybrid.engine.prepare import prepared
from hybrid.execution.trace import Status
from hybrid.model.core import Model
from hybrid.program.condition import LocationTerm, Term
from hybrid.program.program import Program

LOOPS = "loops"  # the kind of difference
LONGER = 20  # times the instructions that a thread may have with those that watch its loops
_SHOWN = 3  # outcomes
Outcome = tuple[tuple[int, ...], tuple[str, ...]]  # final values, labels of failed asserts


@dataclass(frozen=True, slots=True)
class LoopQuarrel:
    """What must stay while shrinking: an outcome that is lost, or new."""

    model: Model
    configurations: tuple[Configuration, ...]  # the first that takes the program is asked
    loops: str  # how its loops are treated, as --loops says
    unroll: int
    max_steps: int
    seconds: float | None = None

    def differences(self, program: Program) -> list[Difference]:
        """None, where nothing is lost and nothing new; raises Stopped when the time is over."""
        program = replace(program, observed=_everything(program))
        without = prepared(program, self.model, self.loops)
        if without.threads == program.threads:
            return []
        kept, name = self._outcomes(program, self.max_steps)
        left, _ = self._outcomes(without, self.max_steps)
        texts = []
        lost = kept - left
        if lost:
            lost -= self._outcomes(without, LONGER * self.max_steps)[0]
        if lost:
            texts.append(f"lost: {_listed(program, lost)}")
        if left - kept:
            texts.append(f"new: {_listed(program, left - kept)}")
        return [Difference(LOOPS, name, "", f"with --loops {self.loops} {t}") for t in texts]

    def _outcomes(self, program: Program, max_steps: int) -> tuple[set[Outcome], str]:
        """Those of complete runs, and the configuration that was asked."""
        deadline = None if self.seconds is None else time.monotonic() + self.seconds
        limits = Limits(self.unroll, deadline, max_steps)
        for each in self.configurations:
            if each.equivalence == TRACE and not not_applicable(each, self.model, program):
                runs = make(each).explore(program, self.model, limits)
                complete = (run for run in runs if run.status is Status.COMPLETE)
                return {(run.outcome(program.terms), run.failed) for run in complete}, spelled(each)
        return set(), ""


def _everything(program: Program) -> tuple[Term, ...]:
    """What outcomes show, and all locations. (More registers would keep loops as they are.)"""
    places = (LocationTerm(p.span, p.address, p.name) for p in program.locations)
    return (*program.observed, *places)


def _listed(program: Program, found: set[Outcome]) -> str:
    shown = []
    for values, failed in sorted(found)[:_SHOWN]:
        state = "; ".join(f"{t.name}={v}" for t, v in zip(program.terms, values, strict=True))
        shown.append(f"{state}{' failing ' + ', '.join(failed) if failed else ''}")
    return " | ".join(shown) + (" | …" if len(found) > _SHOWN else "")
