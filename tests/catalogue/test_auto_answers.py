"""Whatever `--engine auto` takes answers as every engine does that is named and takes the program:
the bundled programs of all folders under all bundled models, with everything counted, with verdicts
alone (`--quiet`), with the first answer (`--first`) and by two processes (`-j 2`).

About one program and model in 200; `make auto` takes all of them, HYBRID_AUTO=N one in N.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from hybrid.batch.explore import Explorer, Exploring
from hybrid.catalogue.choice import AUTO
from hybrid.catalogue.engines import ENTRIES
from hybrid.cli.main import main
from hybrid.data import bundled
from hybrid.engine.api import RF, TRACE
from hybrid.engine.configuration import Configuration
from hybrid.errors import Unsupported
from hybrid.frontend.load import load_program
from hybrid.model.load import load_model
from hybrid.parallel.sharing import Sharing
from hybrid.program.program import Program
from hybrid.report.result import TIME_OUT, Result

ASKED = os.environ.get("HYBRID_AUTO", "211")  # a prime: every folder and model has its share
EVERY = 1 if ASKED == "all" else int(ASKED)
PARTS = 8
SECONDS = 2.0  # for an exploration
SHARED = 20  # one program in so many is explored by two processes as well
LITMUS = bundled("litmus")
MODELS = sorted(path.stem for path in bundled("encodings").glob("*.cat") if path.stem != "stdlib")
FORCED = tuple(
    Configuration(entry.name, oracle="sat" if entry.name == "bmc" else "") for entry in ENTRIES
)
WAYS = {
    "trace": Exploring(Configuration(AUTO), SECONDS),
    "quiet": Exploring(Configuration(AUTO), SECONDS, counted=False),
    "first": Exploring(Configuration(AUTO), SECONDS, first=True),
    "first, quiet": Exploring(Configuration(AUTO), SECONDS, first=True, counted=False),
}
CLASSES = ("rsmc-fig11-4.prog", "rsmc-fig11-4-syncs.prog")  # where auto may take them, …
UNSTATED = ("armv7", "rc20")  # … as the file does not say how many traces there are
Case = tuple[Path, str]

model = cache(load_model)


def cases() -> list[Case]:
    kinds = ("*.litmus", "*.prog", "*.c", "*.cpp")
    paths = sorted(path for kind in kinds for path in LITMUS.rglob(kind))
    found = [(path, name) for path in paths for name in MODELS][::EVERY]
    classes = [(LITMUS / "papers" / file, name) for file in CLASSES for name in UNSTATED]
    return list(dict.fromkeys([*classes, *found]))


def explored(asked: Exploring, program: Program, name: str, jobs: int = 1) -> Result | None:
    """None: not within the time."""
    explorer = Explorer(asked, sharing=Sharing(jobs))
    result = explorer.explore(program, model(name), time.monotonic() + SECONDS)
    return None if result.partial.startswith(TIME_OUT) else result


def forced(program: Program, name: str, first: bool) -> Iterator[Result]:
    """What the engines say that take the program, each by its name."""
    for configuration in FORCED:
        try:
            found = explored(Exploring(configuration, SECONDS, first=first), program, name)
        except Unsupported:
            continue
        if found is not None and not found.counters.stuck:
            yield found


def answer(result: Result) -> dict[str, object]:
    """What every way of asking has to say."""
    return {"answer": result.answer, "verdict": result.verdict, "expected": result.as_expected}


def states(result: Result) -> dict[str, object]:
    """What an exploration to the end has to say besides, numbers of traces aside."""
    return answer(result) | {
        "observation": result.observation,
        "states": set(result.outcomes),
        "satisfying": result.marked,
        "flags": result.raised,
        "waiting": result.waiting is not None,
        # Not how often: a run that fails and waits, and what comes of it if it goes on, need not
        # both be listed (hybrid/crosscheck/endings.py).
        "failing": bool(result.failing),
    }


def counts(result: Result) -> dict[str, object]:
    counters = result.counters
    return states(result) | {
        "traces": result.outcomes,
        "numbers": (result.traces, result.satisfying, result.flags),
        "waiting runs": (counters.deadlocks, counters.livelocks),
    }


def faults(path: Path, name: str, shared: bool) -> tuple[list[str], int, set[str]]:
    """Where an answer of auto is not that of an engine by name; how many answers were compared; and
    by which engines and equivalences auto answered."""
    program = load_program(path)
    others = {first: list(forced(program, name, first)) for first in (False, True)}
    found, compared, ways = [], 0, set()
    asked = {(way, 1): exploring for way, exploring in WAYS.items()}
    if shared:
        asked |= {("trace", 2): WAYS["trace"]}
    for (way, jobs), exploring in asked.items():
        auto = explored(exploring, program, name, jobs)
        if auto is None:
            continue
        ways.add(f"{auto.engine} {auto.equivalence}")
        facts = answer if exploring.first else counts if auto.equivalence != RF else states
        for other in others[exploring.first]:
            compared += 1
            mine, theirs = facts(auto), facts(other)
            found += [
                f"{path} {name}, {way}, {jobs}: {what} {mine[what]} by {auto.engine} "
                f"({auto.equivalence}), {theirs[what]} by {other.engine}"
                for what in mine
                if mine[what] != theirs[what]
            ]
    return found, compared, ways


def test_the_sample_has_everything() -> None:
    chosen = cases()
    assert {name for _, name in chosen} == set(MODELS)
    folders = {path.relative_to(LITMUS).parts[0] for path, _ in chosen}
    assert folders == {path.name for path in LITMUS.iterdir() if path.is_dir()}


@pytest.mark.large
@pytest.mark.parametrize("part", range(PARTS))
def test_auto_answers_as_each_engine(part: int) -> None:
    found: list[str] = []
    compared = 0
    for place, (path, name) in enumerate(cases()[part::PARTS]):
        wrong, pairs, _ = faults(path, name, place % SHARED == 0)
        found += wrong
        compared += pairs
    assert found == []
    assert compared > 10


# Stores to x have 35 times as many orders as there are ways to read.
ORDERS = """
    x = 0; y = 0
    thread P: x := 1; x := 2; x := 3; x := 4; y := 1;
    thread Q: x := 5; x := 6; x := 7; x := 8; r := y;
