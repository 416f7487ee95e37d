"""`hybrid bench kernel`: its tables and files, and what it refuses."""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ElementTree

import pytest
from cli_helpers import Hybrid

from hybrid.cli import bench_kernel
from hybrid.cli.bench_case import KernelCase, KernelRow, measure
from hybrid.cli.bench_files import COLUMNS, csv_text, plot_text

CASE = KernelCase("lastzero", "plain", "sc", "trust")


def row(case: KernelCase, size: int, seconds: float, finished: bool = True) -> KernelRow:
    return KernelRow(case, size, 100, finished, 3, 450, 20, seconds, 40960)


@pytest.mark.large
def test_tables_and_files(hybrid: Hybrid) -> None:
    table, plot = hybrid.folder / "k.csv", hybrid.folder / "k.svg"
    files = ("--csv", str(table), "--plot", str(plot))
    asked = ("--generated", "casrot(3),casrot(2)", "--model", "sc,rc11,power")
    run = hybrid("bench", "kernel", *asked, *files)
    assert run.code == 0, run.err
    lines = run.out.splitlines()
    assert lines[1].startswith("yardstick: lastzero(12) under sc, ")
    rows = [line.split() for line in lines if line.startswith("casrot(")]
    plain = [words for words in rows if words[1] == "sc"]
    assert [(words[0], words[2], words[3]) for words in plain] == [
        ("casrot(2)", "trust", "2"),
        ("casrot(3)", "trust", "5"),
    ]
    assert {tuple(words[1:4]) for words in rows if words[1] in ("ordered", "relaxed")} == {
        ("ordered", "rc11", "trust"),
        ("relaxed", "rc11", "trust"),
    }
    assert {words[2] for words in rows if words[1] == "power"} == {"rsmc"}
    ratios = lines[-1].split()
    assert ratios[:3] == ["casrot", "trust", "(3)"] and len(ratios) == 6
    with table.open(encoding="utf-8", newline="") as text:
        found = list(csv.DictReader(text))
    assert [each["program"] for each in found] == ["lastzero"] + ["casrot"] * 8
    assert {each["finished"] for each in found} == {"yes"}
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")


def test_measure_counts_what_the_engine_counts() -> None:
    found = measure(CASE, 5, 1, 60.0)
    assert (found.executions, found.blocked, found.finished) == (64, 0, True)
    assert 0 < found.refused < found.checks
    assert found.seconds > 0 and found.kilobytes > 0


def test_an_exploration_that_reaches_the_limit_says_so() -> None:
    found = measure(KernelCase("exp-mem2", "plain", "sc", "trust"), 5, 3, 0.05)
    assert not found.finished and 0 < found.executions < 705600


def test_runs_that_wait_for_ever_are_counted() -> None:
    found = measure(KernelCase("mutex", "relaxed", "rc11", "trust"), 2, 1, 60.0)
    assert (found.executions, found.blocked) == (48, 4)


@pytest.mark.large
@pytest.mark.parametrize(
    ("program", "size", "model", "traces"), [("lastzero", 4, "sc", 28), ("ttaslock", 2, "rc20", 4)]
)
def test_programs_in_c(program: str, size: int, model: str, traces: int) -> None:
    pytest.importorskip("ziglang")
    assert measure(KernelCase(program, "c", model, "trust"), size, 1, 60.0).executions == traces


def test_files_that_cannot_be_written_are_told_before_the_work(hybrid: Hybrid) -> None:
    asked = ("bench", "kernel", "--generated", "casrot(2)", "--model", "sc")
    for files, told in (
        (("--csv", "nowhere/k.csv"), "there is no folder nowhere"),
        (("--plot", str(hybrid.folder)), "it is a folder"),
        (("--csv", "k", "--plot", "k"), "--plot k would overwrite what --csv writes"),
    ):
        run = hybrid(*asked, *files)
        assert run.code == 2 and told in run.err
        assert "yardstick" not in run.out


