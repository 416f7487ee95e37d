"""`hybrid bench oracles`: what a check costs with each oracle, over the bundled programs."""

from __future__ import annotations

import argparse
import gc
import time
from dataclasses import dataclass

from hybrid.catalogue.engines import refusal
from hybrid.data import bundled
from hybrid.engine.api import Limits
from hybrid.engine.rsmc.engine import Rsmc
from hybrid.engine.rsmc.entry import RSMC
from hybrid.errors import InputError
from hybrid.execution.execution import Execution
from hybrid.execution.step import Step
from hybrid.execution.trace import Key, Status
from hybrid.frontend.compiler_options import (
    CompilerOptions,
    check_flags,
    is_compiled,
)
from hybrid.frontend.find_programs import program_paths
from hybrid.frontend.load import load_program
from hybrid.model.core import Model
from hybrid.model.load import load_model
from hybrid.oracle.api import Candidate, Oracle
from hybrid.oracle.make import ACYCLICITIES, check_oracle, make_oracle
from hybrid.oracle.reason import Reason
from hybrid.program.program import Program
from hybrid.verdict import Verdict

DEFAULT_MODELS = "sc,tso,pso,ra,rc11,power"
DEFAULT_ORACLES = "graph,pysat,z3"


@dataclass(frozen=True, slots=True)
class Named:
    """ORACLE[:SAT-SOLVER][/ACYCLICITY]"""

    text: str
    oracle: str
    sat_solver: str
    acyclicity: str


def parse_oracles(text: str) -> list[Named]:
    """Oracles with commas between them; the first is what the others are compared with."""
    found: list[Named] = []
    for word in dict.fromkeys(piece.strip() for piece in text.split(",")):
        head, _, acyclicity = word.partition("/")
        oracle, _, sat_solver = head.partition(":")
        check_oracle(oracle, sat_solver, acyclicity)
        if sat_solver and oracle != "pysat":
            raise InputError(f"the oracle {oracle} has no SAT solver, as in '{word}'")
        found.append(Named(word, oracle, sat_solver, acyclicity))
    return found


class TimedOracle(Oracle):
    """Passes everything on and adds up the processor time."""

    def __init__(self, clock: Clock, inner: Oracle) -> None:
        self._clock = clock
        self._inner = inner

    def allows(self, execution: Execution, event: int, candidate: Candidate) -> bool:
        start = time.process_time()
        found = self._inner.allows(execution, event, candidate)
        self._clock.seconds += time.process_time() - start
        return found

    def commit(self, event: int, candidate: Candidate) -> None:
        start = time.process_time()
        self._inner.commit(event, candidate)
        self._clock.seconds += time.process_time() - start

    def recommit(self, execution: Execution, event: int, candidate: Candidate) -> None:
        self._inner.recommit(execution, event, candidate)

    def rollback(self) -> None:
        start = time.process_time()
        self._inner.rollback()
        self._clock.seconds += time.process_time() - start

    def reason(self) -> Reason:
        return self._inner.reason()

    def settled(self, execution: Execution) -> bool:
        start = time.process_time()
        found = self._inner.settled(execution)
        self._clock.seconds += time.process_time() - start
        return found

    def flags(self) -> tuple[str, ...]:
        start = time.process_time()
        found = self._inner.flags()
        self._clock.seconds += time.process_time() - start
        return found

    def hides_sources(self, step: Step) -> int:
        return self._inner.hides_sources(step)

    def hides_places(self, step: Step) -> int:
        return self._inner.hides_places(step)


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0


class TimedRsmc(Rsmc):
    """Times its oracle, the making of it included."""

    def __init__(self, named: Named, clock: Clock) -> None:
        super().__init__(named.oracle, sat_solver=named.sat_solver)
        self._acyclicity = named.acyclicity
        self._clock = clock

    def oracle_for(self, model: Model, execution: Execution) -> Oracle:
        start = time.process_time()
        made = make_oracle(self.oracle, model, execution, self.sat_solver, self._acyclicity)
        self._clock.seconds += time.process_time() - start
        return TimedOracle(self._clock, made)


