"""The tables in results/: what stands above each, and how they are made."""

from __future__ import annotations

import datetime
import platform
import re
import runpy
import stat
from pathlib import Path

RESULTS = Path(__file__).parent.parent / "results"
MAKE = runpy.run_path(str(RESULTS / "make.py"))


def test_every_table_is_made() -> None:
    made = {name for name, _, _ in MAKE["TABLES"]}
    assert made == {path.name for path in RESULTS.glob("*.txt")}


def test_what_stands_above_a_table() -> None:
    text = MAKE["head"](["hybrid", "bench", "rsmc"], True, datetime.date(2020, 1, 2))
    lines = text.splitlines()
    assert lines[0] == "$ hybrid bench rsmc"
    assert re.fullmatch(r"machine: .+, [0-9]+ cores, .+, Python 3\..+", lines[1])
    assert platform.python_version() in lines[1]
    assert lines[2:] == ["kernel: compiled", "date: 2020-01-02", ""]


def test_tables_are_written_with_their_heads(tmp_path: Path) -> None:
    """With a program in the place of hybrid that prints what it was asked for."""
    hybrid = tmp_path / "hybrid"
    hybrid.write_text('#!/bin/sh\necho "asked: $@"\n')
    hybrid.chmod(hybrid.stat().st_mode | stat.S_IXUSR)
    assert MAKE["main"](str(hybrid), str(hybrid), tmp_path) == 0
    for name, native, arguments in MAKE["TABLES"]:
        lines = (tmp_path / name).read_text().splitlines()
        assert lines[0] == f"$ hybrid {' '.join(arguments)}"
        assert lines[2] == f"kernel: {'compiled' if native else 'interpreted'}"
        assert lines[-1] == f"asked: {' '.join(arguments)}"


def test_a_command_that_fails_writes_nothing(tmp_path: Path) -> None:
    assert MAKE["main"]("/bin/false", "/bin/false", tmp_path) == 1
    assert not list(tmp_path.iterdir())
