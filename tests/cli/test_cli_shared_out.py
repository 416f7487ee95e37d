"""`hybrid verify -j`, `--checkpoint` and `--cluster` on one program: the same answer as with one
process."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_helpers import Hybrid, mask

from hybrid.engine.configuration import Configuration
from hybrid.frontend.generators import lastzero
from hybrid.parallel.sharing import Sharing

pytestmark = pytest.mark.large

SB3 = r"""
    x = 0; y = 0; z = 0
    thread P: L0: x := 1; L1: r0 := y;
    thread Q: L2: y := 1; L3: r1 := z;
    thread R: L4: z := 1; L5: r2 := x; L6: y := 2;
    exists (P:r0 = 0 /\ Q:r1 = 0 /\ R:r2 = 0)
"""


def write(folder: Path, name: str, text: str) -> str:
    path = folder / f"{name}.prog"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("engine", ["rsmc", "trust"])
@pytest.mark.parametrize("equivalence", ["trace", "rf"])
def test_two_processes_say_what_one_says(hybrid: Hybrid, engine: str, equivalence: str) -> None:
    path = write(hybrid.folder, "sb3", SB3)
    asked = ("verify", path, "--model", "tso", "--engine", engine, "--equivalence", equivalence)
    one, two = hybrid(*asked), hybrid(*asked, "-j", "2")
    assert (one.code, two.code) == (0, 0)
    head = mask(one.out).split("Witness")[0]
    assert mask(two.out).split("Witness")[0] == head
    assert "Witness" in two.out
    assert hybrid(*asked, "-j", "2").out.split("Witness")[1] == two.out.split("Witness")[1]


@pytest.mark.large
def test_an_interrupted_run_goes_on(hybrid: Hybrid) -> None:
    path = write(hybrid.folder, "large", lastzero(12))
    point = hybrid.folder / "point.json"
    options = ["--model", "sc", "--engine", "trust", "-j", "2", "--unroll", "20", "--json"]
    command = [sys.executable, "-m", "hybrid", "verify", path, *options, "--checkpoint", str(point)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while not point.exists() and time.monotonic() < end:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    said = shlex.join(["hybrid", "verify", path, *options, "--checkpoint", str(point)])
    assert err == f"what was done is saved in {point}; to go on from there: {said}\n"
    first = json.loads(out)
    assert first["continued"] is None
    assert (process.returncode, first["verdict"]) == (3, "INCONCLUSIVE")
    assert json.loads(point.read_text())["counts"]["traces"] == first["traces"]
    run = hybrid("verify", path, *options, "--checkpoint", str(point))
    last = json.loads(run.out)
    assert (run.code, last["verdict"], last["traces"]) == (0, "HOLDS", 15 * 2**10)
    assert (
        last["continued"] == "point.json" and "goes on from the checkpoint" in last["messages"][0]
    )
    assert not run.err
    options.remove("--json")
    for style in ("--quiet", "--table"):
        run = hybrid("verify", path, *options, "--checkpoint", str(point), style)
        assert "  continues point.json" in run.out
    run = hybrid("verify", path, *options, "--checkpoint", str(point))
    assert "Note: this goes on from the checkpoint point.json" in run.out


def test_a_time_out_says_how_to_go_on(hybrid: Hybrid) -> None:
    path = write(hybrid.folder, "large", lastzero(12))
    point = str(hybrid.folder / "a point.json")
    options = ["--model", "sc", "--engine", "rsmc", "--unroll", "20", "--timeout", "1"]
    command = ["verify", path, *options, "--checkpoint", point]
    run = hybrid(*command, "--quiet")
    assert run.code == 3 and run.out == "lastzero(12) sc INCONCLUSIVE\n"
    assert run.err == (
        "what was done is saved in a point.json; to go on from there: hybrid verify large.prog "
        "--model sc --engine rsmc --unroll 20 --timeout 1 --checkpoint 'a point.json' --quiet\n"
    )


def test_what_does_not_go_together(hybrid: Hybrid) -> None:
    path = write(hybrid.folder, "sb3", SB3)
    point = str(hybrid.folder / "point.json")
    run = hybrid("verify", path, "--model", "sc", "--engine", "enumerate", "--checkpoint", point)
    assert run.code == 2 and "does not go with enumerate" in run.err
    run = hybrid("verify", path, "--model", "sc", "--limit", "1", "--checkpoint", point)
    assert run.code == 2 and "--limit and --checkpoint do not go together" in run.err
    run = hybrid("verify", path, "--model", "sc,tso", "--checkpoint", point)
    assert run.code == 2 and "--checkpoint needs one program and one model" in run.err
    run = hybrid("verify", path, "--model", "sc", "--engine", "enumerate", "-j", "2")
    assert run.code == 0 and "-j has no effect" in run.out
    Path(point).write_text("{}")
    run = hybrid("verify", path, "--model", "sc", "--checkpoint", point)
    assert run.code == 2 and "was not written by hybrid" in run.err


def test_a_cluster_uses_all_its_workers() -> None:
    asked = Sharing(2, "tcp://127.0.0.1:8786")
    shared, note = asked.wanted(Configuration("trust"), limited=False)
    assert shared and note.startswith("-j has no effect with --cluster")


def test_as_many_processes_as_it_takes(hybrid: Hybrid) -> None:
    """`-j auto`: the answer is the same, and a short run needs no process."""
    alone = hybrid.on("verify", "sb", "--model", "sc")
    auto = hybrid.on("verify", "sb", "--model", "sc", "-j", "auto")
    assert (auto.code, auto.out, auto.err) == (alone.code, alone.out, alone.err)
    several = hybrid.on("verify", "sb sb_wrong", "--model", "sc", "-j", "auto", "--quiet")
    assert several.out.splitlines() == ["sb sc FORBIDDEN (as expected)", "sb_wrong sc VIOLATED"]
    assert hybrid.on("verify", "sb", "-j", "some").code == 2