@dataclass(frozen=True, slots=True)
class Cost:
    checks: int
    seconds: float  # in the oracle

    @property
    def microseconds(self) -> float:
        """For one check."""
        return 1e6 * self.seconds / max(1, self.checks)


def configure(parser: argparse.ArgumentParser, kernel_models: str) -> None:
    group = parser.add_argument_group("bench oracles, and --model of kernel")
    group.add_argument(
        "--model",
        metavar="MODELS",
        help=f"default {DEFAULT_MODELS}; of kernel {kernel_models}",
    )
    known = "; ".join(f"{name}: {', '.join(words)}" for name, words in ACYCLICITIES.items())
    group.add_argument(
        "--oracles",
        metavar="ORACLES",
        default=DEFAULT_ORACLES,
        help="ORACLE[:SAT-SOLVER][/ACYCLICITY], the first to compare with; default %(default)s. "
        f"Acyclicity: {known}",
    )
    group.add_argument(
        "--programs",
        metavar="PATH",
        action="append",
        help="a program or a folder of programs, also several times; default: the bundled ones",
    )


def measure(named: Named, model: Model, programs: list[Program]) -> tuple[Cost, list[list[Key]]]:
    """The cost of the oracle over all programs, and the traces of each. Python's collector leaves
    alone what there is before: hundreds of programs, which have nothing to do with it."""
    gc.collect()
    gc.freeze()
    clock = Clock()
    checks = 0
    traces: list[list[Key]] = []
    for program in programs:
        engine = TimedRsmc(named, clock)
        found = engine.explore(program, model, Limits())
        traces.append(sorted(t.key() for t in found if t.status is Status.COMPLETE))
        checks += engine.counters.checks
    gc.unfreeze()
    return Cost(checks, clock.seconds), traces


def programs_of(files: list[str], how: CompilerOptions) -> list[Program]:
    """Those that are named; else the bundled ones without those in C, which are large."""
    paths = program_paths(files or [str(bundled("litmus"))])
    if not files:
        paths = [path for path in paths if not is_compiled(path)]
    check_flags(paths, how)
    return [load_program(path, how) for path in paths]


def bench(
    oracle_names: str, model_names: str | None, files: list[str], how: CompilerOptions
) -> int:
    oracles = parse_oracles(oracle_names)
    models = [load_model(name.strip()) for name in (model_names or DEFAULT_MODELS).split(",")]
    programs = programs_of(files, how)
    width = max(len(named.text) for named in oracles)
    print(f"{'model':<8} {'oracle':<{width}} {'checks':>8} {'µs/check':>9} {'relative':>9}")
    totals: dict[str, list[Cost]] = {named.text: [] for named in oracles}
    for model in models:
        taken = [p for p in programs if refusal(RSMC.name, model, p) is None]
        if not taken:
            raise InputError(f"rsmc takes none of these programs under {model.name}")
        expected: list[list[Key]] = []
        for named in oracles:
            cost, traces = measure(named, model, taken)
            expected = expected or traces
            totals[named.text].append(cost)
            _show(model.name, named.text, width, cost, totals[oracles[0].text][-1])
            if traces != expected:
                print(f"{named.text} and {oracles[0].text} found different traces")
                return Verdict.DISAGREE.exit_code
    if len(models) > 1:
        _show_sums(totals, width)
    return 0


def _show_sums(totals: dict[str, list[Cost]], width: int) -> None:
    """What each oracle costs over all models, relative to the first."""
    sums = {
        text: Cost(sum(c.checks for c in costs), sum(c.seconds for c in costs))
        for text, costs in totals.items()
    }
    for text, cost in sums.items():
        _show("all", text, width, cost, next(iter(sums.values())))


def _show(model: str, oracle: str, width: int, cost: Cost, base: Cost) -> None:
    relative = cost.microseconds / base.microseconds
    print(
        f"{model:<8} {oracle:<{width}} {cost.checks:>8} {cost.microseconds:>9.1f} "
        f"{relative:>7.2f} ×",
        flush=True,
    )
