"""`hybrid crosscheck` and `hybrid fuzz`: output, exit codes, reproducers, journals."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from cli_helpers import Hybrid, Run, write
from golden_files import check_golden

from hybrid.cli import crosscheck as verb
from hybrid.data import bundled
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.rsmc.race_detector import RaceDetector
from hybrid.frontend.c import access
from hybrid.oracle.graph import GraphOracle

pytestmark = pytest.mark.large


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The test's folder is the working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def lenient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The graph oracle of rsmc forgets an axiom."""
    start = GraphOracle._start
    names = ("sc", "sc-per-location")

    def without_axiom(self: GraphOracle) -> None:
        self._checks = [c for c in self._checks if c.axiom.name not in names]
        self._onward_axioms = [a for a in self._onward_axioms if a.axiom.name not in names]
        start(self)

    monkeypatch.setattr(GraphOracle, "_start", without_axiom)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """rsmc does not see races."""
    monkeypatch.setattr(RaceDetector, "detect_under", lambda *_: None)


def shown(run: Run) -> str:
    """With times left out, and the number of programs tried, which may change with any pass."""
    text = re.sub(r"[\d.]+ s\b", "T s", f"{run.out}--- errors\n{run.err}--- exit {run.code}\n")
    return re.sub(r"\(\d+ steps?, \d+ programs? tried", "(N steps, N programs tried", text)


SOME = ("--engines", "enumerate,rsmc,rsmc+rf")


def test_equal(hybrid: Hybrid) -> None:
    run = hybrid.on("crosscheck", "sb forall", "--model", "sc,power", *SOME, "--complete")
    assert run.code == 0
    check_golden("crosscheck/equal.txt", shown(run))


@pytest.mark.large
def test_all_configurations_and_models_by_default(hybrid: Hybrid) -> None:
    run = hybrid.on("crosscheck", "sb", "--json")
    assert run.code == 0
    rows = [json.loads(line) for line in run.out.splitlines()]
    assert {row["model"] for row in rows} >= {"sc", "tso", "pso", "ra", "rc11", "power"}
    for row in rows:
        names = [c["name"] for c in row["configurations"]]
        names += [left["name"] for left in row["not_applicable"]]
        assert len(names) == len(set(names)) >= 9
        assert row["verdict"] == "EQUAL" and not row["differences"]


def test_a_table_for_several(hybrid: Hybrid) -> None:
    run = hybrid.on("crosscheck", "sb broken spin", "--table", "--model", "tso,power", *SOME)
    assert run.code == 2
    check_golden("crosscheck/table.txt", shown(run))


