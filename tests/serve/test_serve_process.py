"""The process of a run as the server sees it: it stops when told, and ends in any case."""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import Any

import pytest
from serve_helpers import ENDLESS, SB

from hybrid.serve import process as module
from hybrid.serve.process import RunLimits, RunProcess, environment
from hybrid.serve.request import MOST_TEXT, RunRequest

LIMITS = RunLimits(30, 2_000_000_000)
SLEEPS = "import time, signal; signal.signal(signal.SIGINT, signal.SIG_IGN); time.sleep(60)"


def run(text: str, limits: RunLimits = LIMITS, stop_after: float | None = None) -> dict[str, Any]:
    process = RunProcess(RunRequest(".prog", text, model="sc"), limits)
    if stop_after is not None:
        threading.Timer(stop_after, process.stop).start()
    return process.wait()


def instead(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Another process is started in the place of a run's."""
    start = module.subprocess.Popen

    def other(command: list[str], **more: Any) -> Any:
        return start([sys.executable, "-c", code], **more)

    monkeypatch.setattr(module.subprocess, "Popen", other)


@pytest.mark.large
def test_a_text_of_the_greatest_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MARGIN", 1.0)
    answer = run(SB + " " * (MOST_TEXT - len(SB)))
    assert (answer["verdict"], answer["partial"]) == ("FORBIDDEN", "")


@pytest.mark.large
def test_stopped() -> None:
    answer = run(ENDLESS, stop_after=1.0)
    assert (answer["verdict"], answer["partial"]) == ("INCONCLUSIVE", "interrupted")


@pytest.mark.large
def test_a_time_limit() -> None:
    answer = run(ENDLESS, RunLimits(0.5, 2_000_000_000))
    assert answer["partial"] == "time-out after 0.5 s"


@pytest.mark.large
def test_one_that_does_not_stop_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GRACE", 0.3)
    instead(monkeypatch, SLEEPS)
    start = time.monotonic()
    assert run(SB, stop_after=0.5)["partial"] == "interrupted"
    assert time.monotonic() - start < 20


@pytest.mark.large
def test_one_that_does_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MARGIN", 0.3)
    instead(monkeypatch, SLEEPS)
    answer = run(SB, RunLimits(0.2, 1_000_000_000))
    assert answer["partial"] == "time-out after 0.2 s; it was killed" and answer["exit_code"] == 3


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (
            "import os; os.abort()",
            "its process ended (SIGABRT), as beyond the memory limit",
        ),
        ("raise MemoryError", "its process ended (exit code 1), as beyond the memory limit"),
        ("import os; os.kill(os.getpid(), 24)", "time-out: more computing than 30 s"),
    ],
)
def test_one_that_meets_a_limit(monkeypatch: pytest.MonkeyPatch, code: str, told: str) -> None:
    instead(monkeypatch, code)
    answer = run(SB)
    assert answer["verdict"] == "INCONCLUSIVE" and answer["partial"].startswith(told)


@pytest.mark.parametrize("code", ["import sys; sys.exit(3)", "print('[1]')", "print('{')"])
def test_one_that_says_nothing_is_a_bug(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    instead(monkeypatch, code)
    answer = run(SB)
    assert answer["exit_code"] == 70 and "please report it" in answer["error"]["message"]


def test_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "x")
    monkeypatch.setenv("CPATH", "/etc")
    monkeypatch.setenv("PYTHONPATH", "a")
    monkeypatch.setenv("HYBRID_CLANG", "bin/clang")
    found = environment("/job")
    assert found["HYBRID_CLANG"] == os.path.abspath("bin/clang")
    assert "API_KEY" not in found and "CPATH" not in found and found["TMPDIR"] == "/job"
    assert found["PYTHONPATH"].endswith(os.pathsep + os.path.abspath("a"))
