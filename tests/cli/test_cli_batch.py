"""Batches of `hybrid verify`: lists, processes, lost workers, time limits, Ctrl-C, journals, known
answers, herd's format."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from cli_helpers import Hybrid, mask, write
from golden_files import check_golden
from litmus_texts import LITMUS, write_litmus

from hybrid.api import inputs
from hybrid.batch import pool as batch_pool
from hybrid.batch.done import ANSWERED, Done
from hybrid.batch.expected import ExpectedTable
from hybrid.batch.summary import summary_text
from hybrid.engine.api import Stopped
from hybrid.frontend.load import load_program
from hybrid.program.program import Program
from hybrid.report.progress import Bar
from hybrid.report.row import Row
from hybrid.time_limit import time_limit
from hybrid.verdict import Verdict

pytestmark = pytest.mark.large

GOOD = ("LB", "MP", "SB", "SB+dmbs", "claim", "pointer", "race")
TABLE = """file,quantifier,observation,traces_satisfying,traces_not_satisfying,states
LB.litmus,Allowed,Sometimes,1,3,4
MP.litmus,Allowed,Sometimes,1,3,4
SB.litmus,Required,Sometimes,3,1,4
claim.litmus,Forbidden,Sometimes,1,1,2
"""


@pytest.fixture
def tests(hybrid: Hybrid) -> Path:
    """A folder with good tests."""
    folder = hybrid.folder / "tests"
    write_litmus(folder, *GOOD)
    return folder


def misbehave(monkeypatch: pytest.MonkeyPatch, name: str, how: object) -> None:
    """Loading the file `name` does `how` instead."""
    real = load_program

    def load(path: Path, *rest: object) -> Program:
        if path.stem == name:
            assert callable(how)
            how()
        return real(path)

    monkeypatch.setattr(inputs, "load_program", load)


# ---- formats


@pytest.mark.parametrize("style", ["herd", "table", "quiet", "json", "summary"])
def test_formats(style: str, hybrid: Hybrid, tests: Path) -> None:
    run = hybrid("verify", str(tests), "--format", style, "--engine", "enumerate")
    assert run.code == 1  # `claim` and `SB` are violated
    check_golden(f"cli/batch_{style}.txt", run.out)
    if style == "herd":
        check_golden("cli/batch_herd_errors.txt", run.err)


def test_herd_format_of_programs(hybrid: Hybrid) -> None:
    """Threads have numbers; without a condition everything satisfies it."""
    run = hybrid.on("verify", "sb mp_claim plain spin", "--model", "sc", "--format", "herd")
    assert run.code == 3
    check_golden("cli/batch_herd_programs.txt", run.out)


def test_herd_format_of_a_partial_result(hybrid: Hybrid) -> None:
    run = hybrid.on("verify", "sb", "--model", "sc", "--format", "herd", "--limit", "1")
    assert "\n??\n" in run.out
    assert "Observation sb Unknown 0 1\n" in run.out


def test_one_test_in_full_says_where_its_model_comes_from(hybrid: Hybrid) -> None:
    (path,) = write_litmus(hybrid.folder, "MP")
    run = hybrid("verify", path)
    assert hybrid("verify", path, "--engine", "auto").out == run.out
    assert "\nModel power (POWER), the model of PPC\n" in run.out
    assert "\nEngine rsmc, oracle graph\n" in run.out
    run = hybrid("verify", path, "--model", "power")
    assert "\nModel power (POWER)\n" in run.out
    assert json.loads(hybrid("verify", path, "--json").out)["model_of"] == "PPC"


def test_the_engine_is_chosen_by_model_and_program(hybrid: Hybrid) -> None:
    free = hybrid.folder / "free.cat"
    free.write_text('"anything goes"\nacyclic po-loc | rf | co | fr as coherence\n')
    few, many = write(hybrid.folder, "sb", "many")
    lines = "x = 0\nthread P: " + " ".join(f"x := {n};" for n in range(1, 6))
    lines += "\nthread Q: " + " ".join(f"r{n} := x;" for n in range(2)) + "\n"
    Path(many).write_text(lines)
    run = hybrid("verify", few, many, "--model", str(free), "--json")
    found = [json.loads(line) for line in run.out.splitlines()]
    assert [(o["engine"], o["oracle"]) for o in found] == [("enumerate", None), ("bmc", "sat")]
    assert "the program has about 4 candidate executions" in found[0]["messages"][-1]
    told = hybrid("verify", many, "--model", str(free), "--engine", "enumerate", "--json").out
    assert json.loads(told)["traces"] == found[1]["traces"] == 21


# ---- which files


def test_lists(hybrid: Hybrid, tests: Path) -> None:
    (hybrid.folder / "more").write_text("tests/SB.litmus\n")
    names = "# two tests\ntests/MP.litmus # the first\n\n@more\ntests/nosuch.litmus\n"
    (hybrid.folder / "list").write_text(names)
    run = hybrid("verify", f"@{hybrid.folder}/list", "--quiet")
    assert run.out == "MP power ALLOWED\nSB tso VIOLATED\nnosuch - ERROR\n"
    assert "cannot read tests/nosuch.litmus" in run.err


@pytest.mark.parametrize(
    ("text", "message"),
    [("# nothing\n", "names no program"), ("@list\n", "lists itself"), (None, "cannot read list")],
)
def test_bad_lists(text: str | None, message: str, hybrid: Hybrid) -> None:
    if text is not None:
        (hybrid.folder / "list").write_text(text)
    run = hybrid("verify", f"@{hybrid.folder}/list")
    assert (run.code, run.out) == (2, "")
    assert message in run.err


# ---- processes


@pytest.mark.parametrize("style", ["text", "herd", "json"])
def test_order_and_output_are_the_same_with_more_processes(
    style: str, hybrid: Hybrid, tests: Path
) -> None:
    write_litmus(tests, "strange", "broken")
    alone = hybrid("verify", str(tests), "--format", style)
    several = hybrid("verify", str(tests), "--format", style, "-j", "3")
    assert several == alone
    assert alone.code == 2


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "was ended by SIGKILL"),
        (lambda: os._exit(7), "ended with exit code 7"),
        (lambda: [][0], "IndexError: list index out of range"),
    ],
)
def test_a_lost_worker_costs_one_test(
    how: object, reason: str, hybrid: Hybrid, tests: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    misbehave(monkeypatch, "SB", how)
    run = hybrid("verify", str(tests), "--quiet", "-j", "2")
    assert run.code == 70
    rows = [line.split()[0] for line in run.out.splitlines()]
    assert rows == ["LB", "MP", "SB+dmbs", "SB", "claim", "pointer", "race"]
    assert "\nSB - INTERNAL ERROR\n" in run.out
    assert run.err.count("internal error") == 1
    assert reason in run.err


def test_a_bug_costs_one_test_without_processes_too(
    hybrid: Hybrid, tests: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    misbehave(monkeypatch, "SB", lambda: [][0])
    run = hybrid("verify", str(tests), "--table")
    assert run.code == 70
    assert "SB       -         -          INTERNAL ERROR" in run.out
    assert "1 with internal errors" in run.out
    assert "tests/SB.litmus: internal error (a bug in hybrid" in run.err


def stubborn() -> None:
    """Nothing but a signal that cannot be caught ends it."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            time.sleep(1)
        except Stopped:
            continue


