"""`hybrid demo`: each scene says what it shows and the command that shows it."""

from __future__ import annotations

import pytest
from cli_helpers import Hybrid, write

from hybrid.cli import demo, verify


def test_the_demo(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    write(hybrid.folder, "sb", "plain")
    monkeypatch.setattr(verify, "bundled", lambda room: hybrid.folder)  # for the last scene
    run = hybrid("demo")
    assert (run.code, run.err) == (0, "")
    for number, scene in enumerate(demo.SCENES, 1):
        assert f"{number}. {scene.text}\n\n$ hybrid {scene.verb}" in run.out
    assert "\nMP power ALLOWED (as expected)\n" in run.out
    assert "\nWitness: an execution that satisfies the condition\n" in run.out
    assert "\nForbidden by axiom observation in 1 candidate:\n" in run.out
    assert run.out.endswith(", in T s\n")


def test_its_exit_code_is_the_worst(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    write(hybrid.folder, "sb_wrong")
    monkeypatch.setattr(verify, "bundled", lambda room: hybrid.folder)
    assert hybrid("demo").code == 1
