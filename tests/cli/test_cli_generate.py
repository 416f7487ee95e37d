"""`hybrid generate`: tests to standard output and to folders, families, lists, known answers,
errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from cli_helpers import Hybrid

from hybrid.batch import known_answers
from hybrid.crosscheck.compare import Comparison, compare
from hybrid.engine.api import Counters, Engine, Limits
from hybrid.engine.configuration import Configuration
from hybrid.engine.enumerate import Enumerate
from hybrid.execution.trace import Trace
from hybrid.model.core import Model
from hybrid.program.program import Program


def test_one_cycle(hybrid: Hybrid) -> None:
    run = hybrid("generate", "--arch", "PPC", "Rfe DpAddrdR Fre SyncdWW")
    assert run.code == 0
    assert run.out.startswith('PPC MP+sync+addr\n"SyncdWW Rfe DpAddrdR Fre"\n')
    assert run.out.endswith("exists\n(1:r1=1 /\\ 1:r4=0)\n")


def test_a_cycle_without_quotes(hybrid: Hybrid) -> None:
    quoted = hybrid("generate", "--arch", "x86", "PodWR Fre PodWR Fre")
    assert hybrid("generate", "--arch", "x86", "PodWR", "Fre", "PodWR", "Fre") == quoted


def test_what_is_written_can_be_verified(hybrid: Hybrid) -> None:
    folder = hybrid.folder / "new" / "folder"
    run = hybrid(
        "generate",
        "--arch",
        "X86",
        "MFencedWR Fre MFencedWR Fre",
        "PodWR Fre PodWR Fre",
        "-o",
        str(folder),
    )
    assert (run.code, run.out) == (0, "2 tests written to new/folder\n")
    assert sorted(path.name for path in folder.iterdir()) == ["SB+mfences.litmus", "SB.litmus"]
    run = hybrid("verify", str(folder), "--quiet")
    assert run.out == "SB tso ALLOWED\nSB+mfences tso FORBIDDEN\n" or run.out == (
        "SB+mfences tso FORBIDDEN\nSB tso ALLOWED\n"
    )


def test_families_are_listed(hybrid: Hybrid) -> None:
    arguments = (
        "generate",
        "--arch",
        "RISCV",
        "--edges",
        "Pod** Rfe Fre Wse",
        "--size",
        "4",
        "--list",
    )
    run = hybrid(*arguments)
    assert run.code == 0
    assert [line.split()[0] for line in run.out.splitlines()] == [
        "MP",
        "LB",
        "S",
        "SB",
        "R",
        "2+2W",
    ]
    two = hybrid(*arguments, "--limit", "2").out.splitlines()
    assert [line.split() for line in two] == [line.split() for line in run.out.splitlines()[:2]]
    sample = hybrid(*arguments, "--limit", "3", "--seed", "7").out.splitlines()
    assert len(sample) == 3
    assert sample == hybrid(*arguments, "--limit", "3", "--seed", "7").out.splitlines()
    assert not hybrid(*arguments, "--threads", "2..3").err


def test_known_answers(hybrid: Hybrid) -> None:
    folder = hybrid.folder / "answers"
    edges = "PodWR MFencedWR Fre"
    run = hybrid(
        "generate",
        "--arch",
        "X86",
        "--edges",
        edges,
        "--size",
        "4",
        "-o",
        str(folder),
        "--expected",
    )
    assert run.code == 0
    assert "3 of 3 tests answered alike by enumerate, rsmc, bmc:z3, bmc:sat in" in run.out
    assert (folder / "expected.csv").read_text(encoding="utf-8").splitlines() == [
        "file,quantifier,observation,traces_satisfying,traces_not_satisfying,states",
        "SB+mfence+po.litmus,Allowed,Sometimes,1,3,4",
        "SB+mfences.litmus,Allowed,Never,0,3,3",
        "SB.litmus,Allowed,Sometimes,1,3,4",
    ]
    assert hybrid("verify", str(folder), "--quiet").code == 0


def test_known_answers_by_processes(hybrid: Hybrid) -> None:
    folder = hybrid.folder / "answers"
    cycle = "PodWWRlxRel Rfe PodRRAcqRlx Fre"
    run = hybrid("generate", "--arch", "C", cycle, "-o", str(folder), "--expected", "-j", "2")
    assert run.code == 0
    row = "MP+porlxrel+poacqrlx.litmus,Allowed,Never,0,3,3"
    assert (folder / "expected.csv").read_text(encoding="utf-8").splitlines()[1:] == [row]


class Forgetful:
    """Brute force that loses its last trace."""

    name = "enumerate"

    def __init__(self) -> None:
        self.inner: Engine = Enumerate()

    @property
    def counters(self) -> Counters:
        return self.inner.counters

    def explore(self, program: Program, model: Model, limits: Limits) -> Iterator[Trace]:
        yield from list(self.inner.explore(program, model, limits))[:-1]


def test_no_row_where_engines_disagree(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    def with_a_forgetful_one(
        program: Program,
        model: Model,
        configurations: Sequence[Configuration],
        limits: Limits,
        **_: object,
    ) -> Comparison:
        second: Engine = Forgetful() if program.name == "SB" else Enumerate()
        engines = [("enumerate", Enumerate()), ("forgetful", second), ("third", Enumerate())]
        return compare(program, model, engines, limits)

    monkeypatch.setattr(known_answers, "crosscheck", with_a_forgetful_one)
    folder = hybrid.folder / "answers"
    cycles = ("PodWR Fre PodWR Fre", "PodWW Rfe PodRR Fre")
    run = hybrid("generate", "--arch", "X86", *cycles, "-o", str(folder), "--expected")
    assert run.code == 4
    assert "SB.litmus: " in run.err and "forgetful" in run.err
    rows = (folder / "expected.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert [row.split(",")[0] for row in rows] == ["MP.litmus"]
    assert "1 of 2 tests" in run.out


def test_no_row_where_time_is_over(hybrid: Hybrid) -> None:
    folder = hybrid.folder / "answers"
    cycle = "PodWW Wse PodWW Wse PodWW Wse PodWW Wse"
    run = hybrid(
        "generate", "--arch", "PPC", cycle, "-o", str(folder), "--expected", "--timeout", "0.000001"
    )
    assert run.code == 3
    assert "time-out" in run.err
    assert len((folder / "expected.csv").read_text(encoding="utf-8").splitlines()) == 1


ERRORS = [
    (["Rfe SyncdWW Fre PodWR"],
     "cycle:1:5: error: Rfe ends in a read and SyncdWW starts with a write"),
    ([], "error: no cycle is given"),
    (["PodWR Fre PodWR Fre", "--bundle"], "error: one thing at a time"),
    (["PodWR Fre PodWR Fre", "--size", "4"], "error: --size is for families"),
    (["--bundle", "--free"], "error: --free is for families"),
    (["--edges", "PodWR Fre", "--seed", "1"], "error: --seed needs --limit"),
    (["--edges", "PodWR Fre", "--size", "3"], "error: no cycle can be built from these edges"),
    (["--edges", "PodWR Frx"], "--edges:1:7: error: no edge is called `Frx`"),
    (["--edges", " "], "error: no edges to build cycles from"),
    (["--edges", "PodWR P"], "--edges:1:7: error: `P` is an annotation, no edge"),
    (["--edges", "PodWR Fre", "--expected"], "error: --expected needs a folder"),
    (["--edges", "PodWR Fre", "--timeout", "3"],
     "error: --timeout has no effect without --expected"),
    (["--edges", "PodWR Fre", "--size", "4..3"], "'4..3' is empty"),
    (["--edges", "PodWR Fre", "--size", "a"], "'a' is not a whole number"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), ERRORS, ids=[m for _, m in ERRORS])
def test_errors(hybrid: Hybrid, arguments: list[str], message: str) -> None:
    run = hybrid("generate", "--arch", "PPC", *arguments)
    assert run.code == 2
    assert message in run.err
    assert "Traceback" not in run.err


def test_unknown_architecture_and_unwritable_folder(hybrid: Hybrid) -> None:
    run = hybrid("generate", "--arch", "X87", "PodWR Fre PodWR Fre")
    assert run.code == 2 and "no architecture is called 'X87'" in run.err and "X86" in run.err
    place = hybrid.folder / "file"
    Path(place).write_text("", encoding="utf-8")
    run = hybrid("generate", "--arch", "X86", "PodWR Fre PodWR Fre", "-o", str(place))
    assert run.code == 2 and "cannot write" in run.err