def test_a_worker_that_does_not_stop_is_ended(
    hybrid: Hybrid, tests: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_pool, "MARGIN", 0.5)
    misbehave(monkeypatch, "MP", stubborn)
    start = time.monotonic()
    run = hybrid("verify", str(tests), "--quiet", "-j", "2", "--timeout", "1")
    assert time.monotonic() - start < 20
    assert "MP - INCONCLUSIVE" in run.out
    assert len(run.out.splitlines()) == len(GOOD)
    run = hybrid("verify", str(tests), "--table", "-j", "2", "--timeout", "1")
    assert "partial: time-out after 1 s; its process was ended" in run.out


# ---- time


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_time_limit_holds_before_the_exploration_too(
    jobs: str, hybrid: Hybrid, tests: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless() -> None:
        while True:
            pass

    misbehave(monkeypatch, "claim", endless)
    start = time.monotonic()
    run = hybrid("verify", str(tests), "--table", "--timeout", "1", "-j", jobs)
    assert time.monotonic() - start < 15
    assert "partial: time-out after 1 s\n" in run.out
    assert "claim    -         -          INCONCLUSIVE" in run.out
    alone = hybrid("verify", str(tests / "claim.litmus"), "--timeout", "0.2")
    assert alone.code == 3
    assert alone.out == (
        "Verdict claim INCONCLUSIVE\nPartial result: time-out after 0.2 s\n\nTest claim\n"
    )


def test_the_guard_leaves_nothing_behind() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(Stopped), time_limit(0.05):
        time.sleep(5)
    with time_limit(0.05):
        pass
    with pytest.raises(Stopped), time_limit(0.05):
        try:
            time.sleep(5)
        except Stopped as error:  # as lark does with whatever happens in its transformers
            raise ValueError("something failed") from error
    with pytest.raises(ValueError, match="unrelated"), time_limit(5):
        raise ValueError("unrelated")
    time.sleep(0.3)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


# ---- Ctrl-C


@pytest.mark.large
@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
def test_ctrl_c_with_processes_gives_what_there_is(tmp_path: Path) -> None:
    files = write(tmp_path, "plain", "many", "sb", "forall")
    command = [sys.executable, "-m", "hybrid", "verify", *files, "--model", "sc", "-j", "2"]
    command += ["--engine", "enumerate", "--table"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        while not child.stdout.readline().startswith("plain "):
            assert child.poll() is None
        time.sleep(2)  # `many` takes minutes; the other process has done the rest
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=20)
    lines = [line.split()[0] for line in out.splitlines()]
    assert lines == ["many", "sb", "forall", "4"]
    assert "partial: interrupted\n" in out
    assert "4 runs, 0 as expected" in out or "4 runs, 1 as expected" in out
    assert (child.returncode, err) == (3, "interrupted: 0 of 4 files were not run\n")


# ---- journals


def test_a_batch_goes_on_where_it_was_stopped(
    hybrid: Hybrid, tests: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = hybrid("verify", str(tests), "--format", "herd")
    journal = str(hybrid.folder / "j")
    options = ("--format", "herd", "--resume", journal)
    with monkeypatch.context() as patch:
        misbehave(patch, "claim", lambda: (_ for _ in ()).throw(KeyboardInterrupt))
        first = hybrid("verify", str(tests), *options)
    assert first.code == 1  # SB is violated, which outweighs what was not run
    said = "hybrid verify tests --format herd --resume j"
    saved = f"what was done is saved in j; to go on from there: {said}\n"
    assert f"interrupted: nothing was run after claim\n{saved}" in first.err
    assert len(Path(journal).read_text().splitlines()) == 1 + 4
    with monkeypatch.context() as patch:  # what is known is not run again
        misbehave(patch, "MP", lambda: pytest.fail("MP is run again"))
        again = hybrid("verify", str(tests), *options, "-j", "2")
    assert again.out == whole.out
    assert "4 of 7 files were done before, says j\n" in again.err
    assert len(Path(journal).read_text().splitlines()) == 1 + 7


def test_a_test_that_has_changed_is_run_again(hybrid: Hybrid, tests: Path) -> None:
    options = ("--quiet", "--resume", str(hybrid.folder / "j"))
    hybrid("verify", str(tests), *options)
    text = LITMUS["MP"].replace("1:r3=0", "1:r3=5")
    (tests / "MP.litmus").write_text(text)
    assert "MP power FORBIDDEN\n" in hybrid("verify", str(tests), *options).out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--unroll", "3"], "other settings: unroll is null there, 3 here"),
        (["--model", "sc"], 'other settings: models is null there, ["sc"] here'),
        (["--format", "herd"], 'other settings: format is "text" there, "herd" here'),
        (["--timeout", "9"], "other settings: timeout is null there, 9.0 here"),
    ],
)
def test_a_journal_of_other_settings_is_refused(
    options: list[str], message: str, hybrid: Hybrid, tests: Path
) -> None:
    journal = ("--resume", str(hybrid.folder / "j"))
    hybrid("verify", str(tests), *journal)
    run = hybrid("verify", str(tests), *journal, *options)
    assert (run.code, run.out) == (2, "")
    assert message in run.err


