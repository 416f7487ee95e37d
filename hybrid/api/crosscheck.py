"""`hybrid.crosscheck`: every applicable engine, oracle and equivalence on one program under one
model; their traces must be the same."""

from __future__ import annotations

import html
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from hybrid.api.inputs import (
    FileName,
    ModelSource,
    ProgramSource,
    Reading,
    compiling_of,
    model_for,
    timeouts,
)
from hybrid.api.options import by_keyword, checked, time_above_zero, whole_number
from hybrid.catalogue.spelling import ALL, parse_configurations, spelled
from hybrid.crosscheck.compare import Comparison, Difference
from hybrid.crosscheck.compare import crosscheck as compare
from hybrid.engine.api import DEFAULT_UNROLL, Engine, Limits
from hybrid.engine.configuration import Configuration
from hybrid.engine.prepare import prepared
from hybrid.frontend.compiler_options import NO_OPTIONS, CompilerOptions
from hybrid.memory import memory_limit
from hybrid.model import orders
from hybrid.model.core import Model
from hybrid.program.loops import DEFAULT_MAX_STEPS
from hybrid.program.program import Program
from hybrid.report.comparison import full_text
from hybrid.report.disagreement import disagreement_text
from hybrid.report.progress import Progress
from hybrid.report.screen import terminal
from hybrid.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Comparing:
    """How programs are compared."""

    configurations: tuple[Configuration, ...]
    limits: Limits
    seconds: float | None  # for each configuration
    seed: int
    complete: bool  # also compare with the formula
    max_memory: int | None  # bytes
    mapping: bool | None  # what --map says
    loops: str = ""  # what --loops says
    unroll: int | None = None  # what --unroll says, which `limits` have too
    compiling: CompilerOptions = NO_OPTIONS


@dataclass(frozen=True, slots=True)
class ConfigurationResult:
    """What one configuration found."""

    name: str
    traces: int  # or what else its equivalence counts
    seconds: float
    unfinished: str  # why this is not everything; empty if it is


@dataclass(frozen=True, slots=True)
class Crosschecked:
    """Whether the configurations agree."""

    name: str  # of the program
    model: str  # its name
    verdict: Verdict  # HOLDS: all are equal; DISAGREE; INCONCLUSIVE: `open` says why
    configurations: tuple[ConfigurationResult, ...]
    differences: tuple[Difference, ...]
    left_out: tuple[tuple[str, str], ...]  # configurations that do not apply, and why
    open: tuple[str, ...]  # why agreement would not say everything
    comparison: Comparison = field(repr=False, compare=False)

    @property
    def agree(self) -> bool:
        """Whether all that was compared is equal; `open` says what was not."""
        return not self.differences

    @property
    def exit_code(self) -> int:
        """That of the command line."""
        return self.verdict.exit_code

    def text(self) -> str:
        """What `hybrid crosscheck` prints; a disagreement is not shrunk."""
        more = f"\n{disagreement_text(self.comparison)}" if self.differences else ""
        return f"{full_text(self.comparison)}{more}"

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """For notebooks."""
        return f"<pre>{html.escape(self.text())}</pre>"


@by_keyword()
def crosscheck(
    program: ProgramSource,
    model: ModelSource | None = None,
    *,
    engines: str = ALL,
    complete: bool = False,
    timeout: float | None = None,
    max_memory: int | None = None,
    unroll: int | None = None,
    max_steps: int = DEFAULT_MAX_STEPS,
    loops: str = "",
    seed: int = 0,
    map: bool | None = None,  # as on the command line
    clang: FileName | None = None,
    flags: Sequence[str] = (),
    link: Sequence[FileName] = (),
) -> Crosschecked:
    """Runs the configurations that `engines` names (`enumerate,rsmc,rsmc:z3,bmc:sat`; by default
    all that apply) and compares their traces; with `complete` a formula shows that there are no
    others. `timeout` is in seconds, for reading and for each configuration."""
    start = time.monotonic()
    time_above_zero("timeout", timeout)
    whole_number("max_memory", max_memory, 1)
    checked({"unroll": unroll, "max_steps": max_steps, "seed": seed, "loops": loops or None})
    comparing = Comparing(
        parse_configurations(engines),
        Limits(DEFAULT_UNROLL if unroll is None else unroll, max_steps=max_steps),
        timeout,
        seed,
        complete,
        max_memory,
        map,
        loops,
        unroll,
        compiling_of(program, clang, flags, link),
    )
    with timeouts("crosscheck"):
        if not isinstance(program, Program):
            program = Reading(comparing.compiling, timeout, max_memory).program(program, start)
        comparison = crosscheck_loaded(program, model_for(program, model), comparing)
    return crosschecked_of(comparison)


def crosschecked_of(comparison: Comparison) -> Crosschecked:
    """What a comparison says, for callers."""
    return Crosschecked(
        comparison.program.name,
        comparison.model.name,
        comparison.verdict,
        tuple(
            ConfigurationResult(found.name, len(found.traces), found.seconds, found.unfinished)
            for found in comparison.findings
        ),
        tuple(comparison.differences),
        tuple(comparison.left_out),
        tuple(comparison.open),
        comparison,
    )


def crosscheck_loaded(
    program: Program, model: Model, comparing: Comparing, progress: bool = False
) -> Comparison:
    """The same for a program and a model that are there; with `progress` a line on the terminal
    says how far each configuration has come."""
    with memory_limit(comparing.max_memory):
        mapped, _ = orders.mapped(comparing.mapping, program, model)
        program = prepared(mapped, model, comparing.loops)
        limits = comparing.limits
        if comparing.unroll is None and program.unroll is not None:
            limits = replace(limits, unroll=program.unroll)
        shown = _ShownProgress(program.name, progress)
        try:
            return compare(
                program,
                model,
                comparing.configurations,
                limits,
                seconds=comparing.seconds,
                seed=comparing.seed,
                complete=comparing.complete,
                on_start=shown.start,
            )
        finally:
            shown.end()


class _ShownProgress:
    """The line of one configuration after the other."""

    def __init__(self, name: str, wanted: bool) -> None:
        self._name = name
        self._wanted = wanted
        self._line: Progress | None = None

    def start(self, configuration: Configuration, engine: Engine) -> None:
        self.end()
        name = f"{self._name} {spelled(configuration)}"
        self._line = Progress(engine, name, terminal(), self._wanted)
        self._line.__enter__()

    def end(self) -> None:
        if self._line is not None:
            self._line.__exit__(None, None, None)
            self._line = None
