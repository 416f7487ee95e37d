"""Addresses in what users see: by name in text and drawings, numbers with names in JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_helpers import Hybrid
from golden_files import check_golden

NUMBERS = ("4096", "4224", "4225", "4352")  # where the objects of `pointers` lie


@pytest.mark.parametrize("program", ["pointers", "past_the_end"])
def test_text(program: str, hybrid: Hybrid) -> None:
    run = hybrid.on("verify", program, "--model", "sc", "--engine", "enumerate")
    assert run.code == (1 if program == "past_the_end" else 0)
    check_golden(f"cli/verify_{program}_model_sc.txt", run.out)


@pytest.mark.parametrize("style", ["text", "table", "svg", "dot"])
def test_traces_and_drawings(style: str, hybrid: Hybrid) -> None:
    run = hybrid.on("trace", "pointers", "--model", "sc", "--where", "P:q=&x", "--format", style)
    assert run.code == 0
    name = "&amp;x" if style == "svg" else "&x"
    assert f"= {name}" in run.out or f"Read value {name}" in run.out
    assert not [number for number in NUMBERS if number in run.out]


def test_explain(hybrid: Hybrid) -> None:
    for outcome, answer in (("P:q=&x", "ALLOWED"), ("P:q=&x /\\ P:r=1", "FORBIDDEN")):
        run = hybrid.on("explain", "pointers", "--model", "sc", "--outcome", outcome)
        assert answer in run.out
        assert not [number for number in NUMBERS if number in run.out]


def test_json(hybrid: Hybrid) -> None:
    run = hybrid.on("verify", "pointers sb", "--model", "sc", "--json")
    found, plain = (json.loads(line) for line in run.out.splitlines())
    shown = {
        tuple(outcome["state"][term] for term in ("P:q", "p")): outcome["names"]
        for outcome in found["outcomes"]
    }
    assert shown[4096, 4225] == {"P:q": "&x", "p": "&a[1]", "Q:s": "&x"}
    assert shown[4224, 4225] == {"P:q": "&a[0]", "p": "&a[1]", "Q:s": "&x"}
    assert all("names" not in outcome for outcome in plain["outcomes"])


def test_witness(hybrid: Hybrid, tmp_path: Path) -> None:
    file = tmp_path / "w.json"
    hybrid.on("trace", "pointers", "--model", "sc", "--where", "P:q=&x", "-o", str(file))
    found = json.loads(file.read_text(encoding="utf-8"))
    read = next(event for event in found["events"] if event["label"] == "L0")
    assert (read["value"], read["name"]) == (4096, "&x")
    assert "name" not in next(event for event in found["events"] if event["label"] == "L1")
    assert found["registers"][0]["q"] == 4096
    assert found["names"]["registers"][0] == {"q": "&x"}
    assert found["names"]["memory"] == {"p": "&a[1]"}
    assert found["names"]["outcome"] == {"P:q": "&x", "p": "&a[1]", "Q:s": "&x"}
    assert hybrid("replay", str(file)).code == 0


@pytest.mark.parametrize("engine", ["enumerate", "rsmc", "trust", "bmc"])
def test_the_witness_of_a_stray_replays(engine: str, hybrid: Hybrid, tmp_path: Path) -> None:
    file = tmp_path / "w.json"
    options = ("--model", "sc", "--engine", engine, "--witness", str(file))
    run = hybrid.on("verify", "past_the_end", *options)
    assert run.code == 1
    assert "goes wrong: thread P, L2: access to &a+2, which is past the end of a" in run.out
    assert hybrid("replay", str(file)).code == 0


def test_herds_format(hybrid: Hybrid) -> None:
    run = hybrid.on("verify", "pointers", "--model", "sc", "--format", "herd")
    assert "p=a[1];" in run.out
    assert not [number for number in NUMBERS if number in run.out]
