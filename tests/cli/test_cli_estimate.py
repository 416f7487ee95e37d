"""`hybrid verify` and the estimated number of executions: in JSON, in notes, with several
processes, on standard error."""

from __future__ import annotations

import json

import pytest
from cli_helpers import Hybrid

from hybrid.engine.probes.estimate import Estimate
from hybrid.frontend.generators import fib_bench
from hybrid.report import progress, watch


class Sure:
    """An estimator that knows."""

    estimate = Estimate(1700.0, 1500.0, 1900.0, 8)

    def work(self, until: float) -> None:
        """Nothing is left to find out."""


@pytest.fixture
def path(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> str:
    """A program with 1,698 executions, of which there is an estimate at once."""
    monkeypatch.setattr(watch, "DELAY", 0.0)
    monkeypatch.setattr("hybrid.engine.probes.make.make_estimator", lambda *_: Sure())
    file = hybrid.folder / "fib.prog"
    file.write_text(fib_bench(3), encoding="utf-8")
    return str(file)


def test_a_partial_result_says_how_far_it_came(hybrid: Hybrid, path: str) -> None:
    run = hybrid("verify", path, "--model", "sc", "--limit", "170")
    assert (
        "Note: 10 % explored: 170 of about 1,700 executions (1,500 to 1,900), "
        "by an estimate with its 90 % interval\n"
    ) in run.out
    assert run.code == 3


@pytest.mark.parametrize("options", [(), pytest.param(("-j", "2"), marks=pytest.mark.large)])
def test_json(hybrid: Hybrid, path: str, options: tuple[str, ...]) -> None:
    result = json.loads(hybrid("verify", path, "--model", "sc", "--json", *options).out)
    assert result["estimate"].pop("after") >= 0
    assert result["estimate"] == {
        "executions": 1700,
        "low": 1698,  # so many were found
        "high": 1900,
        "explored": 1698,
        "walks": 8,
    }
    assert not any("explored" in message for message in result["messages"])


@pytest.mark.parametrize("quiet", [True, False])
def test_a_log(hybrid: Hybrid, path: str, quiet: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "MINUTE", 0.02)
    run = hybrid("verify", path, "--model", "sc", *(["--quiet"] if quiet else []))
    assert ("of about 1,700 executions (1,5" in run.err) is not quiet
    if quiet:
        assert run.err == ""
