"""Threads that wait for ever, as `hybrid verify`, `crosscheck` and `replay` report them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_helpers import Hybrid
from golden_files import check_golden

pytestmark = pytest.mark.sample(3)

CROSSED = r"""
x = 0; y = 0
thread P: L0: xchgawait(x = 0, := 1); L1: xchgawait(y = 0, := 1); L2: y := 0; L3: x := 0;
thread Q: M0: xchgawait(y = 0, := 1); M1: xchgawait(x = 0, := 1); M2: x := 0; M3: y := 0;
"""
CLAIM = f"{CROSSED}forall (x = 0 /\\ y = 0)\nexpect sc: HOLDS 2 traces\n"
QUESTION = f"{CROSSED}exists (x = 0 /\\ y = 0)\n"
# A deadlock, a livelock, and an assert that fails in another run.
MIXED = r"""
l = 0; f = 0; g = 0
thread P: L0: xchgawait(l = 0, := 1); L1: r0 := g; A: assert r0 = 0;
thread Q: M0: xchgawait(l = 0, := 1);
thread R: N0: g := 1; N1: r1 := l; N2: if r1 = 0 goto N4; N3: await(f = 1); N4: skip;
"""
ENDS = r"""
x = 0
thread P: L0: await(x = 1);
thread Q: M0: x := 1;
"""
ENGINES = ("enumerate", "bmc", "rsmc", "trust", "trust-linear", "revisit", "stateful")


def put(hybrid: Hybrid, name: str, text: str) -> str:
    path = hybrid.folder / f"{name}.prog"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("name", "text", "options", "code"),
    [
        ("crossed", CROSSED, "--model sc", 0),
        ("crossed", CROSSED, "--model power --liveness", 1),
        ("claim", CLAIM, "--model sc", 0),
        ("claim", CLAIM, "--model sc --liveness", 1),
        ("question", QUESTION, "--model sc", 0),
        ("question", QUESTION, "--model sc --liveness", 1),
        ("ends", ENDS, "--model sc --liveness", 0),
    ],
)
def test_text(name: str, text: str, options: str, code: int, hybrid: Hybrid) -> None:
    run = hybrid("verify", put(hybrid, name, text), "--engine", "rsmc", *options.split())
    assert (run.code, run.err) == (code, "")
    told = "_".join([name, *options.replace("--", "").split()])
    check_golden(f"cli/waiting_{told}.txt", run.out)


TOGGLED = r"""
f = 0
thread P: do { a := f; } while a = 0;
thread R: f := 1; f := 0;
exists (P:a = 1)
"""


@pytest.mark.parametrize("engine", ["rsmc", "trust", "odpor"])
def test_a_question_is_not_answered_while_liveness_is_open(engine: str, hybrid: Hybrid) -> None:
    """With runs that were cut or not explored a thread may yet wait for ever."""
    path = put(hybrid, "toggled", TOGGLED)
    for options, verdict, code in (
        ("--loops keep", "ALLOWED", 0),
        ("--loops keep --liveness", "BOUNDED", 3),
        ("--limit 1", "ALLOWED", 0),
        ("--limit 1 --liveness", "INCONCLUSIVE", 3),
        ("--liveness", "VIOLATED", 1),
    ):
        run = hybrid(
            "verify", path, "--model", "sc", "--json", "--engine", engine, *options.split()
        )
        assert (json.loads(run.out)["verdict"], run.code) == (verdict, code), options


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("options", ["", "-j 2", "--equivalence rf"])
def test_every_engine_counts_the_same(engine: str, options: str, hybrid: Hybrid) -> None:
    if "rf" in options and engine not in ("rsmc", "trust", "trust-linear"):
        pytest.skip("counts traces alone")
    path = put(hybrid, "crossed", CROSSED)
    arguments = ("--model", "sc", "--json", "--engine", engine, *options.split())
    run = hybrid("verify", path, *arguments)
    found = json.loads(run.out)
    assert (found["verdict"], run.code) == ("HOLDS", 0)
    assert (found["deadlocks"], found["livelocks"], found["stuck"]) == (1, 0, 0)
    assert found["witness"] is None
    assert found["waiting"]["kind"] == "deadlock"
    assert found["waiting"]["threads"] == [
        {"thread": "P", "label": "L1", "location": "y", "until": "= 0"},
        {"thread": "Q", "label": "M1", "location": "x", "until": "= 0"},
    ]
    told = (
        "1 run ends with threads that wait for ever (deadlock): P at L1 (line 3) for y = 0, "
        "Q at M1 (line 4) for x = 0"
    )
    assert found["messages"][0] == told
    run = hybrid("verify", path, *arguments, "--liveness")
    found = json.loads(run.out)
    assert (found["verdict"], run.code) == ("VIOLATED", 1)
    assert found["witness"]["status"] == "waiting"


def test_one_line(hybrid: Hybrid) -> None:
    path = put(hybrid, "crossed", CROSSED)
    run = hybrid("verify", path, "--model", "sc", "--quiet")
    assert run.out == "crossed sc HOLDS  waiting: deadlocks 1\n"
    run = hybrid("verify", path, "--model", "sc,tso", "--table", "--liveness")
    lines = [line for line in run.out.splitlines() if line.startswith("crossed")]
    assert [line.endswith("  waiting: deadlocks 1") for line in lines] == [True, True]
    assert run.code == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_deadlocks_and_livelocks_are_told_apart(engine: str, hybrid: Hybrid) -> None:
    """One of P and Q waits for the lock: a deadlock; where R waits too, a livelock."""
    path = put(hybrid, "mixed", MIXED)
    run = hybrid("verify", path, "--model", "sc", "--engine", engine, "--json")
    found = json.loads(run.out)
    assert (found["verdict"], run.code) == ("VIOLATED", 1)
    assert found["witness"]["failed"] == ["A"]
    assert (found["deadlocks"], found["livelocks"]) == (2, 3)
    both = len(found["waiting"]["threads"]) == 2
    assert found["waiting"]["kind"] == ("livelock" if both else "deadlock")
    assert any("(2 deadlocks, 3 livelocks): in one " in told for told in found["messages"])


def test_the_formula_answers_for_both_kinds(hybrid: Hybrid) -> None:
    path = put(hybrid, "claim", CLAIM)
    run = hybrid("verify", path, "--model", "sc", "--engine", "bmc", "--first", "--json")
    found = json.loads(run.out)
    assert (found["verdict"], run.code) == ("HOLDS", 0)
    assert any(
        told.startswith("threads can wait for ever (deadlock)") for told in found["messages"]
    )
    run = hybrid("verify", path, "--model", "sc", "--engine", "bmc", "--first", "--liveness")
    assert run.code == 1
    assert "Verdict claim VIOLATED" in run.out


def test_first_stops_at_a_waiting_run_only_with_liveness(hybrid: Hybrid) -> None:
    path = put(hybrid, "question", QUESTION)
    arguments = ("verify", path, "--model", "sc", "--engine", "rsmc", "--first", "--json")
    assert json.loads(hybrid(*arguments).out)["verdict"] == "ALLOWED"
    assert json.loads(hybrid(*arguments, "--liveness").out)["verdict"] == "VIOLATED"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("options", [(), ("--liveness",)])
def test_replay_confirms_the_witness(
    engine: str, options: tuple[str, ...], hybrid: Hybrid, tmp_path: Path
) -> None:
    path, witness = put(hybrid, "crossed", CROSSED), str(tmp_path / "w.json")
    hybrid("verify", path, "--model", "tso", "--engine", engine, "--witness", witness, *options)
    run = hybrid("replay", witness)
    assert (run.code, run.out.splitlines()[-1]) == (0, "crossed under tso: confirmed")
    text = Path(witness).read_text(encoding="utf-8")
    forged = tmp_path / "forged.json"
    forged.write_text(text.replace('"label": "M1"', '"label": "M0"'), encoding="utf-8")
    run = hybrid("replay", str(forged))
    assert run.code == 1
    assert "the threads that wait for ever" in run.out


@pytest.mark.parametrize("extension", ["svg", "dot"])
def test_drawings_show_who_waits(extension: str, hybrid: Hybrid, tmp_path: Path) -> None:
    target = tmp_path / f"w.{extension}"
    path = put(hybrid, "crossed", CROSSED)
    hybrid("verify", path, "--model", "sc", "--witness", str(target))
    drawn = target.read_text(encoding="utf-8")
    assert "waits for y = 0" in drawn
    assert "waits for x = 0" in drawn
    assert "waiting run: deadlock: P at L1 (line 3) for y = 0, Q at M1 (line 4) for x = 0" in drawn


def test_a_checkpoint_keeps_waiting_runs(hybrid: Hybrid, tmp_path: Path) -> None:
    path, file = put(hybrid, "crossed", CROSSED), str(tmp_path / "c.json")
    arguments = ("verify", path, "--model", "sc", "--engine", "trust", "--checkpoint", file)
    first = json.loads(hybrid(*arguments, "--json").out)
    again = json.loads(hybrid(*arguments, "--json").out)
    assert first["deadlocks"] == again["deadlocks"] == 1
    assert first["waiting"] == again["waiting"] is not None
    assert hybrid(*arguments, "--liveness").code == 1


def test_crosscheck_compares_them(hybrid: Hybrid) -> None:
    run = hybrid(
        "crosscheck", put(hybrid, "crossed", CROSSED), "--model", "sc", "--complete",
        "--engines", "enumerate,rsmc,trust+rf", "--json",
    )  # fmt: skip
    found = json.loads(run.out)
    assert (found["verdict"], run.code) == ("EQUAL", 0)
    assert [each["deadlocks"] for each in found["configurations"]] == [1, 1, 1]
    assert "1 waiting run" in found["completeness"]


@pytest.mark.parametrize(("options", "code", "word"), [("", 0, "Ok"), ("--liveness", 1, "No")])
def test_herds_format(options: str, code: int, word: str, hybrid: Hybrid) -> None:
    """The waiting run is reported on standard error, and a violated claim is not `Ok`."""
    path = put(hybrid, "claim", CLAIM.replace("expect sc: HOLDS 2 traces\n", ""))
    run = hybrid("verify", path, "--model", "sc", "--format", "herd", *options.split())
    assert (run.code, f"\n{word}\n" in run.out) == (code, True)
    assert "deadlock: P at L1 (line 3) for y = 0, Q at M1 (line 4) for x = 0" in run.err


# P waits for a value that is never stored, Q for one that is.
LOOPS = r"""
x = 0
thread P:
  A: a := x @rlx; B: if a != 1 goto A;
