"""Mistakes that are easily made: each ends in a message and exit code 2, nothing is overwritten,
nothing stale is shown."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cli_helpers import PROGRAMS, Hybrid, write
from litmus_texts import write_litmus


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ("--engine trus", "did you mean `trust`? known: enumerate, rsmc, trust, "),
        ("--engine nope", "odpor-source, bmc, auto"),
        ("--engine trust", "engines that take it: enumerate, rsmc, bmc"),
        ("--engine trust --memory heap", "no memory is called 'heap'"),
        ("--engine rsmc --memory linear", "--memory is for --engine trust, not for rsmc"),
        ("--engine trust-linear --memory stack", "--memory stack and --engine trust-linear do not"),
        ("--engine bmc --equivalence rf", "engines that do: rsmc, trust, trust-linear"),
        ("--engine revisit --equivalence rf", "revisit does not count by the equivalence rf"),
        ("--equivalence fr", "no equivalence is called 'fr'"),
        ("--oracle sat", "the oracle sat is for bmc, not for rsmc"),
        ("--oracle pysat --engine bmc", "the oracle pysat is for rsmc and the engines on graphs"),
        ("--oracle sta", "no oracle is called 'sta'"),
        ("--policy lats --engine bmc", "no policy is called 'lats'"),
        ("--sat-solver fast", "no SAT solver is called 'fast'"),
        ("--timeout 1e300", "'1e300' is not a number of seconds above 0 and up to 1e+09"),
        ("-j many", "'many' is neither a whole number nor auto"),
        ("--html=", "cannot write to a file without a name"),
        ("-j 100000", "100000 processes are more than 1000"),
    ],
)
def test_options(hybrid: Hybrid, options: str, complaint: str) -> None:
    run = hybrid.on("verify", "sb", *options.split())
    assert run.code == 2
    assert complaint in run.err
    assert "Verdict" not in run.out


def test_a_wrong_name_is_told_once(hybrid: Hybrid) -> None:
    files = write(hybrid.folder, "sb", "forall", "plain")
    run = hybrid("verify", *files, "--engine", "nope", "--table")
    assert (run.code, run.out, run.err.count("nope")) == (2, "", 1)


def test_trust_linear_says_that_processes_have_no_effect(hybrid: Hybrid) -> None:
    options = ("--engine", "trust-linear", "--model", "sc")
    run = hybrid.on("verify", "sb", *options, "-j", "2")
    assert run.code == 0
    assert "-j has no effect: trust-linear explores one program with one process" in run.out
    run = hybrid.on("verify", "sb", *options, "--checkpoint", str(hybrid.folder / "point"))
    assert run.code == 2 and "--checkpoint does not go with trust-linear" in run.err


def test_what_is_not_there(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(hybrid.folder)
    write(hybrid.folder, "sb")
    for name in ("nothing", "nothing/", "nothing.txt", "nothing.prog"):
        run = hybrid("verify", name)
        assert run.code == 2
        assert f"cannot read {name.rstrip('/')}: No such file or directory" in run.err
    run = hybrid("verify", "")  # an empty variable of the shell, not this folder
    assert run.code == 2 and "the name of a file is empty" in run.err
    run = hybrid("trace", str(hybrid.folder))
    assert run.code == 2 and "Is a directory" in run.err


@pytest.mark.parametrize("verb", ["verify", "explain"])
def test_an_input_is_not_overwritten(hybrid: Hybrid, verb: str) -> None:
    (path,) = write(hybrid.folder, "sb")
    beside = os.path.join(hybrid.folder, "..", hybrid.folder.name, "sb.prog")
    for target in (path, beside):
        run = hybrid(verb, path, "-o", target)
        assert run.code == 2 and "would overwrite an input" in run.err
        assert Path(path).read_text() == PROGRAMS["sb"]


def test_two_outputs_in_one_file(hybrid: Hybrid) -> None:
    target = str(hybrid.folder / "one.json")
    run = hybrid.on("verify", "sb", "--witness", target, "-o", target)
    assert run.code == 2 and "would overwrite what --output writes" in run.err
    assert not Path(target).exists()


def test_a_witness_is_not_lost_to_a_journal(hybrid: Hybrid) -> None:
    files = [str(hybrid.folder / name) for name in ("journal", "sb.json")]
    run = hybrid.on("verify", "sb", "--resume", files[0], "--witness", files[1])
    assert run.code == 2 and "--witness and --resume do not go together" in run.err


def test_a_journal_knows_the_known_answers(hybrid: Hybrid) -> None:
    folder = hybrid.folder / "tests"
    files = write_litmus(folder, "MP", "SB+dmbs")
    table = folder / "expected.csv"
    batch = ("verify", *files, "--table", "--resume", str(hybrid.folder / "journal"))
    assert hybrid(*batch).code == 0
    table.write_text("file,observation\nMP.litmus,Sometimes\n")
    run = hybrid(*batch)
    assert run.code == 0 and "1 agree" in run.out and "were done before" not in run.out
    table.write_text("file,observation\nMP.litmus,Never\n")
    run = hybrid(*batch)
    assert run.code == 1 and "1 disagree" in run.out and "1 of 2 files were done before" in run.out


def test_a_journal_knows_what_its_model_includes(hybrid: Hybrid) -> None:
    files = write(hybrid.folder, "sb", "plain")
    (hybrid.folder / "mine.cat").write_text('"mine"\ninclude "axiom.cat"\n')
    axiom = hybrid.folder / "axiom.cat"
    axiom.write_text("acyclic po | rf | co | fr\n")
    model = str(hybrid.folder / "mine.cat")
    batch = ("verify", *files, "--quiet", "--model", model, "--resume", str(hybrid.folder / "j"))
    assert "sb mine FORBIDDEN" in hybrid(*batch).out
    axiom.write_text("acyclic po-loc | rf | co | fr\n")
    run = hybrid(*batch)
    assert run.code == 2 and "model_texts" in run.err


def test_a_journal_knows_the_memory(hybrid: Hybrid) -> None:
    files = write(hybrid.folder, "sb", "plain")
    batch = ("verify", *files, "--quiet", "--model", "sc", "--engine", "trust")
    journal = ("--resume", str(hybrid.folder / "j"))
    assert hybrid(*batch, *journal).code == 0
    run = hybrid(*batch, "--memory", "linear", *journal)
    assert run.code == 2 and "memory is null there" in run.err


def test_a_checkpoint_of_another_policy_or_with_a_change_is_refused(hybrid: Hybrid) -> None:
    point = hybrid.folder / "point"
    checked = ("verify", *write(hybrid.folder, "sb"), "--checkpoint", str(point))
    assert hybrid(*checked).code == 0
    run = hybrid(*checked, "--policy", "last")
    assert run.code == 2 and "policy is first there and last here" in run.err
    run = hybrid(*checked, "--races", "ignore")
    assert run.code == 2 and "races is note there and ignore here" in run.err
    assert hybrid(*checked, "--races", "note").code == 0
    point.write_text(point.read_text().replace('"tasks":[]', '"tasks":[[1]]'))
    run = hybrid(*checked)
    assert run.code == 2 and "it is damaged" in run.err


def test_an_option_of_another_bench_is_refused(hybrid: Hybrid) -> None:
    run = hybrid("bench", "rsmc", "--size", "3")
    assert run.code == 2 and "--size is for bench parallel, not for rsmc" in run.err
    run = hybrid("bench", "oracles", "--repeat", "3")
    assert run.code == 2
    assert "--repeat is for bench rsmc, kernel, trust and odpor, not for oracles" in run.err
    run = hybrid("bench", "trust", "--generated", "lastzero(99999999)")
    assert run.code == 2 and "expected a number from 1 to 1000" in run.err


def test_nothing_to_compare(hybrid: Hybrid) -> None:
    run = hybrid("fuzz", "--model", "power", "--engines", "trust,revisit")
    assert run.code == 2
    assert "nothing to compare under power: no configuration takes it" in run.err
    run = hybrid.on("crosscheck", "sb", "--table", "--json")
    assert run.code == 2 and "not allowed with" in run.err


def test_an_answer_by_the_formula_has_no_numbers_to_compare(hybrid: Hybrid) -> None:
    folder = hybrid.folder / "tests"
    (path,) = write_litmus(folder, "MP")
    table = folder / "expected.csv"
    table.write_text(
        "file,observation,traces_satisfying,traces_not_satisfying,states\n"
        "MP.litmus,Sometimes,1,3,4\n"
    )
    for options, told in (
        ((), ""),
        (("--engine", "bmc"), ""),
        (("--engine", "bmc", "--first"), ""),
        (("--equivalence", "rf"), "  by reads-from classes"),
    ):
        run = hybrid("verify", path, "--quiet", *options)
        assert (run.code, run.out) == (0, f"MP power ALLOWED (as expected){told}\n")
    table.write_text("file,observation,states\nMP.litmus,Never,4\n")
    run = hybrid("verify", path, "--quiet", "--engine", "bmc", "--first")
    assert run.code == 1


@pytest.mark.parametrize("style", ["text", "table", "quiet", "json", "herd", "summary"])
def test_a_difference_from_the_known_answer_is_told(hybrid: Hybrid, style: str) -> None:
    folder = hybrid.folder / "tests"
    (path,) = write_litmus(folder, "MP")
    (folder / "expected.csv").write_text("file,states\nMP.litmus,5\n")
    run = hybrid("verify", path, "--format", style)
    assert run.code == 1
    assert "states 4, expected 5" in run.out + run.err


def test_where_nothing_can_be_written_no_work_is_done(
    hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = str(hybrid.folder / "nowhere" / "small.prog")
    for run in (
        hybrid.on("crosscheck", "sb", "--model", "sc", "-o", nowhere),
        hybrid("fuzz", "--count", "1", "-o", nowhere),
    ):
        assert (run.code, run.out) == (2, "")
        assert "there is no folder" in run.err
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    run = hybrid.on("verify", "sb", "--witness", str(hybrid.folder / "sb.json"))
    assert (run.code, run.out) == (2, "")
    assert "sb.json: Permission denied" in run.err


def test_an_outcome_is_shown_as_it_was_asked(hybrid: Hybrid) -> None:
    files = write_litmus(hybrid.folder, "MP")
    run = hybrid("explain", *files, "--outcome", "1:r1=1 /\\ P1:r3=7")
    assert "MP under power: 1:r1=1 /\\ P1:r3=7" in run.out