@pytest.mark.parametrize(
    "line", ["{}", '{"file": "x", "digest": "", "results": [{"row": {"verdict": "MAYBE"}}]}', "no"]
)
def test_a_damaged_journal_is_refused(line: str, hybrid: Hybrid, tests: Path) -> None:
    journal = hybrid.folder / "j"
    hybrid("verify", str(tests), "--resume", str(journal))
    journal.write_text(journal.read_text() + line + "\n")
    run = hybrid("verify", str(tests), "--resume", str(journal))
    assert run.code == 2
    assert "j:9:1: error: " in run.err


def test_a_journal_whose_answers_were_changed_is_refused(hybrid: Hybrid, tests: Path) -> None:
    journal = hybrid.folder / "j"
    hybrid("verify", str(tests), "--resume", str(journal))
    text = journal.read_text()
    assert '"VIOLATED"' in text
    journal.write_text(text.replace('"VIOLATED"', '"HOLDS"'))
    run = hybrid("verify", str(tests), "--resume", str(journal))
    assert (run.code, run.out) == (2, "")
    assert "error: this does not say what came of a file" in run.err


def test_a_journal_of_files_whose_names_are_not_utf8(hybrid: Hybrid) -> None:
    folder = hybrid.folder / "odd"
    folder.mkdir()
    try:
        with open(os.fsencode(folder) + b"/a\xff.prog", "w", encoding="utf-8") as stream:
            stream.write("x = 0\nthread P: x := 1;\nexists (x = 1)\n")
    except OSError:
        pytest.skip("a file system that has no such names")
    journal = hybrid.folder / "j"
    for _ in range(2):
        run = hybrid("verify", str(folder), "--quiet", "--resume", str(journal))
        assert (run.code, run.out) == (0, "a\\udcff power ALLOWED\n"), run.err
        assert len(journal.read_text().splitlines()) == 1 + 1  # the second run finds it there


