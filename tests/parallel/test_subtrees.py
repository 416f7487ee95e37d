"""Explorations in pieces: whatever the pieces, the totals are those of an exploration in one."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from support import make_engine, model, program

from hybrid.catalogue.spelling import parse_configuration
from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.engine.api import Counters, Limits
from hybrid.engine.rsmc.subtrees import RsmcSubtrees
from hybrid.engine.trust.subtrees import TrustSubtrees
from hybrid.errors import InputError
from hybrid.parallel.coordinator import Coordinator, ExplorationProgress, Lost
from hybrid.parallel.unit import Worker, subtrees
from hybrid.parallel.work import Job, Part, WorkUnit
from hybrid.program.program import Program
from hybrid.report.result import Result
from hybrid.report.summary import summarise
from hybrid.report.tally import Tally

pytestmark = pytest.mark.large

ENGINES = ("rsmc", "trust")
UNROLL = 2


class Here:
    """Workers in this process: each unit gets hardly any time, some are lost, and they come back in
    any order."""

    capacity = 3

    def __init__(self, job: Job, rng: random.Random) -> None:
        self.workers = [Worker(job) for _ in range(2)]
        self.rng = rng
        self.handed = 0
        self.units: dict[int, WorkUnit] = {}

    def submit(self, unit: WorkUnit) -> int:
        self.handed += 1
        self.units[self.handed] = unit
        return self.handed

    def wait(self, seconds: float) -> list[tuple[int, Part | Lost]]:
        number = self.rng.choice(sorted(self.units))
        unit = self.units.pop(number)
        part = self.rng.choice(self.workers)(
            WorkUnit(unit.tasks, self.rng.choice((0, 0.002)), unit.first)
        )
        return [(number, Lost("dropped") if self.rng.random() < 0.1 else part)]

    def close(self) -> None:
        pass


def job(text: Program, name: str, engine: str, equivalence: str = "trace") -> Job:
    configuration = parse_configuration(f"{engine}+{equivalence}")
    return Job(text, model(name), replace(configuration, unroll=UNROLL))


class WithOtherNumbers(Here):
    """One of the workers has touched all locations before, from the last to the first."""

    def __init__(self, job: Job, rng: random.Random) -> None:
        super().__init__(job, rng)
        pieces = self.workers[1].subtrees
        if isinstance(pieces, RsmcSubtrees):
            execution = pieces.exploration.execution
        else:
            assert isinstance(pieces, TrustSubtrees)
            execution = pieces.exploration.graph
        for place in reversed(job.program.locations):
            execution._locate(place.address)


def in_pieces(of: Job, seed: int, workers: type[Here] = Here) -> tuple[Result, ExplorationProgress]:
    result = of.new_result(Limits(UNROLL))
    tally = Tally(result, smallest=True)
    progress = ExplorationProgress([subtrees(of).root()])
    Coordinator(progress, tally, workers(of, random.Random(seed))).run()
    result.counters = progress.counters
    tally.finish()
    return result, progress


def ends(counters: Counters) -> tuple[int, ...]:
    return (
        counters.complete,
        counters.blocked,
        counters.cut,
        counters.errors,
        counters.stuck,
    )


@pytest.mark.parametrize("equivalence", ["trace", "rf"])
@pytest.mark.parametrize("name", ["sc", "rc11", "power"])
@pytest.mark.parametrize("engine", ENGINES)
def test_pieces_add_up(engine: str, name: str, equivalence: str) -> None:
    if name == "power" and engine != "rsmc":
        return
    lost = 0
    for number in range(12):
        text = random_program(5, number, Shape(candidates=200))
        whole = make_engine(f"{engine}+{equivalence}")
        expected = summarise(text, model(name), whole, Limits(UNROLL), equivalence=equivalence)
        result, progress = in_pieces(job(text, name, engine, equivalence), number)
        assert ends(result.counters) == ends(expected.counters), f"program {number}"
        assert result.outcomes == expected.outcomes
        assert result.flags == expected.flags
        assert (result.verdict, result.failing) == (expected.verdict, expected.failing)
        lost += progress.lost
    assert lost


# Loads that look-ahead leaves without a source; guesses that do not come true beside asserts, cuts
# and errors.
ODD_ENDS = {
    "forced": (
        "armv7",
        """x = 0 y = 0 thread P: x := 1; dmb.st; y := 1; thread R: r0 := x;
        thread Q: r0 := y; r1 := y; r2 := y; x := r2; x := 2;""",
    ),
    "guesses": (
        "power",
        """x = 0 y = 0 thread P: r0 := lr(y); r1 := sc(x, 0); y := r1 + 2; r2 := cas(x, 0, 0);
        thread Q: r0 := y; A: assert r0 = 0; L: if r0 = 2 goto L; r3 := [&x + r0 * 4096];""",
    ),
    "assert in a loop": (
        "power",
        "x = 0 thread P: L: r0 := x; A: assert r0 = 1; if r0 = 0 goto L; thread Q: x := 1;",
    ),
}


@pytest.mark.parametrize("equivalence", ["trace", "rf"])
@pytest.mark.parametrize("odd", ODD_ENDS)
def test_odd_ends_in_pieces(odd: str, equivalence: str) -> None:
    name, text = ODD_ENDS[odd]
    whole = make_engine(f"rsmc+{equivalence}")
    limits = Limits(UNROLL)
    expected = summarise(program(text), model(name), whole, limits, equivalence=equivalence)
    for seed in range(6):
        result, _ = in_pieces(job(program(text), name, "rsmc", equivalence), seed)
        assert ends(result.counters) == ends(expected.counters)
        assert result.outcomes == expected.outcomes
        assert (result.verdict, result.failing) == (expected.verdict, expected.failing)
    assert expected.counters.stuck == 0


@pytest.mark.parametrize("equivalence", ["trace", "rf"])
@pytest.mark.parametrize("name", ["sc", "rc11"])
@pytest.mark.parametrize("engine", ENGINES)
def test_pieces_of_workers_that_number_locations_differently(
    engine: str, name: str, equivalence: str
) -> None:
    """Cells get their numbers as they are touched: here these first, there those."""
    threads = " ".join(
        f"thread T{j}: i := faa(k, 1) @rlx; a[i] := {j} @rel; r := a[2 - i] @acq; s := a[i + 4];"
        for j in range(3)
    )
    text = program(f"k = 0 a[40] = 0 {threads} locations [a[1]]")
    whole = make_engine(f"{engine}+{equivalence}")
    expected = summarise(text, model(name), whole, Limits(UNROLL), equivalence=equivalence)
    assert expected.counters.complete > 15
    for seed in range(5):
        result, _ = in_pieces(job(text, name, engine, equivalence), seed, WithOtherNumbers)
        assert ends(result.counters) == ends(expected.counters)
        assert result.outcomes == expected.outcomes


def test_executions_left_out_by_the_filter_are_counted() -> None:
    text = program("""x = 0; y = 0
        thread P: A: x := 1; B: r := y;
        thread Q: C: y := 1; D: s := x;
        filter (P:r = 7)
        ~exists (Q:s = 0)""")
    expected = summarise(text, model("sc"), make_engine("trust"), Limits(UNROLL))
    result, _ = in_pieces(job(text, "sc", "trust"), 1)
    assert (result.filtered, result.messages) == (3, expected.messages)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_witness_does_not_depend_on_the_pieces(engine: str) -> None:
    text = program("""x = 0; y = 0
        thread P: A: x := 1; B: r := y;
        thread Q: C: y := 1; D: s := x;
        thread R: E: x := 2; F: y := 2;
        exists (P:r != 5)""")
    found = Counter(
        str(result.witness.key())
        for result, _ in (in_pieces(job(text, "sc", engine), seed) for seed in range(6))
        if result.witness is not None
    )
    assert len(found) == 1 and found.total() == 6


def test_an_engine_that_cannot_share_is_refused() -> None:
    text = program("x = 0; thread P: A: x := 1;")
    with pytest.raises(InputError, match="enumerate explores with one process only"):
        subtrees(job(text, "sc", "enumerate"))