def test_the_bundle_without_files(
    hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write(tmp_path, "sb", "forall")
    monkeypatch.setattr(verb, "bundled", lambda _: tmp_path)
    run = hybrid("crosscheck", "--model", "sc", *SOME)
    assert run.code == 0
    assert "2 compared, 2 equal, 0 in disagreement" in run.out


@pytest.mark.large
def test_a_part_of_the_bundle_is_equal(hybrid: Hybrid) -> None:
    """All configurations and the formula; `hybrid crosscheck` runs the rest."""
    folder = bundled("litmus") / "classic"
    files = [str(folder / f"{name}.prog") for name in ("MP+sync+addr", "RMW+RMW", "LRSC+W")]
    run = hybrid("crosscheck", *files, "--complete", "--table")
    assert run.code == 0, run.out
    assert "0 in disagreement" in run.out


@pytest.mark.usefixtures("hasty")
@pytest.mark.interpreted
def test_a_missing_trace(hybrid: Hybrid, here: Path) -> None:
    text = "x = 0; y = 0\nthread P: r0 := x; r1 := y; y := r0 + 2;\nthread Q: y := 3; x := 1;\n"
    (here / "late.prog").write_text(text)
    run = hybrid("crosscheck", "late.prog", "--model", "power", *SOME)
    assert run.code == 4
    check_golden("crosscheck/missing.txt", shown(run))
    again = hybrid("crosscheck", "late-shrunk.prog", "--model", "power", *SOME, "--no-shrink")
    assert again.code == 4
    assert sorted(path.name for path in here.glob("*-shrunk*")) == ["late-shrunk.prog"]


@pytest.mark.usefixtures("lenient")
@pytest.mark.interpreted
def test_an_extra_trace(hybrid: Hybrid, here: Path) -> None:
    run = hybrid.on(
        "crosscheck", "sb", "--model", "sc", "--engines", "enumerate,rsmc", "-o", "small.prog"
    )
    assert run.code == 4
    check_golden("crosscheck/extra.txt", shown(run))
    assert (here / "small.prog").exists()


@pytest.mark.usefixtures("lenient", "here")
@pytest.mark.interpreted
def test_disagreement_as_json(hybrid: Hybrid) -> None:
    run = hybrid.on(
        "crosscheck", "sb mp_claim", "--model", "sc", "--engines", "enumerate,rsmc", "--json"
    )
    assert run.code == 4
    first, second = (json.loads(line) for line in run.out.splitlines())
    assert first["verdict"] == second["verdict"] == "DISAGREE"
    difference = first["differences"][0]
    assert difference["kind"] == "extra"
    assert difference["trace"]["in"] == ["rsmc"] and difference["trace"]["not_in"] == ["enumerate"]
    assert difference["trace"]["allowed"] is False
    assert first["shrunk"]["file"] == "sb-shrunk.prog" and first["shrunk"]["threads"] <= 2
    assert second["shrunk"] is None  # only the first is


@pytest.mark.usefixtures("lenient")
@pytest.mark.interpreted
def test_nothing_is_overwritten(hybrid: Hybrid, here: Path) -> None:
    (here / "old.prog").write_text("mine")
    options = ("--model", "sc", "--engines", "enumerate,rsmc")
    run = hybrid.on("crosscheck", "sb", *options, "-o", "old.prog")
    assert run.code == 2 and "it exists" in run.err
    assert (here / "old.prog").read_text() == "mine"
    (here / "sb-shrunk.prog").write_text("mine too")
    run = hybrid.on("crosscheck", "sb", *options)
    assert run.code == 4
    assert (here / "sb-shrunk.prog").read_text() == "mine too"
    assert "saved as sb-shrunk-2.prog" in run.out
    run = hybrid.on("crosscheck", "sb", *options, "--no-shrink")
    assert run.code == 4 and "saved" not in run.out


def test_unfinished(hybrid: Hybrid) -> None:
    run = hybrid.on(
        "crosscheck", "many", "--model", "sc", *SOME[:1], "enumerate,rsmc", "--timeout", "0.05"
    )
    assert run.code == 3
    assert "not finished: enumerate: time-out" in run.out


def test_alone(hybrid: Hybrid) -> None:
    run = hybrid.on("crosscheck", "sb", "--model", "sc", "--engines", "rsmc")
    assert run.code == 3
    assert "nothing to compare: rsmc alone takes it" in run.out


def test_configurations_left_out_for_one_reason_share_a_line(hybrid: Hybrid) -> None:
    engines = ("--engines", "enumerate,rsmc,trust,trust:pysat,trust+rf")
    run = hybrid.on("crosscheck", "sb", "--model", "power", *engines)
    line = "not applicable: trust, trust:pysat, trust+rf: trust needs"
    assert run.out.count("not applicable") == 1 and line in run.out
    run = hybrid.on("crosscheck", "sb forall", "--model", "power", "--table", *engines)
    line = "not applicable (2 times): trust, trust:pysat, trust+rf: trust needs"
    assert run.out.count("not applicable") == 1 and line in run.out
    run = hybrid("fuzz", "--model", "power", "--count", "1", *engines)
    line = "not applicable: trust, trust:pysat, trust+rf: trust needs"
    assert run.out.count("not applicable") == 1 and line in run.out


def test_ctrl_c(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Enumerate, "explore", interrupted)
    run = hybrid.on("crosscheck", "sb forall", "--model", "sc", *SOME)
    assert run.code == 3
    assert "interrupted at sb under sc: what follows was not run" in run.err


@pytest.mark.parametrize("form", ["--json", "--table", "--no-shrink"])
def test_a_batch_goes_on_where_it_stopped(hybrid: Hybrid, here: Path, form: str) -> None:
    """With the same output, and without running anything again."""
    write(here, "sb", "forall", "broken")
    batch = ("crosscheck", "sb.prog", "forall.prog", "broken.prog", "--model", "sc", *SOME, form)
    whole = hybrid(*batch)
    assert hybrid(*batch[:2], *batch[4:], "--resume", "journal").code == 0  # sb alone
    first = (here / "journal").read_text().splitlines()
    assert len(first) == 2  # the settings, and the file
    run = hybrid(*batch, "--resume", "journal")
    assert (run.code, run.err) == (whole.code, whole.err)
    told = [] if form == "--json" else ["1 of 3 files were done before, says journal"]
    assert _untimed(run.out) == [*_untimed(whole.out), *told]
    assert len((here / "journal").read_text().splitlines()) == 4
    (here / "journal").write_text("\n".join([first[0], first[1].replace("EQUAL", "equal"), ""]))
    run = hybrid(*batch, "--resume", "journal")
    assert run.code == 2 and "this does not say what came of a file" in run.err


def _untimed(text: str) -> list[str]:
    return re.sub(r'[\d.]+ s\b|"seconds": [\d.e-]+', "T", text).splitlines()


@pytest.mark.usefixtures("lenient")
@pytest.mark.interpreted
def test_a_disagreement_in_a_journal_is_told_and_shrunk_again(hybrid: Hybrid, here: Path) -> None:
    write(here, "sb")
    batch = ("crosscheck", "sb.prog", "--model", "sc", *SOME, "--resume", "journal")
    for _ in range(2):
        run = hybrid(*batch)
        assert run.code == 4 and "shrunk to" in run.out
    other = hybrid(*batch, "--seed", "1")
    assert other.code == 2 and "other settings" in other.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("--engines", "rmsc"),
        ("--model", "nosuch"),
        ("--model", "sc,"),
        ("nosuch.prog",),
        ("--timeout", "0"),
        ("--shrink-time", "never"),
    ],
)
def test_input_errors(hybrid: Hybrid, arguments: tuple[str, ...]) -> None:
    run = hybrid("crosscheck", *arguments)
    assert run.code == 2 and run.err and "Traceback" not in run.err


