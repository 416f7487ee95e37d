"""`-j auto`: one process while a run is short, all of them once it is long; the totals are the
same."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace

import pytest
from support import model, program

from hybrid.catalogue.spelling import parse_configuration
from hybrid.engine.api import Limits
from hybrid.engine.configuration import Configuration
from hybrid.frontend import generators
from hybrid.parallel import growing, processes
from hybrid.parallel.coordinator import Coordinator
from hybrid.parallel.growing import Growing
from hybrid.parallel.sharing import Sharing
from hybrid.parallel.summarise import summarise_parallel
from hybrid.parallel.work import Job
from hybrid.report.tally import Tally

LASTZERO = 7
TRACES = (LASTZERO + 3) * 2 ** (LASTZERO - 2)
UNROLL = 20


def job(engine: str = "trust") -> Job:
    how = replace(parse_configuration(engine), unroll=UNROLL)
    return Job(program(generators.lastzero(LASTZERO)), model("sc"), how)


@pytest.fixture
def no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    def started(*_: object) -> None:
        raise AssertionError("a process is started")

    monkeypatch.setattr(processes.Processes, "_start", started)


@pytest.mark.usefixtures("no_processes")
@pytest.mark.parametrize("engine", ["rsmc", "trust", "rsmc+rf"])
def test_a_short_run_starts_no_process(engine: str) -> None:
    of = job(engine)
    workers = Growing(of, 2, after=3600)
    result = summarise_parallel(of, Limits(UNROLL), workers)
    assert (result.traces, result.partial) == (TRACES, "")
    assert not workers.grown


@pytest.mark.large
@pytest.mark.parametrize("engine", ["rsmc", "trust"])
def test_a_long_run_goes_on_with_processes(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "PIECE", 0.01)
    add = Tally.add

    def add_and_wait(tally: Tally, trace: object) -> None:
        add(tally, trace)  # type: ignore[arg-type]
        time.sleep(0.001)

    monkeypatch.setattr(Tally, "add", add_and_wait)  # so that it is long, however fast
    of = job(engine)
    workers = Growing(of, 2, after=3600)
    alone: list[int] = []  # traces that were found by one process

    def look(coordinator: Coordinator) -> None:
        traces = coordinator.tally.result.traces
        if traces and not alone:
            alone.append(traces)
            workers.long_from = 0.0

    result = summarise_parallel(of, Limits(UNROLL), workers, tick=look)
    assert (result.traces, result.partial) == (TRACES, "")
    assert workers.grown and alone[0] < TRACES


@pytest.mark.usefixtures("no_processes")
def test_ctrl_c_while_it_is_alone() -> None:
    of = job()
    sent: list[int] = []

    def interrupt(coordinator: Coordinator) -> None:
        if not sent:
            sent.append(coordinator.tally.result.traces)
            os.kill(os.getpid(), signal.SIGINT)

    growing_workers = Growing(of, 2, after=3600)
    result = summarise_parallel(of, Limits(UNROLL), growing_workers, tick=interrupt)
    assert result.partial == "interrupted"


def test_when_it_is_wanted() -> None:
    auto = Sharing(2, grows=True)
    assert auto.wanted(Configuration("trust"), limited=False) == (True, "")
    assert auto.wanted(Configuration("enumerate"), limited=False) == (False, "")
    assert auto.wanted(Configuration("trust"), limited=True) == (False, "")
    assert Sharing(1, grows=True).wanted(Configuration("trust"), limited=False) == (False, "")
