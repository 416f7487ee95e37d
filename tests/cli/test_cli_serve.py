"""`hybrid serve`: its options, and what it says where something is missing."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import pytest
from cli_helpers import Hybrid

from hybrid.cli import serve
from hybrid.serve.process import RunLimits


def test_without_the_extra(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "find_spec", lambda name: None)
    run = hybrid("serve")
    assert run.code == 2 and "needs starlette and uvicorn" in run.err
    assert "pip install 'hybrid-mc[web]'" in run.err


def test_help_needs_nothing(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in serve.NEEDED:
        monkeypatch.setitem(sys.modules, name, None)
    run = hybrid("serve", "--help")
    assert run.code == 0 and "hybrid serve --open" in run.out


@pytest.mark.parametrize(
    "options", [["--port", "65536"], ["--port", "x"], ["--timeout", "0"], ["--memory", "1"]]
)
def test_bad_options(hybrid: Hybrid, options: list[str]) -> None:
    assert hybrid("serve", *options).code == 2


@pytest.mark.skipif(find_spec("uvicorn") is None, reason="needs the extra `web`")
def test_options(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, RunLimits, bool]] = []
    monkeypatch.setattr("hybrid.serve.server.serve", lambda *given: asked.append(given))
    assert hybrid("serve").code == 0
    words = ["--port", "0", "--timeout", "5", "--memory", "500M", "--open"]
    assert hybrid("serve", *words).code == 0
    assert hybrid("serve", "--no-browser", "--max-memory", "1G").code == 0
    assert asked == [
        (serve.PORT, RunLimits(60, 2_000_000_000), False),
        (0, RunLimits(5, 500_000_000), True),
        (serve.PORT, RunLimits(60, 1_000_000_000), False),
    ]
