"""`hybrid explain`: the verdict first, coherent candidates, the shortest cycle with its fences,
drawings."""

from __future__ import annotations

import re
import time
from xml.etree import ElementTree

import pytest
from cli_helpers import Hybrid, Run
from golden_files import check_golden

from hybrid.api import explain
from hybrid.data import bundled
from hybrid.explain.refusals import Refusals

pytestmark = pytest.mark.large

BUSY = r"""
    x = 0; y = 0; z = 0
    thread P: A: x := 1; B: x := 2; S: sync; C: y := 1; D: y := 2;
    thread Q: E: r0 := y; F: r1 := y; T: sync; G: r2 := x; H: r3 := x; I: z := 1;
    thread R: J: s0 := z; K: s1 := z; U: sync; L: s2 := x; M: z := 2; N: x := 4;
    exists (Q:r0 = 2 /\ Q:r3 = 0)
    """
CORR = r"""
    x = 0
    thread P: A: x := 1;
    thread Q: B: r0 := x; C: r1 := x;
    exists (Q:r0 = 1 /\ Q:r1 = 0)
    """
BLOCKED = r"""
    x = 0
    thread P: A: r := x; B: assert r = 0; C: await(x = 2);
    thread Q: D: x := 1;
    """
FILTERED = r"""
    x = 0
    thread P: A: x := 1;
    thread Q: B: r := x;
    filter (x = 2)
    exists (Q:r = 1)
    """


def on(hybrid: Hybrid, text: str, *options: str) -> Run:
    path = hybrid.folder / "p.prog"
    path.write_text(text, encoding="utf-8")
    return hybrid("explain", str(path), *options)


def on_bundled(hybrid: Hybrid, name: str, *options: str) -> Run:
    return hybrid("explain", str(bundled("litmus") / f"{name}.litmus"), *options)


def cycle(run: Run) -> str:
    """The first cycle that is told."""
    found = re.search(r"^  ((?:ir|a).*: .*)$", run.out, re.MULTILINE)
    assert found is not None, run.out
    return found[1]


def test_coherent_candidates_are_blamed(hybrid: Hybrid) -> None:
    """Thousands of candidates contradict program order, too, and explain nothing."""
    run = on(hybrid, BUSY, "--model", "power")
    assert (run.code, run.err) == (0, "")
    assert re.search(r"^\d+ coherent candidate executions would reach it.$", run.out, re.MULTILINE)
    assert run.out.count("Forbidden by axiom") == 1
    assert cycle(run) == (
        "irreflexive: G --fre--> A --prop: sync[S];rfe--> E --sync[T]--> G"
    )  # not the longer one over both of P's stores


def test_incoherent_ones_only_where_there_is_no_other(hybrid: Hybrid) -> None:
    run = on(hybrid, CORR, "--model", "power")
    assert run.code == 0
    assert "No coherent candidate execution reaches it.\n" in run.out
    assert "1 candidate execution whose coherence contradicts program order would.\n" in run.out
    assert cycle(run) == "acyclic: A --rf--> B --po-loc--> C --fr--> A"
    assert "whose coherence" not in on(hybrid, BUSY, "--model", "power").out


def test_coherence_is_not_an_axioms_name(hybrid: Hybrid) -> None:
    """A model of the user's, with other names: the candidates are the same."""
    model = hybrid.folder / "mine.cat"
    model.write_text(
        "acyclic po & loc | rf | co | fr as whatever\n"
        "let f = fencerel(SYNC)\nacyclic f | rfe | fre | coe as barriers\n"
    )
    run = on(hybrid, BUSY, "--model", str(model))
    assert "Forbidden by axiom barriers" in run.out
    assert "whatever in" not in run.out
    assert cycle(run) == "acyclic: A --f: sync[S]--> D --rfe--> E --f: sync[T]--> G --fre--> A"


