"""How far a run has come: the line of a terminal, in a file."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import pytest
from serve_helpers import ENDLESS

from hybrid.report.screen import draw, terminal
from hybrid.serve.process import RunLimits, RunProcess
from hybrid.serve.progress_file import NAME, read_progress, shown_in_file
from hybrid.serve.request import RunRequest


def test_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = sys.stderr
    with shown_in_file():
        assert terminal().isatty()
        draw(terminal(), "SB: 12 traces, 3/s, 4.0 s (Ctrl-C stops with a partial result)")
        assert read_progress(str(tmp_path)) == "12 traces, 3/s, 4.0 s"
        draw(terminal(), "SB: [##..] 50 %, 12 of about 24 executions (Ctrl-C stops)")
        assert read_progress(str(tmp_path)) == "50 %, 12 of about 24 executions"
        draw(terminal(), "")
        assert read_progress(str(tmp_path)) == ""
    assert sys.stderr is before and [path.name for path in tmp_path.iterdir()] == [NAME]


def test_no_file(tmp_path: Path) -> None:
    assert read_progress(str(tmp_path / "gone")) == ""


@pytest.mark.large
def test_a_run_says_how_far_it_is() -> None:
    process = RunProcess(
        RunRequest(".prog", ENDLESS, model="sc", engine="trust"), RunLimits(60, 2_000_000_000)
    )
    assert process.progress == ""
    thread = threading.Thread(target=process.wait)
    thread.start()
    deadline = time.monotonic() + 50
    while "traces" not in (told := process.progress) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.stop()
    thread.join()
    assert "traces" in told and "/s" in told and process.progress == ""
