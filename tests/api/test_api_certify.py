"""`hybrid.verify(…, certificate=…)` and `hybrid.certify`."""

from __future__ import annotations

from pathlib import Path

import pytest

import hybrid

SB = """x = 0; y = 0
thread P: L0: x := 1; L1: r0 := y;
thread Q: L2: y := 1; L3: r1 := x;
exists (P:r0 = 0 /\\ Q:r1 = 0)
"""


@pytest.mark.parametrize("name", ["sb.zip", "sb"])
def test_an_answer_is_certified_and_checked(name: str, tmp_path: Path) -> None:
    out = tmp_path / name
    answer = hybrid.verify(hybrid.parse(SB), "sc", certificate=out)
    assert answer.certificate == str(out)
    done = hybrid.certify(out)
    assert done.valid
    assert done.answer is answer.verdict is hybrid.Verdict.FORBIDDEN
    assert (done.traces, done.exit_code, done.refused) == (answer.count, 0, "")
    assert (done.model, done.own_model) == ("sc", True)
    assert done.claim == "exists (P:r0=0 /\\ Q:r1=0)"
    assert any("no solution" in fact for fact in done.facts)


def test_a_certificate_that_was_changed_is_refused(tmp_path: Path) -> None:
    hybrid.verify(hybrid.parse(SB), "sc", certificate=tmp_path / "sb")
    with (tmp_path / "sb" / "program.prog").open("a", encoding="utf-8") as file:
        file.write("\n")
    done = hybrid.certify(tmp_path / "sb")
    assert not done.valid
    assert done.exit_code == 1
    assert "program.prog" in done.refused


def test_without_an_answer_the_notes_say_why(tmp_path: Path) -> None:
    found = hybrid.verify(hybrid.parse(SB), "sc", certificate=tmp_path / "a.zip", limit=1)
    assert found.verdict is hybrid.Verdict.INCONCLUSIVE
    assert found.certificate == ""
    assert "no certificate: the answer is INCONCLUSIVE" in found.notes
    assert not (tmp_path / "a.zip").exists()


def test_no_certificate_is_asked_for() -> None:
    assert hybrid.verify(hybrid.parse(SB), "sc").certificate == ""


def test_a_program_that_was_built(tmp_path: Path) -> None:
    """It has no text, which a certificate would have to have."""
    b = hybrid.ProgramBuilder("built")
    (x,) = b.locations("x")
    b.thread("P").store(x, 1)
    found = hybrid.verify(b.build(), "sc", certificate=tmp_path / "b.zip")
    if found.certificate:
        assert hybrid.certify(found.certificate).valid
    else:
        assert found.notes


def test_complaints(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "mine.txt").write_text("", encoding="utf-8")
    with pytest.raises(hybrid.InputError, match=r"mine\.txt"):
        hybrid.verify(hybrid.parse(SB), "sc", certificate=tmp_path / "kept")
    with pytest.raises(hybrid.InputError):
        hybrid.certify(tmp_path / "nowhere.zip")
    with pytest.raises(hybrid.InputError, match="checker"):
        hybrid.certify(tmp_path / "nowhere.zip", checker="trust-me")
    with pytest.raises(hybrid.InputError):
        hybrid.certify(tmp_path / "nowhere.zip", timeout=-1)