thread Q:
  C: x := 2 @rlx; D: b := x @rlx; E: if b != 2 goto D;
"""


@pytest.mark.large
@pytest.mark.parametrize("engine", ["auto", "bmc", "enumerate"])
@pytest.mark.parametrize("under", ["sc", "tso", "rc11", "power", "aarch64"])
def test_a_loop_that_never_ends(under: str, engine: str, hybrid: Hybrid, tmp_path: Path) -> None:
    path, witness = put(hybrid, "loops", LOOPS), tmp_path / "w.json"
    arguments = ("verify", path, "--model", under, "--engine", engine)
    run = hybrid(*arguments)
    assert run.code == 0
    assert "Verdict loops HOLDS" in run.out
    assert "(livelock): P at A (line 4) for x = 1" in run.out
    first = ("--first",) if engine == "bmc" else ()
    run = hybrid(*arguments, "--liveness", "--witness", str(witness), *first)
    assert run.code == 1
    assert "Verdict loops VIOLATED" in run.out
    assert json.loads(witness.read_text(encoding="utf-8"))["program"]["loops"][0] == "await"
    assert hybrid("replay", str(witness)).code == 0
    run = hybrid(*arguments, "--liveness", "--loops", "keep")
    assert run.code == 3
    assert "Verdict loops BOUNDED" in run.out and "livelock" not in run.out