"""
CONDITIONS = ("exists (Q:r = 1)", "exists (Q:r = 2)", "~exists (Q:r = 1)", "forall (Q:r < 2)")


@pytest.mark.large
def test_auto_takes_classes_and_answers_the_same(tmp_path: Path) -> None:
    """Where verdicts alone are wanted."""
    own = [tmp_path / f"{number}.prog" for number in range(len(CONDITIONS))]
    for path, condition in zip(own, CONDITIONS, strict=True):
        path.write_text(f"{ORDERS} {condition}")
    written = [(path, name) for path in own for name in ("sc", "power")]
    for path, name in [*written, *cases()[: len(CLASSES) * len(UNSTATED)]]:
        found, _, ways = faults(path, name, shared=False)
        assert found == []
        assert {way.split()[1] for way in ways} == {TRACE, RF}, path


@pytest.mark.large
def test_the_command_line_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """The lines of `--quiet`, whoever explores, and by how many processes."""
    files = [str(path) for path, _ in cases() if path.suffix != ".c"][::3]

    def lines(*options: str) -> list[str]:
        main(["verify", *dict.fromkeys(files), "--model", "rc11,power", "--quiet", *options])
        return capsys.readouterr().out.splitlines()

    told = lines()
    assert len(told) == 2 * len(set(files))
    assert lines("-j", "2") == told
    assert lines("--engine", "rsmc", "--equivalence", TRACE) == told
    without_numbers = [line.replace(" (as expected)", "") for line in told]  # of the tables
    first = [line.replace(" (as expected)", "") for line in lines("--first", "-j", "2")]
    assert first == without_numbers
