"""`hybrid verify`: outputs (golden), exit codes, JSON, batches, limits, partial results."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_helpers import Hybrid, Interrupting, mask, write
from golden_files import check_golden

from hybrid.batch import explore
from hybrid.batch.pool import Pool
from hybrid.cli import verify
from hybrid.engine.api import Engine

pytestmark = pytest.mark.sample(4)

DESIGN_FIELDS = [
    "program",
    "model",
    "engine",
    "oracle",
    "equivalence",
    "verdict",
    "observation",
    "traces",
    "satisfying",
    "blocked",
    "cut",
    "stuck",
    "seconds",
    "outcomes",
    "partial",
    "expected",
    "messages",
    "witness",
]


@pytest.mark.parametrize(
    ("program", "options", "code"),
    [
        ("sb", "--model sc", 0),
        ("sb", "--model power", 0),
        ("sb", "--model sc --first", 0),
        ("sb", "--model power --first", 0),
        ("sb", "--model sc --limit 2", 3),
        ("sb_wrong", "--model sc", 1),
        ("mp_claim", "--model power", 0),
        ("mp_claim", "--model sc", 0),
        ("forall", "--model sc", 0),
        ("assert_fails", "--model sc", 1),
        ("bad_address", "--model sc", 1),
        ("spin", "--model sc --unroll 2", 3),
        ("spin_expected", "--model sc", 0),
        ("plain", "--model sc", 0),
        ("many", "--model sc --timeout 0.2", 3),
    ],
)
def test_output_and_exit_code(program: str, options: str, code: int, hybrid: Hybrid) -> None:
    run = hybrid.on("verify", program, "--engine", "enumerate", *options.split())
    assert (run.code, run.err) == (code, "")
    if program == "many":  # how far it comes depends on the machine
        assert "Partial result: time-out after 0.2 s\n" in run.out
        assert "Verdict many INCONCLUSIVE\n" in run.out
        assert "\n??\n" in run.out
        assert "Observation many Unknown 0 " in run.out
        return
    name = "_".join([program, *options.replace("--", "").split()])
    check_golden(f"cli/verify_{name}.txt", run.out)


@pytest.mark.parametrize(
    ("options", "answer", "traces", "loops", "as_expected"),
    [
        ("", "FORBIDDEN", 1, "await", True),
        ("--loops assume", "FORBIDDEN", 1, "assume", True),
        ("--loops keep", "BOUNDED", 6, "keep", None),
        ("--loops keep --unroll 2", "BOUNDED", 3, "keep", None),
    ],
)
def test_loops_that_only_wait(
    options: str, answer: str, traces: int, loops: str, as_expected: bool | None, hybrid: Hybrid
) -> None:
    """They become awaits if nobody says otherwise; numbers in files are for that."""
    found = json.loads(hybrid.on("verify", "wait", "--model", "sc", "--json", *options.split()).out)
    assert [found[each] for each in ("answer", "traces", "loops")] == [answer, traces, loops]
    assert found["as_expected"] is as_expected


def test_a_wrong_number_of_a_program_whose_loops_wait(hybrid: Hybrid) -> None:
    (name,) = write(hybrid.folder, "wait")
    text = Path(name).read_text(encoding="utf-8")
    Path(name).write_text(text.replace("1 trace", "2 traces"), encoding="utf-8")
    run = hybrid("verify", name, "--model", "sc")
    assert run.code == 1
    assert "the file expects 2 traces, there are 1" in run.out
    assert hybrid("verify", name, "--model", "sc", "--loops", "keep").code == 3


def test_a_table_of_several(hybrid: Hybrid) -> None:
    programs = "sb mp_claim broken forall spin_expected"
    run = hybrid.on("verify", programs, "--model", "sc,power", "--table", "--engine", "enumerate")
    assert run.code == 2
    check_golden("cli/verify_table.txt", run.out)
    check_golden("cli/verify_table_errors.txt", run.err)


def test_several_in_full(hybrid: Hybrid) -> None:
    run = hybrid.on("verify", "sb forall", "--model", "sc", "--engine", "enumerate")
    assert run.code == 0
    check_golden("cli/verify_several.txt", run.out)


def test_quiet(hybrid: Hybrid) -> None:
    run = hybrid.on("verify", "sb mp_claim broken", "--model", "power", "--quiet")
    assert run.out == (
        "sb power ALLOWED (as expected)\nmp_claim power VIOLATED (as expected)\nbroken - ERROR\n"
    )
    assert run.code == 2


@pytest.mark.parametrize(
    ("programs", "code"),
    [
        ("sb forall", 0),
        ("sb spin", 3),
        ("spin sb_wrong", 1),
        ("sb_wrong broken spin", 2),
    ],
)
def test_a_batch_exits_with_its_worst(programs: str, code: int, hybrid: Hybrid) -> None:
    assert hybrid.on("verify", programs, "--model", "sc", "--table").code == code


def test_json(hybrid: Hybrid) -> None:
    run = hybrid.on("verify", "sb broken mp_claim bad_address", "--model", "power", "--json")
    objects = [json.loads(line) for line in run.out.splitlines()]
    assert [o["verdict"] for o in objects] == ["ALLOWED", "ERROR", "VIOLATED", "VIOLATED"]
    sb, broken, claim, bad = objects
    for found in (sb, claim, bad):
        assert [field for field in DESIGN_FIELDS if field not in found] == []
    assert (sb["traces"], sb["satisfying"], sb["observation"]) == (4, 1, "Sometimes")
    assert sb["outcomes"][0] == {
        "state": {"P:r0": 0, "Q:r1": 0},
        "traces": 1,
        "satisfies": True,
    }
    assert sb["expected"] == {"verdict": "ALLOWED", "traces": 4}
    assert sb["as_expected"] is True
    assert sb["condition"] == "exists (P:r0=0 /\\ Q:r1=0)"
    assert sb["witness"]["run"].count("[") == 4
    assert broken["place"] == "broken.prog:2:20"
    assert broken["error"].startswith("unexpected `;`")
    assert bad["witness"]["status"] == "error"
    assert (claim["as_expected"], claim["answer"]) == (True, "VIOLATED")
    assert run.code == 2


@pytest.mark.parametrize(
    ("programs", "options", "expect", "code"),
    [
        ("sb", "--model sc", "FORBIDDEN", 0),
        ("sb", "--model sc", "ALLOWED", 1),  # another answer, though the file expects it
        ("sb", "--model power", "allowed", 0),
        ("sb", "--model sc,power", "ALLOWED", 1),
        ("sb_wrong", "--model sc", "FORBIDDEN", 0),  # it takes the place of the file's expectation
        ("sb_wrong", "--model sc", "VIOLATED", 1),
        ("mp_claim", "--model power", "VIOLATED", 0),
        ("mp_claim", "--model power", "HOLDS", 1),
        ("forall plain", "--model sc", "HOLDS", 0),
        ("forall sb", "--model sc", "HOLDS", 1),  # every program of a batch
        ("spin", "--model sc", "BOUNDED", 0),
        ("spin", "--model sc", "FORBIDDEN", 1),  # an open answer is another one, too
        ("spin", "--model sc", "INCONCLUSIVE", 1),
        ("sb", "--model sc --limit 1", "INCONCLUSIVE", 0),
        ("many", "--model sc --timeout 0.2", "INCONCLUSIVE", 0),
        ("many", "--model sc --timeout 0.2", "FORBIDDEN", 1),
        ("sb broken", "--model sc", "FORBIDDEN", 2),  # the input is at fault all the same
    ],
)
@pytest.mark.parametrize("style", ["text", "json", "table", "quiet", "herd", "summary"])
def test_expect(
    programs: str, options: str, expect: str, code: int, style: str, hybrid: Hybrid
) -> None:
    if style not in ("json", "herd") and "timeout" in options:
        return  # one of each kind is enough of what takes time
    run = hybrid.on("verify", programs, *options.split(), "--expect", expect, "--format", style)
    assert run.code == code
    assert (f"--expect {expect.upper()}" in run.out + run.err) is (code == 1)
    if style == "json" and code == 1:
        found = [json.loads(line) for line in run.out.splitlines()]
        wrong = [one for one in found if one["answer"] != expect.upper()]
        assert wrong
        assert [one for one in found if not one["as_expected"]] == wrong
        assert {one["expect"] for one in found} == {expect.upper()}
        for one in wrong:
            assert one["verdict"] in ("VIOLATED", "BOUNDED", "INCONCLUSIVE")


def test_expect_names_a_verdict(hybrid: Hybrid) -> None:
    run = hybrid.on("verify", "sb", "--expect", "FORBIDEN")
    assert (run.code, run.out) == (2, "")
    assert "no verdict is called 'FORBIDEN'" in run.err
    assert "did you mean `FORBIDDEN`?" in run.err
    for verdict in ("HOLDS", "ALLOWED", "FORBIDDEN", "VIOLATED", "BOUNDED", "INCONCLUSIVE"):
        assert verdict in run.err
    assert hybrid.on("verify", "sb", "--expect", "ERROR").code == 2


@pytest.mark.parametrize("annotation", ["", " @rlx"])
def test_expect_a_race(annotation: str, hybrid: Hybrid) -> None:
    path = hybrid.folder / "r.prog"
    path.write_text(
        f"x = 0; y = 0\nthread P: x := 1{annotation}; y := 1 @rel;\nthread Q: r := x{annotation};\n"
        "forall (x = 1)\n"
    )
    told = ("verify", str(path), "--model", "rc11", "--quiet", "--expect")
    raced = not annotation
    run = hybrid(*told, "RACE")
    assert run.code == (0 if raced else 1)
    assert raced or "answer HOLDS without a race, --expect RACE" in run.out
    assert hybrid(*told, "HOLDS").code == (1 if raced else 0)


def test_a_file_expects_something_of_a_cat_file(hybrid: Hybrid) -> None:
    own = hybrid.folder / "mine.cat"
    own.write_text('"mine"\nacyclic po | com', encoding="utf-8")
    path = hybrid.folder / "one.prog"
    for verdict, code in (("ALLOWED", 0), ("FORBIDDEN", 1)):
        text = f'x = 0 thread P: x := 1; exists (x = 1) expect "mine.cat": {verdict}'
        path.write_text(text, encoding="utf-8")
        assert hybrid("verify", str(path), "--model", str(own), "--quiet").code == code
    path.write_text(text.replace("mine.cat", "mine"), encoding="utf-8")
    found = hybrid("verify", str(path), "--model", str(own))
    assert found.code == 2
    assert "unknown model `mine`" in found.err
    assert 'a file is written "mine.cat"' in found.err


def test_expect_and_a_table_of_known_answers(hybrid: Hybrid) -> None:
    """Both are compared: the answer with --expect, the numbers with the table."""
    table = hybrid.folder / "table.csv"
    for observation, states in (("Sometimes", 4), ("Never", 4)):
        table.write_text(f"file,observation,states\nsb.prog,{observation},{states}\n")
        for expect in ("ALLOWED", "FORBIDDEN"):
            run = hybrid.on(
                *("verify", "sb", "--model", "power", "--expected", str(table)),
                *("--expect", expect, "--quiet"),
            )
            good = (observation, expect) == ("Sometimes", "ALLOWED")
            assert run.code == (0 if good else 1)
            assert ("--expect" in run.out) is (expect != "ALLOWED")
            assert ("observation Sometimes, expected Never" in run.out) is (observation == "Never")


def test_a_program_without_a_condition_has_no_observation(hybrid: Hybrid) -> None:
    """A .prog one: null. A litmus test without one is `forall (true)`, and has herd's
    observation."""
    found = json.loads(hybrid.on("verify", "plain", "--model", "sc", "--json").out)
    assert (found["condition"], found["observation"], found["satisfying"]) == (None, None, 0)
    path = hybrid.folder / "none.litmus"
    path.write_text("PPC none\n{ 0:r1=x; }\n P0 ;\n lwz r2,0(r1) ;\n", encoding="utf-8")
    found = json.loads(hybrid("verify", str(path), "--json").out)
    assert (found["condition"], found["observation"]) == ("forall (true)", "Always")
    assert (found["traces"], found["satisfying"], found["verdict"]) == (1, 1, "HOLDS")
    assert "Observation none Always 1 0\n" in hybrid("verify", str(path), "--format", "herd").out


def test_output_goes_to_the_file(hybrid: Hybrid) -> None:
    target = hybrid.folder / "out.txt"
    told = hybrid.on("verify", "sb", "--model", "sc", "--engine", "enumerate")
    run = hybrid.on("verify", "sb", "--model", "sc", "--engine", "enumerate", "-o", str(target))
    assert (run.code, run.out, run.err) == (0, "", "")
    assert mask(target.read_text(encoding="utf-8")) == told.out
    assert hybrid.on("verify", "sb", "-o", str(hybrid.folder / "no" / "such")).code == 2


def test_a_folder_stands_for_its_programs(hybrid: Hybrid) -> None:
    below = hybrid.folder / "b" / "deep"
    below.mkdir(parents=True)
    write(below, "forall")
    write(hybrid.folder / "b", "plain")
    (hybrid.folder / "b" / "notes.txt").write_text("no program")
    run = hybrid("verify", str(hybrid.folder / "b"), "--model", "sc", "--quiet")
    assert run.out == "forall sc HOLDS\nplain sc HOLDS\n"
    empty = hybrid.folder / "empty"
    empty.mkdir()
    assert "no programs in the folder" in hybrid("verify", str(empty)).err


@pytest.mark.large
def test_without_files_the_bundle_runs_under_the_models_it_speaks_of(
    hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(hybrid.folder, "sb", "mp_claim", "plain")
    monkeypatch.setattr(verify, "bundled", lambda room: hybrid.folder)
    run = hybrid("verify", "--engine", "enumerate", "--table")
    assert run.code == 0
    check_golden("cli/verify_bundle.txt", run.out)
    assert hybrid("verify", "--quiet", "--model", "tso").out.count(" tso ") == 3


def test_without_files_there_is_one_line_per_folder(
    hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, names in (("first", ("sb", "mp_claim")), ("second", ("sb", "sb_wrong"))):
        (hybrid.folder / folder).mkdir()
        write(hybrid.folder / folder, *names)
    monkeypatch.setattr(verify, "bundled", lambda room: hybrid.folder)
    run = hybrid("verify", "--engine", "enumerate")
    assert run.code == 1
    head, first, second, wrong, total = run.out.splitlines()
    assert head.split() == ["Group", "Models", "Tests", "As", "expected", "Seconds"]
    assert first.split()[:-1] == ["first", "power,", "sc", "3", "3"]
    assert second.split()[:-1] == ["second", "sc,", "power", "3", "2"]
    assert wrong == "  not as expected: second/sb_wrong.prog under sc: VIOLATED"
    assert total == "6 tests, 5 as expected, in T s"
    assert run.err == ""


@pytest.mark.large
def test_the_bundle_runs_on_all_cores_unless_told_otherwise(
    hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []
    start = Pool._start

    def counted(pool: Pool[object, object]) -> None:
        begun.append(1)
        start(pool)

    monkeypatch.setattr(verify, "bundled", lambda room: hybrid.folder)
    monkeypatch.setattr(verify, "cores", lambda: 3)
    monkeypatch.setattr(Pool, "_start", counted)
    write(hybrid.folder, "sb", "mp_claim", "plain")
    for options, processes in (((), 3), (("-j", "2"), 2), ((str(hybrid.folder),), 0)):
        begun.clear()
        hybrid("verify", *options)
        assert len(begun) == processes


@pytest.mark.parametrize("engine", ["enumerate", "rsmc"])
def test_engines_agree_and_are_named(engine: str, hybrid: Hybrid) -> None:
    run = hybrid.on("verify", "sb mp_claim forall spin", "--engine", engine, "--json")
    found = [json.loads(line) for line in run.out.splitlines()]
    assert {o["engine"] for o in found} == {engine}
    assert {o["oracle"] for o in found} == {"graph" if engine == "rsmc" else None}
    assert [(o["program"], o["verdict"], o["traces"]) for o in found] == [
        ("sb", "ALLOWED", 4),
        ("mp_claim", "VIOLATED", 4),
        ("forall", "HOLDS", 2),
        ("spin", "BOUNDED", 6),
    ]


@pytest.mark.parametrize("policy", ["first", "last", "random"])
def test_policies_give_the_same_traces(policy: str, hybrid: Hybrid) -> None:
    run = hybrid.on("verify", "sb", "--policy", policy, "--seed", "3", "--json")
    assert json.loads(run.out)["traces"] == 4


def test_options_without_effect_are_told(hybrid: Hybrid) -> None:
    options = ("--engine", "enumerate", "--policy", "last", "--seed", "3", "--oracle", "graph")
    run = hybrid.on("verify", "plain", "--model", "sc", *options)
    for option in ("oracle", "policy", "seed"):
        assert f"Note: --{option} has no effect" in run.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--engine", "best"], "no engine is called 'best'\n  known: enumerate, rsmc"),
        (["--oracle", "delphi"], "no oracle is called 'delphi'\n  known: graph"),
        (["--policy", "none"], "no policy is called 'none'\n  known: first, last, random"),
        (["--model", "nosuch"], "nosuch"),
        (["--model", "sc,,tso"], "--model: a name is empty"),
        (["--witness", "w.png"], "known: .json, .svg, .dot"),
        (["--model", "sc,tso", "--witness", "w.svg"], "--witness needs one program and one model"),
        (["--unroll", "-1"], "'-1' is not a whole number from 0"),
        (["--limit", "0"], "'0' is not a whole number from 1"),
        (["--limit", "1" + "0" * 18], "with at most 18 digits"),
        (["--timeout", "nan"], "'nan' is not a number of seconds above 0"),
        (["--all", "--first"], "not allowed with"),
        (["--mode", "sc"], "unrecognized arguments"),
    ],
)
def test_bad_options(options: list[str], message: str, hybrid: Hybrid) -> None:
    run = hybrid.on("verify", "sb", *options)
    assert (run.code, run.out) == (2, "")
    assert message in run.err


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nosuch.prog", "cannot read nosuch.prog: No such file"),
        ("some.txt", "cannot read some.txt: a file of type '.txt'\n  known: .litmus, .prog"),
        ("noext", "a file without an extension"),
    ],
)
def test_unusable_files(name: str, message: str, hybrid: Hybrid) -> None:
    path = hybrid.folder / name
    if not name.startswith("nosuch"):
        path.write_text("x = 0")
    run = hybrid("verify", str(path))
    assert (run.code, run.out) == (2, "")
    assert message in run.err


def test_rsmc_refuses_a_model_without_commit_before(hybrid: Hybrid) -> None:
    free = hybrid.folder / "free.cat"
    free.write_text('"anything goes"\nacyclic po | co as order\n')
    run = hybrid.on("verify", "sb", "--model", str(free), "--engine", "rsmc")
    assert run.code == 2
    assert "rsmc needs a commit-before, and the model free has none" in run.err
    assert "engines that take it: enumerate" in run.err
    run = hybrid.on("verify", "sb", "--model", str(free))
    assert run.code == 0
    assert "Engine enumerate\n" in run.out
    assert "Note: enumerate was taken, not rsmc: " in run.out


@pytest.mark.parametrize("suffix", ["json", "svg", "dot"])
def test_the_witness_is_written(suffix: str, hybrid: Hybrid) -> None:
    target = hybrid.folder / f"w.{suffix}"
    run = hybrid.on("verify", "sb", "--model", "power", "--witness", str(target))
    assert run.code == 0
    text = target.read_text(encoding="utf-8")
    assert {"json": '"hybrid-witness"', "svg": "<svg", "dot": "digraph"}[suffix] in text


def test_no_witness_is_told(hybrid: Hybrid) -> None:
    target = hybrid.folder / "w.svg"
    run = hybrid.on("verify", "sb", "--model", "sc", "--witness", str(target))
    assert (run.code, run.err) == (0, "no witness: w.svg is not written\n")
    assert not target.exists()


def interrupt_after(monkeypatch: pytest.MonkeyPatch, traces: int) -> None:
    def make(*args: object) -> Engine:
        return Interrupting(traces)

    monkeypatch.setattr(explore, "make", make)


def test_ctrl_c_gives_a_partial_result(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_after(monkeypatch, 2)
    run = hybrid.on("verify", "sb", "--model", "sc")
    assert run.code == 3
    assert "Partial result: interrupted\n" in run.out
    assert "Traces 2\n" in run.out
    assert "Verdict sb INCONCLUSIVE\n" in run.out


def test_ctrl_c_ends_a_batch(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_after(monkeypatch, 2)
    run = hybrid.on("verify", "plain sb forall", "--model", "sc", "--table")
    assert run.code == 3
    assert "partial: interrupted" in run.out
    assert "forall" not in run.out
    assert run.err == "interrupted: nothing was run after sb\n"


@pytest.mark.large
@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
def test_a_real_ctrl_c(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hybrid", "verify", *write(tmp_path, "plain", "many")]
    command += ["--model", "sc", "--engine", "enumerate", "--table"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        while not child.stdout.readline().startswith("plain "):
            assert child.poll() is None
        time.sleep(1)  # into the exploration of `many`, which takes minutes
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=20)
    assert (child.returncode, err) == (3, "interrupted: nothing was run after many\n")
    assert "partial: interrupted\n" in out
