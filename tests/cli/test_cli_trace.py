"""The verbs that show: explain, trace, replay, models."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest
from cli_helpers import Hybrid
from golden_files import check_golden

from hybrid.api import explain
from hybrid.engine.api import Limits
from hybrid.engine.rsmc.engine import Rsmc
from hybrid.execution.trace import Trace
from hybrid.explain.search import Search
from hybrid.model.core import Model
from hybrid.program.program import Program
from hybrid.report.result import INTERRUPTED

pytestmark = pytest.mark.large


@pytest.mark.parametrize(
    ("program", "options", "code"),
    [
        ("sb", "--model sc", 0),
        ("sb", "--model power", 0),
        ("mp_claim", "--model sc", 0),
        ("forall", "--model sc", 0),
        ("assert_fails", "--model sc", 1),
        ("spin", "--model sc --unroll 1", 3),
        ("sb", "--model sc --candidates 1", 0),
    ],
)
def test_explain(program: str, options: str, code: int, hybrid: Hybrid) -> None:
    run = hybrid.on("explain", program, *options.split(), "--engine", "enumerate")
    assert (run.code, run.err) == (code, "")
    name = "_".join([program, *options.replace("--", "").split()])
    check_golden(f"cli/explain_{name}.txt", run.out)


def test_explain_an_outcome(hybrid: Hybrid) -> None:
    run = hybrid.on("explain", "mp_claim", "--model", "sc", "--outcome", "Q:r0=1 /\\ Q:r1=1")
    assert run.code == 0
    assert "ALLOWED: this execution reaches it." in run.out
    run = hybrid.on("explain", "mp_claim", "--model", "sc", "--outcome", "x=7")
    assert run.code == 0
    assert "reaches it, whatever the model" in run.out


LB = r"""
    x = 0; y = 0
    thread P: r0 := x; y := 1;
    thread Q: r1 := y; x := 1;
    exists (P:r0 = 1 /\ Q:r1 = 1)
    """


def test_explain_under_a_model_whose_commit_before_is_wrong(hybrid: Hybrid) -> None:
    program, model = hybrid.folder / "LB.prog", hybrid.folder / "wrong.cat"
    program.write_text(LB)
    model.write_text("acyclic po-loc | com as coherence\n(*% commit-before (po | rf)+ *)\n")
    run = hybrid("explain", str(program), "--model", str(model), "--engine", "rsmc")
    assert (run.code, run.err) == (4, "")
    assert "DISAGREE: rsmc does not find this execution" in run.out
    assert "Forbidden by" not in run.out
    run = hybrid("explain", str(program), "--model", str(model), "--engine", "enumerate")
    assert (run.code, "ALLOWED: this execution reaches it." in run.out) == (0, True)


@pytest.mark.parametrize(
    ("why", "code", "told"),
    [
        ("the time is up", 0, "ALLOWED: this execution reaches it."),  # a candidate shows it
        (INTERRUPTED, 3, "not decided: interrupted\n"),  # and nothing more is started
    ],
)
def test_explain_after_a_search_that_was_stopped(
    why: str, code: int, told: str, hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explain, "search", lambda *_: Search(None, 0, why))
    run = hybrid.on("explain", "sb", "--model", "power")
    assert (run.code, told in run.out) == (code, True)
    assert "candidate" not in run.out


@pytest.mark.parametrize(
    ("program", "options", "message"),
    [
        ("plain", [], "there is nothing to explain"),
        ("sb", ["--outcome", "P:r7=1"], "--outcome:1:3: error: thread P has no register `r7`"),
        ("sb", ["--outcome", "z=1"], "unknown location `z`"),
        ("sb", ["--outcome", "R:r0=1"], "unknown thread `R`"),
        ("sb", ["--outcome", "x="], "the text ends too early"),
        ("sb", ["--outcome", "~" * 400 + "x=1"], "nested too deeply"),
        ("sb", ["--model", "nosuch"], "nosuch"),
    ],
)
def test_explain_bad_input(program: str, options: list[str], message: str, hybrid: Hybrid) -> None:
    run = hybrid.on("explain", program, *options)
    assert (run.code, run.out) == (2, "")
    assert message in run.err


@pytest.mark.parametrize("form", ["text", "table", "json", "svg", "dot"])
def test_trace_formats(form: str, hybrid: Hybrid) -> None:
    options = ("--model", "sc", "--engine", "enumerate", "--format", form)
    run = hybrid.on("trace", "sb", *options)
    assert (run.code, run.err) == (0, "")
    if form in ("text", "table"):
        check_golden(f"cli/trace_sb_{form}.txt", run.out)
    target = hybrid.folder / f"t.{form.replace('text', 'txt')}"
    if form != "table":  # the extension names the format
        options = options[:4]
    assert hybrid.on("trace", "sb", *options, "-o", str(target)).out == ""
    assert target.read_text(encoding="utf-8") == run.out


@pytest.mark.parametrize(
    "verb", ["explain -o x/t.txt", "trace -o x/t.svg", "verify --witness x/t.svg"]
)
def test_an_unwritable_file_is_told_before_the_work(verb: str, hybrid: Hybrid) -> None:
    name, option, target = verb.split()
    for path, told in (
        (hybrid.folder / target, "there is no folder"),
        (hybrid.folder / "d.svg", "it is a folder"),
    ):
        (hybrid.folder / "d.svg").mkdir(exist_ok=True)
        run = hybrid.on(name, "sb", option, str(path))
        assert (run.code, run.out) == (2, "")
        assert told in run.err


def test_trace_to_a_file_whose_extension_says_no_format(hybrid: Hybrid) -> None:
    target = hybrid.folder / "sb.png"
    run = hybrid.on("trace", "sb", "-o", str(target))
    assert (run.code, target.exists()) == (2, False)
    assert "known: .json, .svg, .dot, .txt; or say --format" in run.err
    assert hybrid.on("trace", "sb", "-o", str(target), "--format", "text").code == 0
    assert hybrid.on("trace", "sb", "-o", str(hybrid.folder / "sb.txt")).code == 0


def test_trace_by_number_and_by_formula(hybrid: Hybrid) -> None:
    options = ("--model", "sc", "--engine", "enumerate", "--format", "json")
    outcomes = [
        json.loads(hybrid.on("trace", "sb", "--number", str(n), *options).out)["outcome"]
        for n in (1, 2, 3)
    ]
    assert len({tuple(o.values()) for o in outcomes}) == 3
    run = hybrid.on("trace", "sb", "--where", "P:r0=1 /\\ Q:r1=1", *options)
    assert json.loads(run.out)["outcome"] == {"P:r0": 1, "Q:r1": 1}
    run = hybrid.on("trace", "sb", "--number", "4", *options)
    assert (run.code, run.out) == (1, "")
    assert run.err == "sb under sc: no trace number 4 among 3 traces\n"
    run = hybrid.on("trace", "sb", "--where", "P:r0=0 /\\ Q:r1=0", *options)
    assert run.code == 1
    assert run.err == "sb under sc: no trace with P:r0=0 /\\ Q:r1=0 among 3 traces\n"
    run = hybrid.on("trace", "spin", "--where", "Q:r=2", *options)
    assert run.code == 3
    assert "there may be one: some runs are cut at the loop bound (--unroll 5)" in run.err


def test_replay(hybrid: Hybrid) -> None:
    target = hybrid.folder / "w.json"
    assert hybrid.on("verify", "sb", "--model", "power", "--witness", str(target)).code == 0
    run = hybrid("replay", str(target))
    assert run.code == 0
    assert run.out.endswith("sb under power: confirmed\n")
    run = hybrid("replay", str(target), "--model", "sc")
    assert run.code == 1
    assert run.out.startswith("sb under sc: not confirmed\n  sc does not allow this trace")
    changed = json.loads(target.read_text(encoding="utf-8"))
    changed["outcome"]["P:r0"] = 9
    target.write_text(json.dumps(changed), encoding="utf-8")
    run = hybrid("replay", str(target))
    assert run.code == 1
    assert "outcome P:r0: the witness says 9, replay gives 0" in run.out


@pytest.mark.parametrize("program", ["assert_fails", "bad_address"])
def test_replay_of_violations(program: str, hybrid: Hybrid) -> None:
    target = hybrid.folder / "w.json"
    run = hybrid.on("verify", program, "--model", "sc", "--witness", str(target))
    assert run.code == 1
    assert hybrid("replay", str(target)).code == 0


def test_replay_under_a_model_of_ones_own(hybrid: Hybrid) -> None:
    model = hybrid.folder / "free.cat"
    model.write_text('"anything goes"\nacyclic po | rf as order\n')
    target = hybrid.folder / "w.json"
    run = hybrid.on("verify", "sb", "--model", str(model), "--witness", str(target))
    assert run.code == 0
    assert hybrid("replay", str(target)).code == 0
    moved = model.rename(hybrid.folder / "moved.cat")
    run = hybrid("replay", str(target))
    assert (run.code, "--model FILE.cat" in run.err) == (2, True)
    assert hybrid("replay", str(target), "--model", str(moved)).code == 0


@pytest.mark.parametrize("text", ["", "{}", "[1", '{"format": "other"}'])
def test_replay_bad_file(text: str, hybrid: Hybrid) -> None:
    target = hybrid.folder / "w.json"
    target.write_text(text)
    run = hybrid("replay", str(target))
    assert (run.code, run.out) == (2, "")
    assert "error: " in run.err


def test_models(hybrid: Hybrid) -> None:
    run = hybrid("models")
    assert run.code == 0
    for name in ("sc", "tso", "pso", "ra", "rc11", "power"):
        assert any(line.startswith(f"{name} ") for line in run.out.splitlines())
    assert "enumerate, rsmc" in run.out


def test_one_model(hybrid: Hybrid) -> None:
    own = hybrid.folder / "own.cat"
    own.write_text(
        '"of one\'s own"\nlet fr = rf^-1;co\nacyclic po | rf |\n  co (* all *) | fr as total\n'
        "flag ~empty po & ext as odd\n"
    )
    run = hybrid("models", str(own))
    assert run.code == 0
    check_golden("cli/models_own.txt", run.out)
    assert hybrid("models", "nosuch").code == 2


@pytest.mark.parametrize("verb", [("trace",), ("explain", "--outcome", "x=2")])
def test_the_time_limit_holds_while_an_engine_sets_up(
    verb: tuple[str, ...], hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine that takes for ever before its first look at the clock."""

    def set_up(engine: Rsmc, program: Program, model: Model, limits: Limits) -> Iterator[Trace]:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            pass
        return iter(())

    monkeypatch.setattr(Rsmc, "explore", set_up)
    program = hybrid.folder / "one.prog"
    program.write_text("x = 0\nthread P: r := x; x := 1;")
    start = time.monotonic()
    run = hybrid(*verb, str(program), "--timeout", "0.05", "--engine", "rsmc")
    assert time.monotonic() - start < 30
    assert run.code == 3
    assert "the time is up" in run.out + run.err