@pytest.mark.parametrize(
    ("name", "edges"),
    [
        ("aarch64/SB+dmb.sys", ["lob: dmb.sy[P0_2]", "lob: dmb.sy[P1_2]"]),
        ("aarch64/2+2W+dmb.sy+dmb.st-wsi", ["lob: dmb.sy[P0_2]", "dmb.st["]),
        ("riscv/SB+fence.rw.rws", ["r4: fence rw,rw[P0_2]", "r4: fence rw,rw[P1_2]"]),
        ("riscv/3.SB+fence.rw.rws", ["fence rw,rw[P0_2]", "fence rw,rw[P2_2]"]),
        ("ppc/MP+syncs", ["prop: sync[P0_2];rfe", "sync[P1_1]"]),
        ("x86/SB+mfences", ["mfence[P0_1]", "mfence[P1_1]"]),
    ],
)
def test_fences_are_named(name: str, edges: list[str], hybrid: Hybrid) -> None:
    """Each edge over a fence tells which one of the program it is."""
    run = on_bundled(hybrid, name)
    assert run.code == 0
    for edge in edges:
        assert f"--{edge}" in cycle(run) or f": {edge}" in cycle(run)
    for place in re.findall(r"\[(P\d_\d+)\]", cycle(run)):
        line = re.search(rf"^    {place}: (.*)$", run.out, re.MULTILINE)
        assert line is not None
        assert line[1].lower().startswith(("dmb", "fence", "sync", "mfence"))


def test_a_control_fence_keeps_its_dependency(hybrid: Hybrid) -> None:
    text = r"""
        x = 0; y = 0
        thread P: A: x := 1; S: lwsync; B: y := 1;
        thread Q: C: r0 := y; D: if r0 = 0 goto E; T: isync; E: r1 := x;
        exists (Q:r0 = 1 /\ Q:r1 = 0)
        """
    run = on(hybrid, text, "--model", "power")
    assert "lwsync[S]" in cycle(run)
    assert "ctrl;isync[T]" in cycle(run)


