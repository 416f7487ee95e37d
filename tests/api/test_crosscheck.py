"""`hybrid.crosscheck`: what configurations find, and whether they agree."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import hybrid
from hybrid import Verdict
from hybrid.data import bundled

MP = bundled("litmus") / "classic" / "MP.prog"
# A commit-before that is too weak for the axioms: rsmc gets stuck.
WEAK = 'include "power.cat"\n(*% commit-before (addr | data | ctrl | rf)+ *)'


def test_all_agree() -> None:
    found = hybrid.crosscheck(MP, "tso", engines="enumerate,rsmc,trust,bmc:sat", complete=True)
    assert found.verdict is Verdict.HOLDS and found.agree and found.exit_code == 0
    assert {each.name: each.traces for each in found.configurations} == {
        "enumerate": 3,
        "rsmc": 3,
        "trust": 3,
        "bmc:sat": 3,
    }
    assert found.open == () and "MP under tso: EQUAL" in str(found)


def test_some_do_not_apply() -> None:
    found = hybrid.crosscheck(MP, "power", engines="enumerate,trust")
    assert found.verdict is Verdict.INCONCLUSIVE and found.open
    assert [name for name, _ in found.left_out] == ["trust"]


def test_a_disagreement() -> None:
    program = bundled("litmus") / "papers" / "rsmc-fig5.prog"
    model = hybrid.Model.from_text(WEAK, "weak")
    found = hybrid.crosscheck(program, model, engines="enumerate,rsmc/last")
    assert found.verdict is Verdict.DISAGREE and not found.agree and found.exit_code == 4
    assert {each.name for each in found.differences} == {"rsmc/last"}
    assert found.differences[0].text in found.text()


def test_bad_input() -> None:
    with pytest.raises(hybrid.InputError, match="rsmx"):
        hybrid.crosscheck(MP, engines="rsmx")
    with pytest.raises(hybrid.InputError, match="max_steps"):
        hybrid.crosscheck(MP, max_steps=0)


@pytest.mark.large
def test_a_time_limit() -> None:
    threads = (f"thread P{i}: r0 := x; x := {i}; r1 := x; x := r1 + 1;" for i in range(6))
    program = hybrid.parse("\n".join(["x = 0", *threads]))
    found = hybrid.crosscheck(program, "sc", engines="rsmc,trust", timeout=0.5)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert all(each.unfinished.startswith("time-out") for each in found.configurations)


INTERRUPTED = """
import os, signal, sys, threading, hybrid
threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    hybrid.crosscheck(hybrid.load(sys.argv[1]), "sc", engines="rsmc,trust")
except KeyboardInterrupt:
    print("raised")
"""


@pytest.mark.large
def test_ctrl_c(tmp_path: Path) -> None:
    path = tmp_path / "long.prog"
    threads = (f"thread P{i}: r0 := x; x := {i}; r1 := x; x := r1 + 1;" for i in range(6))
    path.write_text("\n".join(["x = 0", *threads]), encoding="utf-8")
    command = [sys.executable, "-c", INTERRUPTED, str(path)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (run.stdout, run.stderr) == ("raised\n", "")