# ---- known answers


def test_known_answers_that_agree(hybrid: Hybrid, tests: Path) -> None:
    (tests / "expected.csv").write_text(TABLE)
    for name in ("SB+dmbs", "pointer", "race"):
        (tests / f"{name}.litmus").unlink()
    run = hybrid("verify", str(tests), "--table", "--engine", "enumerate")
    assert (run.code, run.err) == (0, "")
    check_golden("cli/batch_agree.txt", run.out)
    assert hybrid("verify", str(tests / "claim.litmus")).code == 0


def test_everything_that_is_not_agreement_is_told(
    hybrid: Hybrid, tests: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_litmus(tests, "strange", "broken")
    rows = TABLE.replace("claim.litmus,Forbidden,Sometimes,1,1,2", "claim.litmus,,Never,,,3")
    rows += "race.litmus,,,,,\nstrange.litmus,Allowed,,,,\nbroken.litmus,Allowed,Never,0,1,1\n"
    (tests / "expected.csv").write_text(rows + "gone.litmus,Allowed,Always,1,0,1\n")
    misbehave(monkeypatch, "race", too_slow)  # a short limit would hit others on a busy machine
    run = hybrid("verify", str(tests), "--format", "summary", "--timeout", "60")
    assert run.code == 2
    check_golden("cli/batch_expected.txt", run.out)
    assert "strange.litmus:6:2: error: unsupported instruction `lfd`" in run.err


def too_slow() -> None:
    """As if the timer had come."""
    raise Stopped


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ("MP.litmus,Allowed,Sometimes,1,3,4", 0),
        ("MP.litmus,Allowed,Sometimes,1,3,5", 1),
        ("MP.litmus,Required,Sometimes,1,3,4", 1),
        ("MP.litmus,,,,,4\nGone.litmus,,,,,1", 3),
        ("MP.litmus,,,,,4\nstrange.litmus,Allowed,Never,0,1,1", 2),
        ("MP.litmus,,,,,7\nstrange.litmus,Allowed,Never,0,1,1", 2),
    ],
)
def test_the_exit_code_is_the_worst(rows: str, code: int, hybrid: Hybrid) -> None:
    folder = hybrid.folder / "t"
    write_litmus(folder, *(["MP", "strange"] if "strange" in rows else ["MP"]))
    (folder / "expected.csv").write_text(TABLE.split("\n")[0] + "\n" + rows + "\n")
    assert hybrid("verify", str(folder), "--quiet").code == code


def test_a_table_beside_the_tests_is_for_the_default_model(hybrid: Hybrid, tests: Path) -> None:
    (tests / "expected.csv").write_text(TABLE)
    run = hybrid("verify", str(tests), "--model", "sc", "--format", "summary")
    assert "expected.csv is not used" in run.out
    assert "0 as expected, 0 not as expected" in run.out
    asked = hybrid(
        "verify", str(tests), "--model", "sc", "--quiet", "--expected", str(tests / "expected.csv")
    )
    assert "disagrees: tests/MP.litmus: observation Never, expected Sometimes; " in asked.err
    assert asked.code == 1


