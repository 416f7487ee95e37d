"""The engines on interleavings from the command line: `verify --engine odpor`, `bench odpor`."""

from __future__ import annotations

import json

import pytest
from cli_helpers import Hybrid

ADDS = """x = 0 thread P: faa(x, 1); thread Q: faa(x, 2); thread R: r := x; s := x;
exists (x = 3)"""
WAITS = "x = 0 thread P: await(x = 2); thread Q: x := 1;"


@pytest.mark.parametrize(
    ("options", "engine", "traces"),
    [
        (("--engine", "odpor"), "odpor", 12),
        (("--engine", "odpor", "--policy", "last"), "odpor", 12),
        (("--engine", "odpor-source", "--policy", "random", "--seed", "3"), "odpor-source", 12),
        (("--engine", "odpor", "--equivalence", "faa"), "odpor", 9),
        (("--engine", "odpor-source", "--equivalence", "faa"), "odpor-source", 9),
    ],
)
def test_verify(hybrid: Hybrid, options: tuple[str, ...], engine: str, traces: int) -> None:
    path = hybrid.folder / "adds.prog"
    path.write_text(ADDS)
    run = hybrid("verify", str(path), "--model", "sc", "--json", *options)
    assert run.code == 0
    found = json.loads(run.out.splitlines()[0])
    assert (found["engine"], found["traces"], found["verdict"]) == (engine, traces, "ALLOWED")
    assert found["oracle"] in ("", None)
    assert found["wakeup_nodes"] > 3
    text = hybrid("verify", str(path), "--model", "sc", *options).out
    assert f"{'Classes' if 'faa' in options else 'Traces'} {traces}" in text


def test_liveness(hybrid: Hybrid) -> None:
    path = hybrid.folder / "waits.prog"
    path.write_text(WAITS)
    run = hybrid("verify", str(path), "--model", "tso", "--engine", "odpor", "--liveness")
    assert run.code == 1
    assert "livelocks 1" in run.out


def test_errors(hybrid: Hybrid) -> None:
    path = hybrid.folder / "adds.prog"
    path.write_text(ADDS)
    run = hybrid("verify", str(path), "--engine", "odpor", "--model", "power")
    assert run.code == 2
    assert "no machine is known whose runs are the executions that power allows" in run.err
    assert "engines that take it: enumerate, rsmc, bmc" in run.err
    run = hybrid("verify", str(path), "--engine", "trust", "--equivalence", "faa")
    assert run.code == 2
    assert "engines that do: odpor, odpor-source" in run.err
    run = hybrid("verify", str(path), "--engine", "odpor", "--model", "sc", "-j", "2")
    assert "-j has no effect" in run.out + run.err


@pytest.mark.large
def test_bench(hybrid: Hybrid) -> None:
    generated = ("--generated", "lastzero(4),fib-bench(1)/tso")
    run = hybrid("bench", "odpor", "--engines", "trust,odpor", *generated)
    assert run.code == 0
    _, head, *rows = run.out.splitlines()
    assert head.split()[:5] == ["program", "engine", "traces", "asleep", "nodes"]
    assert [row.split()[:3] for row in rows] == [
        ["lastzero(4)", "trust", "28"],
        ["lastzero(4)", "odpor", "28"],
        ["fib-bench(1)/tso", "trust", "11"],
        ["fib-bench(1)/tso", "odpor", "11"],
    ]
    assert int(rows[0].split()[4]) == 0 < int(rows[1].split()[4])
