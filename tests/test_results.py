"""The tables in results/: what stands above each, and how they are made."""

from __future__ import annotations

import datetime
import platform
import re
import runpy
import stat
from pathlib import Path

RESULTS = Path(__file__).parent.parent / "results"
MAKE = runpy.run_path(str(RESULTS / "make.py"))
PROGRAMS = runpy.run_path(str(RESULTS / "c_programs.py"))
COUNTS = runpy.run_path(str(RESULTS / "c_counts.py"))
GODOT = runpy.run_path(str(RESULTS / "godot_tables.py"))
ESTIMATES = runpy.run_path(str(RESULTS / "estimates.py"))
OF_SCRIPTS = {"c-programs.txt", "c-counts.txt", "estimates.txt"}
OF_SCRIPTS |= {"kernel.txt", "table1.txt"}
OF_SCRIPTS |= {"certificates.txt", "certificates-corpus.txt"}
OF_SCRIPTS |= {"cluster-simulation.txt"}
OF_SCRIPTS |= {*(name for name, _ in GODOT["FILES"].values())}


def test_every_table_is_made() -> None:
    made = {name for name, _, _ in MAKE["TABLES"]} | OF_SCRIPTS
    assert made == {path.name for path in RESULTS.glob("*.txt")}


def test_engines_agree_on_c_programs() -> None:
    """In the table of results, which has nearly all of them."""
    _, table = (RESULTS / "c-programs.txt").read_text(encoding="utf-8").split("\n\n", 1)
    rows = [line.split() for line in table.splitlines()[1:]]
    programs, models_of = PROGRAMS["programs"](), PROGRAMS["models_of"]
    wanted = {("/".join(Path(p).parts[-2:]), model) for p in programs for model in models_of(p)}
    assert len({(row[0], row[1]) for row in rows} & wanted) > 0.9 * len(wanted)
    assert {row[-1] for row in rows} == {"yes"}


def test_estimates() -> None:
    """The table of results has the programs of its script, and its last lines follow from it."""
    text = (RESULTS / "estimates.txt").read_text(encoding="utf-8")
    _, table, last = text.split("\n\n")
    rows = [line.split() for line in table.splitlines()[1:]]
    known = ESTIMATES["KNOWN"]
    assert [(row[0], row[1], row[2]) for row in rows] == [
        (each.name, str(each.size), each.model) for each in known
    ]
    assert len(rows) >= 20
    good = inside = 0
    for row, each in zip(rows, known, strict=True):
        assert row[4] == f"{each.number:,}"
        if row[5:] == ["no", "estimate"]:
            continue
        estimate, low, _, high = (cell.replace(",", "") for cell in row[5:9])
        good += each.number / 3 <= int(estimate) <= each.number * 3
        inside += int(low) <= each.number <= int(high)
    assert last.splitlines() == [
        f"within a factor of 3: {good} of {len(rows)}",
        f"known number in the 90 % interval: {inside} of {len(rows)}",
    ]
    assert good >= 15


def test_what_an_estimate_is_compared_with() -> None:
    each = ESTIMATES["Known"]("exp-mem", 9, "sc", 1000)
    answer = {"engine": "rsmc", "seconds": 4.0, "estimate": None}
    assert ESTIMATES["row"](each, answer)[1:] == (False, False)
    for number, high, good, inside in ((400, 900, True, False), (300, 2000, False, True)):
        answer["estimate"] = {"executions": number, "low": 100, "high": high, "explored": 10}
        text, within, right = ESTIMATES["row"](each, answer)
        assert (within, right) == (good, inside)
        assert text.split()[4:6] == ["1,000", str(number)]


def test_what_stands_above_a_table() -> None:
    text = MAKE["head"](["hybrid", "bench", "rsmc"], True, datetime.date(2020, 1, 2))
    lines = text.splitlines()
    assert lines[0] == "$ hybrid bench rsmc"
    assert re.fullmatch(r"machine: .+, [0-9]+ cores, .+, Python 3\..+", lines[1])
    assert platform.python_version() in lines[1]
    assert lines[2:] == ["kernel: compiled", "date: 2020-01-02", ""]


