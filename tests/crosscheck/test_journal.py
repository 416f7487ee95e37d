"""The journal: written as it goes, read again, refused when it does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from hybrid.crosscheck.fuzz import Finding
from hybrid.crosscheck.journal import Journal
from hybrid.errors import InputError

SETTINGS = {"seed": 1, "engines": ["enumerate", "rsmc"], "timeout": None}
FINDINGS = [
    Finding(3, 5, 1, (), False, 2, (("rsmc:z3", "no — not now"),)),
    Finding(1, 0, 0, ("they differ",), True, 2),
]


def written(path: Path) -> list[str]:
    journal = Journal(path, SETTINGS)
    for finding in FINDINGS:
        journal.add(finding)
    journal.close()
    return path.read_text(encoding="utf-8").splitlines()


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "j"
    assert len(written(path)) == 3
    journal = Journal(path, SETTINGS)
    assert journal.findings == FINDINGS
    journal.add(Finding(9, 1, 1))
    journal.close()
    again = Journal(path, SETTINGS)
    assert [finding.number for finding in again.findings] == [3, 1, 9]
    again.close()


def test_each_line_is_there_at_once(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j", SETTINGS)
    for number, finding in enumerate(FINDINGS, 2):
        journal.add(finding)
        assert len((tmp_path / "j").read_text(encoding="utf-8").splitlines()) == number
    journal.close()


def test_a_torn_last_line_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "j"
    lines = written(path)
    with open(path, "a", encoding="utf-8") as stream:
        stream.write('{"program": 4, "tra')
    journal = Journal(path, SETTINGS)
    assert journal.findings == FINDINGS
    journal.add(Finding(4, 1, 1))
    journal.close()
    assert path.read_text(encoding="utf-8").splitlines()[:3] == lines
    again = Journal(path, SETTINGS)
    assert [finding.number for finding in again.findings] == [3, 1, 4]
    again.close()


@pytest.mark.parametrize(
    "other", [{**SETTINGS, "seed": 2}, {"seed": 1}, {**SETTINGS, "more": 0}], ids=str
)
def test_other_settings_are_refused(tmp_path: Path, other: dict[str, object]) -> None:
    path = tmp_path / "j"
    lines = written(path)
    with pytest.raises(InputError, match="other settings"):
        Journal(path, other)
    assert path.read_text(encoding="utf-8").splitlines() == lines


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("some notes", ":1:1"),
        ("some\nnotes", ":1:1"),
        ("[]\n", ":1:1"),
        ('{"a": 1}\n', ":1:1"),
        ("{}}\n", ":1:1"),
        ("\n", ":1:1"),
        ("\0\xff\n", ":1:1"),
        ("[" * 100_000 + "\n", ":1:1"),
    ],
    ids=range(8),
)
def test_what_is_no_journal_is_left_alone(tmp_path: Path, text: str, place: str) -> None:
    path = tmp_path / "j"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        Journal(path, SETTINGS)
    assert f"{path}{place}" in error.value.render()
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{}",
        "nonsense",
        (
            '{"program": -1, "traces": 0, "blocked": 0, "differences": [], "stopped": false, '
            '"compared": 2, "left_out": []}'
        ),
        (
            '{"program": 1, "traces": 0, "blocked": 0, "differences": [7], "stopped": false, '
            '"compared": 2, "left_out": []}'
        ),
        (
            '{"program": true, "traces": 0, "blocked": 0, "differences": [], "stopped": '
            'false, "compared": 2, "left_out": []}'
        ),
        (
            '{"program": 3, "traces": 6, "blocked": 1, "differences": [], "stopped": false, '
            '"compared": 2, "left_out": []}'
        ),
    ],
)
def test_a_broken_line_is_pointed_at(tmp_path: Path, line: str) -> None:
    path = tmp_path / "j"
    written(path)
    with open(path, "a", encoding="utf-8") as stream:
        stream.write(f"{line}\n")
    with pytest.raises(InputError) as error:
        Journal(path, SETTINGS)
    assert f"{path}:4:1" in error.value.render()


def test_places_that_cannot_be_used(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no" / "j", Path("a\0b")):
        with pytest.raises(InputError, match="cannot use"):
            Journal(path, SETTINGS)