def test_csv() -> None:
    text = csv_text([row(CASE, 5, 0.001), row(CASE, 8, 0.25, finished=False)])
    assert text.splitlines() == [
        ",".join(COLUMNS),
        "lastzero,plain,sc,trust,5,100,yes,3,450,20,0.001000,10.000,40960",
        "lastzero,plain,sc,trust,8,100,no,3,450,20,0.250000,2500.000,40960",
    ]


def test_plot_has_a_panel_for_each_program_and_a_line_for_each_model() -> None:
    other = KernelCase("a<b", "ordered", "rc11", "rsmc")
    rows = [row(CASE, 5, 0.001), row(CASE, 8, 0.25), row(other, 2, 0.01)]
    root = ElementTree.fromstring(plot_text(rows))
    space = "{http://www.w3.org/2000/svg}"
    texts = [each.text for each in root.iter(f"{space}text")]
    for wanted in ("lastzero", "a<b", "sc, trust", "rc11 ordered, rsmc", "5", "8", "10 µs"):
        assert wanted in texts
    lines = [each for each in root.iter(f"{space}path") if each.get("class") == "line"]
    assert len(lines) == 4  # two in the key
    assert len(list(root.iter(f"{space}circle"))) == 3
    cheap, dear = (float(each.get("cy", "")) for each in list(root.iter(f"{space}circle"))[:2])
    assert cheap > dear  # costs grow upwards


def test_a_plot_of_nothing_is_a_plot() -> None:
    assert ElementTree.fromstring(plot_text([])).tag.endswith("svg")


def test_ratios_are_of_the_largest_size_that_both_have() -> None:
    rc11 = KernelCase("lastzero", "ordered", "rc11", "trust")
    power = KernelCase("lastzero", "plain", "power", "rsmc")
    rows = [row(CASE, 5, 0.1), row(CASE, 8, 0.2, finished=False), row(rc11, 5, 0.2)]
    rows += [row(rc11, 8, 0.3), row(power, 8, 0.4)]
    _, head, line = bench_kernel._ratios(rows)
    assert head.split() == ["program", "engine", "rc11", "ordered"]
    assert line.split() == ["lastzero", "trust", "(8)", "1.50+"]
    assert not list(bench_kernel._ratios([row(power, 8, 0.4)]))


def test_a_number_that_is_not_the_stated_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_kernel._compared([row(CASE, 999, 0.1), row(CASE, 5, 0.1, finished=False)]) == 0
    assert bench_kernel._compared([row(CASE, 5, 0.1)]) == 4
    assert "lastzero(5) under sc: 100 executions, and 64 are stated" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--generated", "odd(3)"), "'odd(3)' is not a program of bench kernel"),
        (("--generated", "lastzero(0)"), "expected a number from 1 to 1000"),
        (("--generated", "casrot(2)", "--language", "c"), "is not a program of bench kernel"),
        (("--model", "power", "--language", "c"), "no program in C for power"),
        (("--model", "odd"), "odd"),
        (("--largest", "3"), "--largest is for bench rsmc, not for kernel"),
    ],
)
def test_mistakes(hybrid: Hybrid, options: tuple[str, ...], message: str) -> None:
    run = hybrid("bench", "kernel", *options)
    assert run.code == 2
    assert message in run.err


def test_engines_are_those_that_take_the_model() -> None:
    def chosen(engines: str | None) -> list[tuple[str, str]]:
        asked = bench_kernel.Asked("readers(2)", "sc,power", engines, "prog", 1, 1.0, None, None)
        return [(each.case.model, each.case.engine) for each in bench_kernel.series(asked)]

    assert chosen(None) == [("sc", "trust"), ("power", "rsmc")]
    assert chosen("rsmc,trust+rf") == [("sc", "rsmc"), ("sc", "trust+rf"), ("power", "rsmc")]