def test_tables_are_written_with_their_heads(tmp_path: Path) -> None:
    """With a program in the place of hybrid that prints what it was asked for."""
    hybrid = tmp_path / "hybrid"
    hybrid.write_text('#!/bin/sh\necho "asked: $@"\n')
    hybrid.chmod(hybrid.stat().st_mode | stat.S_IXUSR)
    assert MAKE["main"](str(hybrid), str(hybrid), tmp_path) == 0
    for name, native, arguments in MAKE["TABLES"]:
        lines = (tmp_path / name).read_text().splitlines()
        assert lines[0] == f"$ hybrid {' '.join(arguments)}"
        assert lines[2] == f"kernel: {'compiled' if native else 'interpreted'}"
        assert lines[-1] == f"asked: {' '.join(arguments)}"


def test_a_table_by_itself(tmp_path: Path) -> None:
    assert MAKE["main"]("/bin/echo", "/bin/true", tmp_path, ["oracles-compiled.txt"]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["oracles-compiled.txt"]


def test_a_table_names_the_kernel_that_made_it(tmp_path: Path) -> None:
    hybrid = tmp_path / "hybrid"
    for word, native in (("compiled", True), ("interpreted", False)):
        hybrid.write_text(f'#!/bin/sh\necho "hybrid 1.0 ({word})"\n')
        hybrid.chmod(hybrid.stat().st_mode | stat.S_IXUSR)
        assert MAKE["is_compiled"](str(hybrid)) is native


def test_a_command_that_fails_writes_nothing(tmp_path: Path) -> None:
    assert MAKE["main"]("/bin/false", "/bin/false", tmp_path) == 1
    assert not list(tmp_path.iterdir())


# ---- C programs


def finding(name: str, traces: int, unfinished: str = "", cut: int = 0) -> dict[str, object]:
    found = {"name": name, "traces": traces, "unfinished": unfinished, "cut": cut}
    return {**found, "seconds": 1.26}


def test_a_row_of_the_c_programs() -> None:
    findings = [finding("rsmc", 1200, cut=2), finding("trust", 3, "time-out after 60 s")]
    answer = {"configurations": findings, "differences": []}
    row = PROGRAMS["row"]("litmus/programs/dpor/a-3.c", "sc", answer)
    cells = ["dpor/a-3.c", "sc", "1,200+", "1.3", "s", "late", "1.3", "s", "-", "-", "-", "alone"]
    assert row.split() == cells
    findings.append(finding("bmc:sat", 1200))
    assert PROGRAMS["agree"](answer) == "yes"
    assert PROGRAMS["agree"]({**answer, "differences": ["rsmc lacks a trace"]}) == "NO"


def test_expectations_are_written_in_their_place() -> None:
    text = "// A program.\n//@ unroll 2\n//@ expect sc: HOLDS, rc20: HOLDS 3 traces\nint x;\n"
    expectations = PROGRAMS["expectations_in"](text)
    assert expectations == {"sc": "HOLDS", "rc20": "HOLDS 3 traces"}
    many = dict.fromkeys(("sc", "rc20", "power", "tso", "rc11"), "BOUNDED 12345 traces")
    written = PROGRAMS["with_expectations"](text, many)
    assert PROGRAMS["expectations_in"](written) == many
    lines = written.splitlines()
    assert lines[:2] == text.splitlines()[:2] and lines[-1] == "int x;"
    assert all(len(line) <= 100 for line in lines) and len(lines) == 5


def test_what_was_found_stands_in_the_readme(tmp_path: Path) -> None:
    folder = tmp_path / "dpor"
    folder.mkdir()
    for name, said in (
        ("a-3.c", "sc: HOLDS 3 traces, rc20: HOLDS 3 traces"),
        ("a-10.c", "rc20: VIOLATED 1234 traces, sc: BOUNDED 3 traces, power: VIOLATED 1234 traces"),
        ("ab-3.c", "sc: HOLDS 7 traces, rc20: HOLDS 7 traces"),
    ):
        (folder / name).write_text(f"//@ expect {said}\n", encoding="utf-8")
    text = "## dpor/\n\n| program | found |\n| --- | --- |\n| a(n) | old |\n\n| a | b |\n"
    fresh = PROGRAMS["refreshed"](text, tmp_path)
    assert fresh.splitlines()[4] == "| a(n) | 3: 3; 10: sc 3+, rc20 power 1,234* |"
    others = [line for at, line in enumerate(fresh.splitlines()) if at != 4]
    assert others == [line for line in text.splitlines() if "old" not in line]


def test_counts_are_of_bundled_programs() -> None:
    for path, _, models, _ in COUNTS["COUNTS"]:
        assert (RESULTS.parent / "litmus" / "programs" / path).is_file()
        assert set(models) <= set(COUNTS["ENGINES"])


# ---- Awaiting for Godot


def test_rows_are_of_bundled_programs() -> None:
    for row in GODOT["ROWS"]:
        path = RESULTS.parent / GODOT["AWAITS"] / f"{row.file}.c"
        text = path.read_text(encoding="utf-8") + path.with_name(
            f"{row.file.rpartition('-')[0]}.h"
        ).read_text(encoding="utf-8")
        assert row.gives_up == ('"give-up.h"' in text), row.name
        assert all(flag.partition("=")[0][2:] in text for flag in row.flags), row.name


def table_of_godot() -> dict[str, list[str]]:
    """By program the last cell of its lines: the paper's, ours, and ours with GIVE_UP."""
    found: dict[str, list[str]] = {}
    name = ""
    lines = (RESULTS / "godot.txt").read_text(encoding="utf-8").split("\n\n")[1].splitlines()
    for line in lines[1:]:
        name = name if line.startswith(" ") else line.split()[0]
        last = line[sum(GODOT["WIDTHS"][:-1]) + len(GODOT["WIDTHS"]) - 1 :]
        found.setdefault(name, []).append(last.split()[0])
    return found


def test_the_paper_has_the_same_numbers() -> None:
    """Of complete and blocked executions with awaits and independent fetch-and-adds; where a
    program gives up what the paper's tool does, or nothing is said to be different."""
    table = table_of_godot()
    assert set(table) == {row.name for row in GODOT["ROWS"]}
    different = {name for name, lines in table.items() if lines[0] != lines[-1]}
    assert different == {"mcslock(3)", "ms-queue(3)"}
    notes = (RESULTS / "godot.txt").read_text(encoding="utf-8")
    assert all(f"- {name.partition('(')[0]}: " in notes for name in different)


def test_engines_agree_on_godot() -> None:
    text = (RESULTS / "godot-engines.txt").read_text(encoding="utf-8")
    rows = [line.split() for line in text.split("\n\n")[-1].splitlines()[1:]]
    assert {row[0] for row in rows} <= {row.name for row in GODOT["ROWS"]}
    assert {row[-1] for row in rows} <= {"yes", "alone", "none"}
    assert sum(row[-1] == "yes" for row in rows) > 0.5 * len(GODOT["ROWS"])


def test_the_bug_of_safestack_is_found_and_replayed() -> None:
    lines = (RESULTS / "safestack.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines if line.startswith(("odpor", "bmc"))]
    assert {"odpor", "bmc:sat"} <= {row[0] for row in rows}
    assert all("VIOLATED" in row and row[-1] == "confirmed" for row in rows)


def test_a_cell_of_godot() -> None:
    said = {"traces": 9, "blocked": 1, "deadlocks": 2, "livelocks": 3, "cut": 4, "partial": ""}
    answer = GODOT["Answer"](said, 1.26, "")
    assert GODOT["cell"](answer) == "9+10  1.3 s"
    assert GODOT["counted"](answer) == "9, 5 wait"
    late = GODOT["Answer"]({**said, "partial": "time-out after 60 s"}, 1.26, "")
    assert GODOT["cell"](late) == "late  1.3 s" and GODOT["counted"](late) == "late"
    found = [GODOT["agree"](each) for each in ([], ["9"], ["9", "9"], ["9", "8"])]
    assert found == ["none", "alone", "yes", "NO"]