# ---- fuzz

FUZZ = ("fuzz", "--model", "sc", "--candidates", "300", "--seed", "4")


def test_fuzz_agrees(hybrid: Hybrid) -> None:
    run = hybrid(*FUZZ, "--count", "8", "--engines", "rsmc,enumerate")
    assert run.code == 0
    check_golden("crosscheck/fuzz.txt", shown(run))


def test_fuzz_resumes(hybrid: Hybrid, here: Path) -> None:
    whole = hybrid(*FUZZ, "--count", "9")
    hybrid(*FUZZ, "--count", "4", "--resume", "j.jsonl")
    assert len((here / "j.jsonl").read_text().splitlines()) == 5
    run = hybrid(*FUZZ, "--count", "9", "--resume", "j.jsonl", "-j", "2")
    assert run.code == 0
    assert "4 of them were done before, says j.jsonl" in run.out
    assert run.out.splitlines()[1].rsplit(",", 1)[0] == whole.out.splitlines()[1].rsplit(",", 1)[0]
    for other in (("--seed", "5"), ("--model", "tso"), ("--engines", "rsmc,enumerate,rsmc/last")):
        refused = hybrid(*FUZZ, "--resume", "j.jsonl", *other)
        assert refused.code == 2 and "other settings" in refused.err
    assert hybrid(*FUZZ, "--resume", "j.jsonl", "--only", "1").code == 2