def test_a_table_of_tests_that_were_not_reached(
    hybrid: Hybrid, tests: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is said of it where Ctrl-C came first."""
    (tests / "expected.csv").write_text(TABLE)
    late = hybrid.folder / "zlater"
    write_litmus(late, "MP")
    (late / "expected.csv").write_text(
        TABLE.split("\n")[0] + "\nMP.litmus,Allowed,Sometimes,1,3,4\n"
    )
    misbehave(monkeypatch, "claim", lambda: (_ for _ in ()).throw(KeyboardInterrupt))
    run = hybrid("verify", str(tests), str(late), "--format", "summary")
    assert "interrupted: nothing was run after claim" in run.err
    assert "tests/expected.csv: " in run.out
    assert "is not used" not in run.out and "zlater" not in run.out


def test_times_of_tests_with_and_without_a_table() -> None:
    """Those of each kind have their own; the batch's comes last, once."""
    table = ExpectedTable(Path("t.csv"), {}, asked=False, whole=False)
    row = Row("P", "sc", "rsmc", Verdict.HOLDS, Verdict.HOLDS, seconds=2.0)
    known = Done("a.litmus", ANSWERED, row, "", table="t.csv", listed=True)
    free = Done("b.prog", ANSWERED, row, "")

    def times(*results: Done) -> list[str]:
        lines = summary_text(list(results), (table,), [], 9.0).splitlines()
        return [re.sub(r",.*;", ":", line) for line in lines if line.endswith(" s")]

    assert times(known, free, free) == [
        "t.csv: 1 test: 2.00 s",
        "2 runs: 4.00 s",
        "3 runs in 9.00 s",
    ]
    assert times(known, known) == ["t.csv: 2 tests: 4.00 s", "2 tests in 9.00 s"]
    assert times(free, free) == ["2 runs: 9.00 s"]


def test_a_table_may_lie_elsewhere(hybrid: Hybrid, tests: Path) -> None:
    table = hybrid.folder / "known.csv"
    table.write_text("file,states\nMP.litmus,4\nnone.litmus,1\n")
    run = hybrid(
        "verify",
        str(tests / "MP.litmus"),
        str(tests / "LB.litmus"),
        "--expected",
        str(table),
        "--quiet",
    )
    assert run.out == "MP power ALLOWED (as expected)\nLB riscv ALLOWED\n"
    assert "2 tests, 1 agree, 0 disagree" in run.err
    assert "no row: tests/LB.litmus" in run.err
    assert "no file: none.litmus (line 3)" in run.err
    assert run.code == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("file\n", "expected.csv:1:1: error: the table needs a column `file` and one more"),
        ("file,color\n", "unknown column `color`"),
        ("file,states,states\n", "two columns `states`"),
        ("file,states\nMP.litmus\n", "expected.csv:2:1: error: 1 cells where the table has 2"),
        ("file,states\nMP.litmus,many\n", "`many` in column states is not a number"),
        ("file,observation\nMP.litmus,Perhaps\n", "unknown observation `Perhaps`"),
        ("file,states\nMP.litmus,1\n\nMP.litmus,2\n", "expected.csv:4:1: error: a second row"),
        ("file,states\n,1\n", "the row names no file"),
    ],
)
def test_bad_tables(text: str, message: str, hybrid: Hybrid, tests: Path) -> None:
    (tests / "expected.csv").write_text(text)
    run = hybrid("verify", str(tests))
    assert (run.code, run.out) == (2, "")
    assert message in run.err


# ---- progress


class Terminal:
    """A stream that is a terminal."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return True


def test_the_bar() -> None:
    screen = Terminal()
    bar = Bar(4, screen, wanted=True, by_itself=False)  # type: ignore[arg-type]
    bar.count([])
    bar.count(["disagree"])
    bar.now = "MP"
    assert bar.line(2.0) == "[##########..........] 2/4, 1.0/s, 2 s left, 1 disagree: MP"
    bar.draw()
    assert "2/4" in screen.text
    bar.end()
    assert screen.text.endswith("\r\x1b[K")
    quiet = Terminal()
    Bar(4, quiet, wanted=False, by_itself=True).draw()  # type: ignore[arg-type]
    assert quiet.text == ""


# ---- crosscheck


def test_crosscheck_with_processes(hybrid: Hybrid, tests: Path) -> None:
    options = (str(tests), "--engines", "enumerate,bmc:sat", "--table")
    alone = hybrid("crosscheck", *options)
    several = hybrid("crosscheck", *options, "-j", "2")
    assert several == alone
    assert alone.code == 0
    check_golden("crosscheck/litmus.txt", mask(alone.out))


def test_a_worker_that_ends_with_ctrl_c_is_no_bug() -> None:
    def end(item: int) -> str:
        os.kill(os.getppid(), signal.SIGINT)  # a terminal sends it to both
        os._exit(0)

    pool = batch_pool.Pool([1, 2, 3], end, lambda item, reason: reason, 1)
    assert list(pool.results()) == []
    assert pool.interrupted


def test_ctrl_c_in_a_new_worker_shows_no_traceback(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    serve = batch_pool._serve

    def interrupted(*arguments: Any) -> None:
        os.kill(os.getppid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        serve(*arguments)

    monkeypatch.setattr(batch_pool, "_serve", interrupted)
    pool = batch_pool.Pool([1, 2, 3], str, lambda item, reason: reason, 1)
    assert list(pool.results()) == []
    assert pool.interrupted
    assert capfd.readouterr().err == ""