def test_the_verdict_comes_first(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def look(self: Refusals, *_: object) -> None:
        seen.append(hybrid.capsys.readouterr().out)

    monkeypatch.setattr(Refusals, "look", look)
    on(hybrid, BUSY, "--model", "power")
    assert seen == ["p under power: Q:r0=2 /\\ Q:r3=0\nFORBIDDEN: none of 390 traces reaches it.\n"]


def many(stores: int) -> str:
    """A program with a great many candidates that reach its outcome, none of them allowed."""
    writers = "".join(
        f"thread W{t}: " + "".join(f"y := {10 * t + i};" for i in range(1, stores)) for t in (1, 2)
    )
    return (
        "x = 0; y = 0; z = 0\n"
        "thread P: x := 1; sync; z := 1;\nthread Q: r0 := z; sync; r1 := x;\n"
        f"{writers}\nexists (Q:r0 = 1 /\\ Q:r1 = 0)\n"
    )


def test_reasons_end_after_some_time(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    assert explain.SECONDS == 10
    monkeypatch.setattr(explain, "SECONDS", 0.6)
    start = time.monotonic()
    run = on(hybrid, many(8), "--model", "sc", "--equivalence", "rf")
    assert time.monotonic() - start < 8
    assert run.code == 0  # that of the verdict
    assert "FORBIDDEN: none of " in run.out
    assert "These reasons are partial: the time for reasons was up after 0.6 s" in run.out
    assert "These reasons are partial: only the first 2 were" in (
        on(hybrid, many(3), "--model", "sc", "--candidates", "2").out
    )
    whole = on(hybrid, many(2), "--model", "sc", "--timeout", "30")
    assert "partial" not in whole.out and "Forbidden by axiom" in whole.out


def test_asserts_in_runs_without_an_end(hybrid: Hybrid) -> None:
    """verify counts them as violations, so explain shows them."""
    run = on(hybrid, BLOCKED, "--model", "sc")
    assert (run.code, "VIOLATED: this execution reaches it." in run.out) == (1, True)


def test_what_the_filter_leaves_out_is_not_reached(hybrid: Hybrid) -> None:
    run = on(hybrid, FILTERED, "--model", "sc")
    assert "FORBIDDEN: none of 2 traces reaches it." in run.out
    assert "No candidate execution reaches it, whatever the model." in run.out


@pytest.mark.parametrize("form", ["svg", "dot"])
def test_drawings_of_forbidden_executions(form: str, hybrid: Hybrid) -> None:
    for name in ("ppc/MP+syncs", "riscv/SB+fence.rw.rws"):
        target = hybrid.folder / f"t.{form}"
        run = on_bundled(hybrid, name, "-o", str(target))
        assert (run.code, run.err) == (0, "")
        assert "FORBIDDEN" in run.out and "--> " in run.out  # the words are told as well
        text = target.read_text(encoding="utf-8")
        if form == "svg":
            ElementTree.fromstring(text)
            assert text.count("bold") > 8 and "forbidden by axiom" in text
        check_golden(f"cli/explain_{name.split('/')[1]}.{form}", text)


@pytest.mark.parametrize("form", ["svg", "dot"])
def test_drawings_of_allowed_executions(form: str, hybrid: Hybrid) -> None:
    target = hybrid.folder / f"t.{form}"
    run = hybrid.on("explain", "sb", "--model", "power", "-o", str(target))
    assert (run.code, "ALLOWED: this execution reaches it." in run.out) == (0, True)
    trace = hybrid.on(
        "trace",
        "sb",
        "--model",
        "power",
        "--where",
        "P:r0=0 /\\ Q:r1=0",
        "-o",
        str(target) + f".{form}",
    )
    assert trace.code == 0
    assert target.read_text() == (hybrid.folder / f"t.{form}.{form}").read_text()


def test_nothing_to_draw(hybrid: Hybrid) -> None:
    target = hybrid.folder / "t.svg"
    run = hybrid.on("explain", "forall", "--model", "sc", "-o", str(target))
    assert (run.code, target.exists()) == (0, False)
    assert "no execution to draw" in run.err


def test_the_extension_says_what_to_write(hybrid: Hybrid) -> None:
    run = hybrid.on("explain", "sb", "-o", str(hybrid.folder / "t.png"))
    assert (run.code, run.out) == (2, "")
    assert ".svg, .dot, .txt" in run.err
    target = hybrid.folder / "t.txt"
    told = hybrid.on("explain", "sb", "--model", "sc")
    run = hybrid.on("explain", "sb", "--model", "sc", "-o", str(target))
    assert (run.out, target.read_text()) == ("", told.out)


ERRING = """
    n = 0
    thread P: A: q := n; B: r := [q];
    """
WAITING = """
    a = 0; b = 0
    thread P: A1: xchgawait(a = 0, := 1); A2: xchgawait(b = 0, := 1); b := 0; a := 0;
    thread Q: B1: xchgawait(b = 0, := 1); B2: xchgawait(a = 0, := 1); a := 0; b := 0;
    """
ERROR = "thread P, B: access to address 0 (null)"


@pytest.mark.parametrize("engine", ["rsmc", "enumerate", "bmc", "trust"])
@pytest.mark.parametrize("final", ["", "exists (P:r = 1)", "forall (n = 0)", "~exists (n = 1)"])
def test_a_stray_access_is_what_is_wrong(engine: str, final: str, hybrid: Hybrid) -> None:
    run = on(hybrid, ERRING + final, "--model", "sc", "--engine", engine)
    assert (run.code, run.err) == (1, "")
    assert f"VIOLATED: {ERROR}" in run.out
    assert "A: q := n" in run.out


def test_a_stray_access_is_drawn(hybrid: Hybrid) -> None:
    drawing = hybrid.folder / "p.dot"
    assert on(hybrid, ERRING, "-o", str(drawing)).code == 1
    assert ERROR in drawing.read_text(encoding="utf-8")


def test_a_stray_access_beside_an_outcome(hybrid: Hybrid) -> None:
    run = on(hybrid, ERRING, "--outcome", "n=1")
    assert run.code == 0
    assert "FORBIDDEN" in run.out
    assert f"A run errs: {ERROR}" in run.out


WHO_WAITS = "P at A2 (line 3) for b = 0, Q at B2 (line 4) for a = 0"


def test_a_program_without_a_claim_whose_threads_wait(hybrid: Hybrid) -> None:
    run = on(hybrid, WAITING)
    assert (run.code, run.err) == (0, "")
    assert f"Threads can wait for ever (deadlock): {WHO_WAITS}" in run.out
    assert "A1: xchg(a, 1) await = 0" in run.out


def test_threads_that_wait_are_told_beside_an_answer(hybrid: Hybrid) -> None:
    run = on(hybrid, WAITING, "--outcome", "a=7")
    assert run.code == 0
    assert "FORBIDDEN" in run.out
    assert f"Threads can wait for ever (deadlock): {WHO_WAITS}" in run.out
