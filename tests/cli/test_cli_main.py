"""The frame of the command line: help, version, errors, exit codes, the progress line."""

from __future__ import annotations

import io
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_helpers import Hybrid, write
from golden_files import check_golden

from hybrid import __version__
from hybrid.cli import main as cli
from hybrid.cli import verify
from hybrid.compiled import manner
from hybrid.engine.api import Counters
from hybrid.engine.enumerate import Enumerate
from hybrid.errors import InternalError
from hybrid.report import progress


@pytest.mark.parametrize("verb", [verb.name for verb in cli.VERBS])
def test_every_verb_has_help_with_examples(verb: str, hybrid: Hybrid) -> None:
    run = hybrid(verb, "--help")
    assert run.code == 0
    assert run.out.startswith(f"usage: hybrid {verb} ")
    assert f"  hybrid {verb}" in run.out[run.out.index("example") :]


def test_help_lists_the_verbs_and_the_exit_codes(hybrid: Hybrid) -> None:
    run = hybrid("--help")
    assert run.code == 0
    for verb in cli.VERBS:
        assert f"  {verb.name} " in run.out
    assert "70  a bug in hybrid" in run.out


def test_version(hybrid: Hybrid) -> None:
    assert hybrid("--version").out == f"hybrid {__version__} ({manner()})\n"


@pytest.mark.parametrize("arguments", [[], ["verfy"], ["--nosuch"], ["verify", "--nosuch"]])
def test_usage_errors(arguments: list[str], hybrid: Hybrid) -> None:
    run = hybrid(*arguments)
    assert (run.code, run.out) == (2, "")
    assert "usage: hybrid" in run.err


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (InternalError("a bit is off"), 70, "please report it): a bit is off"),
        (KeyError("k"), 70, "please report it): KeyError: 'k'"),
        (ZeroDivisionError(), 70, "please report it): ZeroDivisionError\n"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (MemoryError(), 3, "out of memory"),
    ],
)
def test_unexpected_errors(
    error: BaseException,
    code: int,
    message: str,
    hybrid: Hybrid,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(args: object) -> int:
        raise error

    monkeypatch.delenv("HYBRID_DEBUG", raising=False)
    monkeypatch.setattr(verify, "run", fail)
    run = hybrid.on("verify", "sb")
    assert run.code == code
    assert message in run.err
    assert "Traceback" not in run.err
    assert ("HYBRID_DEBUG=1" in run.err) == (code == 70)


def test_debug_shows_the_traceback(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(args: object) -> int:
        raise KeyError("k")

    monkeypatch.setenv("HYBRID_DEBUG", "1")
    monkeypatch.setattr(verify, "run", fail)
    run = hybrid.on("verify", "sb")
    assert run.code == 70
    assert "Traceback" in run.err


def _shell(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command.replace("hybrid", f"{sys.executable} -m hybrid", 1)],
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.large
def test_a_closed_pipe_is_no_error_and_no_answer(tmp_path: Path) -> None:
    (path,) = write(tmp_path, "sb")
    paths = f"{path} " * 300  # more output than a pipe holds
    done = _shell(
        f"hybrid verify {paths} --model sc --engine enumerate | head -n 1; echo ${{PIPESTATUS[0]}}"
    )
    assert (done.stdout, done.stderr) == ("Verdict sb FORBIDDEN (as expected)\n141\n", "")


@pytest.mark.large
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("where", ["> /dev/full", "-o /dev/full"])
def test_a_full_disk_is_no_bug(where: str, tmp_path: Path) -> None:
    (path,) = write(tmp_path, "sb")
    done = _shell(f"hybrid verify {path} --model sc {where}")
    message = "error: cannot write the output: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, message)


@pytest.mark.large
def test_with_output_closed_the_exit_code_tells(tmp_path: Path) -> None:
    (path,) = write(tmp_path, "sb")
    done = _shell(f"hybrid verify {path} --model sc >&-")
    assert (done.returncode, done.stderr) == (0, "")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal_is_shown_and_erased(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "DELAY", 0.01)
    monkeypatch.setattr(progress, "TICK", 0.01)
    engine = Enumerate()
    engine.counters = Counters(complete=20, blocked=3)
    stream = Terminal()
    with progress.Progress(engine, "sb", stream):
        time.sleep(0.2)
    assert "sb: 20 traces, " in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_no_progress_elsewhere_or_on_short_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    short = Terminal()
    with progress.Progress(Enumerate(), "sb", short):
        pass
    assert short.getvalue() == ""
    monkeypatch.setattr(progress, "DELAY", 0.01)
    pipe = io.StringIO()
    with progress.Progress(Enumerate(), "sb", pipe):
        time.sleep(0.05)
    assert pipe.getvalue() == ""


def test_progress_line() -> None:
    engine = Enumerate()
    engine.counters = Counters(complete=30, blocked=2)
    line = progress.progress_line(engine, "sb", 3.0)
    assert line == "sb: 30 traces, 10/s, blocked 2, 3.0 s (Ctrl-C stops with a partial result)"


def test_input_errors_show_the_place(hybrid: Hybrid) -> None:
    run = hybrid.on("verify", "broken", "--model", "sc")
    assert (run.code, run.out) == (2, "")
    check_golden("cli/broken.txt", run.err)
