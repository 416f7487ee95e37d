"""`hybrid.explain`: an execution, or the axioms with their cycles."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import hybrid
from hybrid import Verdict
from hybrid.data import bundled

MP = bundled("litmus") / "classic" / "MP.prog"
ORDERED = bundled("litmus") / "classic" / "MP+lwsync+addr.prog"


def test_allowed() -> None:
    found = hybrid.explain(MP, "power")
    assert found.verdict is Verdict.ALLOWED and found.exit_code == 0 and found.axioms == ()
    assert found.witness is not None and dict(found.witness.state) == {"Q:r0": 1, "Q:r1": 0}
    assert found.outcome == "Q:r0=1 /\\ Q:r1=0" and not found.partial


def test_forbidden() -> None:
    found = hybrid.explain(ORDERED, "power")
    assert found.verdict is Verdict.FORBIDDEN
    (axiom,) = found.axioms
    assert axiom.name == "observation" and axiom.candidates == 1
    assert axiom.cycle in found.text and axiom.cycle.startswith("irreflexive: ")
    assert found.witness is not None and "forbidden by axiom observation" in found.witness.svg()


def test_an_outcome() -> None:
    found = hybrid.explain(MP, "sc", outcome="Q:r0 = 0 /\\ Q:r1 = 1")
    assert found.verdict is Verdict.ALLOWED
    with pytest.raises(hybrid.InputError) as caught:
        hybrid.explain(MP, outcome="Q:r9 = 0")
    error = caught.value
    assert (error.file, error.line, error.column) == ("outcome", 1, 3)
    with pytest.raises(hybrid.InputError, match="no source of reasons"):
        hybrid.explain(MP, reasons="guesses")


def test_nothing_to_explain() -> None:
    with pytest.raises(hybrid.InputError) as caught:
        hybrid.explain(hybrid.parse("x = 0 thread P: x := 1;"))
    assert caught.value.hint == "say what to explain: outcome 'P:r0=1'"


def test_a_race() -> None:
    text = "x = 0 thread P: x := 1 @na; thread Q: r := x @na; y := r @rlx; forall (true)"
    found = hybrid.explain(hybrid.parse("y = 0 " + text), "rc11", races="error")
    assert found.verdict is Verdict.VIOLATED and found.exit_code == 1
    assert found.outcome == "a data race" and found.witness is not None


@pytest.mark.large
def test_what_the_command_line_says() -> None:
    command = [sys.executable, "-m", "hybrid", "explain", str(ORDERED), "--model", "power"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.stdout == str(hybrid.explain(ORDERED, "power"))


@pytest.mark.large
def test_a_time_limit() -> None:
    text = "x = 0\n" + "\n".join(
        f"thread P{i}: r0 := x; x := {i}; r1 := x; x := r1 + 1; r2 := x;" for i in range(6)
    )
    program = hybrid.parse(f"{text}\nexists (x = 77)")
    found = hybrid.explain(program, "sc", timeout=1, engine="rsmc")
    assert found.verdict is Verdict.INCONCLUSIVE and found.partial == "the time is up"


INTERRUPTED = """
import os, signal, sys, threading, hybrid
threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    hybrid.explain(hybrid.load(sys.argv[1]), "sc", engine="rsmc")
except KeyboardInterrupt:
    print("raised")
"""


@pytest.mark.large
def test_ctrl_c(tmp_path: Path) -> None:
    path = tmp_path / "long.prog"
    threads = (f"thread P{i}: r0 := x; x := {i}; r1 := x; x := r1 + 1;" for i in range(6))
    path.write_text("\n".join(["x = 0", *threads, "exists (x = 77)"]), encoding="utf-8")
    command = [sys.executable, "-c", INTERRUPTED, str(path)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (run.stdout, run.stderr) == ("raised\n", "")
