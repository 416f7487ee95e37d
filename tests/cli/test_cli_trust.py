"""TruSt from the command line: `verify --engine trust`, its memory and equivalence,
`bench trust`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_helpers import Hybrid

from hybrid.catalogue.spelling import parse_configuration
from hybrid.cli.bench_trust import TrustCase, measure_apart, parse_cases
from hybrid.compiled import manner
from hybrid.errors import InputError

RWW = "x = 0 thread P: r := x; thread Q: x := 1; thread R: x := 2; exists (P:r = 2)"


@pytest.mark.parametrize(
    ("options", "engine", "traces"),
    [
        ((), "trust", 6),
        (("--memory", "stack"), "trust", 6),
        (("--memory", "linear"), "trust-linear", 6),
        (("--equivalence", "rf"), "trust", 3),
        (("--equivalence", "rf", "--memory", "linear"), "trust-linear", 3),
        (("--policy", "last", "--oracle", "pysat"), "trust", 6),
    ],
)
def test_verify(hybrid: Hybrid, options: tuple[str, ...], engine: str, traces: int) -> None:
    path = hybrid.folder / "rww.prog"
    path.write_text(RWW)
    run = hybrid("verify", str(path), "--model", "sc", "--engine", "trust", "--json", *options)
    assert run.code == 0
    found = json.loads(run.out.splitlines()[0])
    assert (found["engine"], found["traces"], found["verdict"]) == (engine, traces, "ALLOWED")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--engine", "rsmc", "--memory", "linear"), "--memory is for --engine trust"),
        (("--engine", "trust", "--memory", "much"), "no memory is called 'much'"),
        (("--engine", "trust", "--model", "power"), "po | rf is acyclic"),
    ],
)
def test_errors(hybrid: Hybrid, options: tuple[str, ...], message: str) -> None:
    path = hybrid.folder / "rww.prog"
    path.write_text(RWW)
    run = hybrid("verify", str(path), *options)
    assert run.code == 2
    assert message in run.out + run.err


@pytest.mark.large
def test_bench(hybrid: Hybrid) -> None:
    generated = ("--generated", "exp-mem(2),fib-ordered(2)/rc11")
    run = hybrid("bench", "trust", "--engines", "trust,trust-linear+rf", *generated)
    assert run.code == 0
    kernel, head, *rows = run.out.splitlines()
    assert kernel.startswith(f"kernel {manner()}, Python 3.")
    assert head.split()[:3] == ["program", "engine", "traces"]
    assert [row.split()[:3] for row in rows] == [
        ["exp-mem(2)", "trust", "4"],
        ["exp-mem(2)", "trust-linear+rf", "4"],
        ["fib-ordered(2)/rc11", "trust", "20"],
        ["fib-ordered(2)/rc11", "trust-linear+rf", "20"],
    ]


@pytest.mark.parametrize("text", ["lastzero", "lastzero(x)", "odd(3)", ""])
def test_programs_that_are_none(text: str) -> None:
    with pytest.raises(InputError, match="is not a generated program"):
        parse_cases(text)


@pytest.mark.large
@pytest.mark.parametrize("name", ["trust", "trust-linear"])
def test_memory_does_not_grow_with_the_number_of_executions(name: str) -> None:
    """240 executions and 1,440."""
    few, many = (
        measure_apart(parse_configuration(name), TrustCase("exp-mem", n), 1) for n in (5, 6)
    )
    assert (few.traces, many.traces) == (240, 1440)
    assert many.kilobytes <= 1.05 * few.kilobytes


@pytest.mark.large
def test_the_process_measured_runs_this_hybrid(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Another one in the working directory is not taken for it."""
    (tmp_path / "hybrid").mkdir()
    (tmp_path / "hybrid" / "__init__.py").write_text("raise SystemExit('another hybrid')")
    monkeypatch.chdir(tmp_path)
    assert measure_apart(parse_configuration("trust"), TrustCase("exp-mem", 2), 1).traces == 4