@pytest.mark.usefixtures("lenient")
@pytest.mark.interpreted
def test_fuzz_finds_shrinks_and_saves(hybrid: Hybrid, here: Path) -> None:
    run = hybrid(*FUZZ, "--count", "12", "--resume", "j.jsonl")
    assert run.code == 4
    assert "DISAGREE on program" in run.out
    saved = list(here.glob("*-shrunk.prog"))
    assert len(saved) == 1
    again = hybrid(
        "crosscheck", str(saved[0]), "--model", "sc", "--engines", "enumerate,rsmc", "--no-shrink"
    )
    assert again.code == 4
    number = re.search(r"again: --only (\d+)", run.out)
    assert number is not None
    assert hybrid(*FUZZ, "--only", number[1], "--no-shrink").code == 4
    # What was found before is reported again.
    told = hybrid(*FUZZ, "--count", "12", "--resume", "j.jsonl", "--no-shrink")
    assert told.code == 4 and f"--only {number[1]}" in told.out


def test_fuzz_one_program(hybrid: Hybrid) -> None:
    run = hybrid(*FUZZ, "--only", "3")
    assert run.code == 0
    assert "random-4-3 under sc: EQUAL" in run.out


def test_fuzz_unfinished_and_nothing_to_compare(hybrid: Hybrid, here: Path) -> None:
    assert hybrid(*FUZZ, "--count", "3", "--timeout", "0.000001").code == 3
    run = hybrid(*FUZZ, "--engines", "rsmc")
    assert run.code == 2 and "nothing to compare" in run.err
    (here / "odd.cat").write_text('"odd"\nacyclic co as c\n')
    run = hybrid("fuzz", "--model", "odd.cat", "--engines", "enumerate,rsmc")
    assert run.code == 2 and "commit-before" in run.err


# ---- programs and their C

IN_C = ("fuzz", "--language", "c", "--model", "rc11", "--candidates", "300", "--seed", "4")


@pytest.mark.skipif(find_spec("ziglang") is None, reason="there is no C compiler here")
def test_fuzz_in_c(hybrid: Hybrid, here: Path) -> None:
    run = hybrid(*IN_C, "--count", "6", "--resume", "j.jsonl")
    assert run.code == 0
    assert run.out.startswith("rsmc, enumerate on programs and their C under rc11")
    assert "6 programs" in run.out and "0 disagreements" in run.out
    again = hybrid(*IN_C, "--count", "7", "--resume", "j.jsonl")
    assert again.code == 0 and "6 of them were done before" in again.out
    one = hybrid(*IN_C, "--only", "2", "--profile", "registers")
    assert one.code == 0
    assert "thread P:" in one.out and "int main(void) {" in one.out
    assert "the program and its C have the same" in one.out
    refused = hybrid(*IN_C, "--engines", "rsmc+rf")
    assert refused.code == 2 and "rsmc+rf has classes" in refused.err


@pytest.mark.skipif(find_spec("ziglang") is None, reason="there is no C compiler here")
@pytest.mark.interpreted
def test_fuzz_in_c_finds_shrinks_and_saves(
    hybrid: Hybrid, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "fence", lambda *_: None)
    run = hybrid(*IN_C, "--count", "4")
    assert run.code == 4
    assert "DISAGREE on program" in run.out and "its C:" in run.out
    assert "a run of .prog in question:" in run.out
    (saved,) = here.glob("*-shrunk.prog")
    assert "fence" in saved.read_text(encoding="utf-8")


def test_fuzz_in_c_without_a_compiler(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYBRID_CLANG", "no-such-clang")
    run = hybrid(*IN_C, "--count", "2")
    assert run.code == 2 and "no-such-clang" in run.err
