"""`hybrid verify --certificate` and `hybrid certify`: output, exit codes, faults in words."""

from __future__ import annotations

import importlib.util
import re
import shutil
from pathlib import Path

import pytest
from cli_helpers import Hybrid
from golden_files import check_golden

from hybrid.certificate import certify as certifying
from hybrid.certificate.store import read_certificate, write_certificate
from hybrid.errors import InternalError


def without_versions(text: str, folder: Path) -> str:
    text = re.sub(r"dratify [^\n]*", "dratify VERSION", text)
    return text.replace(f"{folder}/", "")


@pytest.mark.parametrize("target", ["c.zip", "folder"])
@pytest.mark.parametrize(
    ("name", "model", "code"), [("sb", "sc", 0), ("sb", "power", 0), ("mp_claim", "power", 0)]
)
def test_there_and_back(
    name: str, model: str, code: int, target: str, tmp_path: Path, hybrid: Hybrid
) -> None:
    out = str(tmp_path / target)
    run = hybrid.on("verify", name, "--model", model, "--certificate", out)
    assert (run.code, run.err) == (code, "")
    again = hybrid("certify", out)
    assert again.code == 0
    if target == "c.zip":
        check_golden(f"cli/certify-{name}-{model}.txt", without_versions(again.out, tmp_path))


def test_the_verdict_alone_and_twice(tmp_path: Path, hybrid: Hybrid) -> None:
    out = str(tmp_path / "c.zip")
    how = ["--engine", "bmc", "--first", "--twice"]
    run = hybrid.on("verify", "sb", "--model", "sc", "--certificate", out, *how)
    assert run.code == 0
    again = hybrid("certify", out, "--checker", "dratify-python", "--timeout", "60")
    assert again.code == 0
    check_golden("cli/certify-twice.txt", without_versions(again.out, tmp_path))


def test_classes_are_certified_without_their_number(tmp_path: Path, hybrid: Hybrid) -> None:
    out = str(tmp_path / "c.zip")
    how = ["--model", "sc", "--equivalence", "rf", "--certificate", out]
    assert "the verdict is certified and no number" in hybrid.on("verify", "sb", *how).err
    assert hybrid("certify", out).code == 0


def test_what_is_written_twice(tmp_path: Path, hybrid: Hybrid) -> None:
    out = str(tmp_path / "c.zip")
    run = hybrid.on("verify", "sb", "--html", out, "--certificate", out)
    assert (run.code, run.out) == (2, "")
    assert "--certificate c.zip would overwrite what --html writes" in run.err


def test_refused_unreadable_and_several(tmp_path: Path, hybrid: Hybrid) -> None:
    good, bad = str(tmp_path / "good.zip"), str(tmp_path / "bad.zip")
    hybrid.on("verify", "sb", "--model", "sc", "--certificate", good)
    write_certificate(bad, {**read_certificate(good), "model.cat": b"acyclic po as x"})
    run = hybrid("certify", bad)
    assert run.code == 1
    assert "bad.zip: refused\n  model.cat has been changed" in run.out
    text = tmp_path / "text.zip"
    text.write_text("no archive")
    run = hybrid("certify", str(text))
    assert (run.code, run.out) == (2, "")
    assert "text.zip: unreadable" in run.err
    run = hybrid("certify", good, bad, str(text))
    assert run.code == 2
    assert "good.zip: valid" in run.out
    assert "bad.zip: refused" in run.out
    assert "text.zip: unreadable" in run.err
    assert hybrid("certify", good, bad).code == 1


def test_no_checker(tmp_path: Path, hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    out = str(tmp_path / "c.zip")
    hybrid.on("verify", "sb", "--model", "sc", "--certificate", out)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    run = hybrid("certify", out)
    assert (run.code, run.out) == (3, "")
    assert run.err.startswith("c.zip: not checked\nerror: there is no checker of proofs here")
    assert "hybrid-mc[proofs]" in run.err


def test_no_time(tmp_path: Path, hybrid: Hybrid) -> None:
    out = str(tmp_path / "c.zip")
    hybrid.on("verify", "sb", "--model", "sc", "--certificate", out)
    run = hybrid("certify", out, "--timeout", "0.000001")
    assert (run.code, run.out) == (3, "")
    assert "stopped: the time is up" in run.err


def test_no_memory(tmp_path: Path, hybrid: Hybrid) -> None:
    """However little there is to do."""
    out = str(tmp_path / "c.zip")
    hybrid.on("verify", "sb", "--model", "sc", "--certificate", out)
    run = hybrid("certify", out, "--max-memory", "1M")
    assert (run.code, run.out) == (3, "")
    assert "stopped: memory limit of 1 MB reached" in run.err
    run = hybrid.on("verify", "plain", "--model", "sc", "--max-memory", "1M")
    assert run.code == 3 and "Partial result: memory limit of 1 MB reached" in run.out


def test_no_certificate_without_an_answer(tmp_path: Path, hybrid: Hybrid) -> None:
    out = tmp_path / "c.zip"
    how = ["--limit", "1", "--certificate", str(out)]
    run = hybrid.on("verify", "sb", "--model", "sc", *how)
    assert run.code == 3
    assert "no certificate: the answer is INCONCLUSIVE" in run.err
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--twice"], "--twice is for certificates"),
        (["--certificate", "nowhere/c.zip"], "there is no folder nowhere"),
        (["--certificate", "c.zip", "--resume", "j"], "--certificate and --resume"),
        (["--certificate", "c.zip", "--model", "sc,tso"], "needs one program and one model"),
    ],
)
def test_options_that_do_not_go_together(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    hybrid: Hybrid,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    run = hybrid.on("verify", "sb", *arguments)
    assert run.code == 2
    assert said in run.err


def test_a_bug_in_an_encoding_of_made_up_texts_is_a_refusal(
    tmp_path: Path, hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = str(tmp_path / "c.zip")
    hybrid.on("verify", "sb", "--model", "sc", "--certificate", out)

    def fails(*_: object) -> None:
        raise InternalError("no such term")

    monkeypatch.setattr(certifying, "make_formula", fails)
    run = hybrid("certify", out)
    assert run.code == 1
    assert "cannot be encoded" in run.out
