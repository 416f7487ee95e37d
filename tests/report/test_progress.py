"""How far an exploration or a batch has come, on a terminal and in a log."""

from __future__ import annotations

import io
import time

import pytest

from hybrid.engine.api import Counters
from hybrid.engine.enumerate.engine import Enumerate
from hybrid.engine.probes.estimate import Estimate
from hybrid.report import progress
from hybrid.report.watch import Watch


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def exploring(seconds: float, estimate: Estimate | None) -> tuple[Enumerate, Watch]:
    """An exploration after so many seconds."""
    now = [1000.0]
    engine, watch = Enumerate(), Watch(lambda: None, lambda: now[0])
    engine.counters = Counters(complete=30_000, blocked=2, cut=720)
    watch.estimate = estimate
    now[0] += seconds
    return engine, watch


FOUND = Estimate(122_880.0, 100_000.0, 151_000.0, 12)
LINES = """\
lastzero(15): 30000 traces, 500/s, blocked 2, 60.0 s (Ctrl-C stops with a partial result)
lastzero(15): [#####...............] 25 %, 30,720 of about 123,000 executions \
(100,000 to 151,000), 512/s, 3 min left (Ctrl-C stops with a partial result)
lastzero(15) after 60 s: 30,000 traces, 500/s, blocked 2
lastzero(15) after 60 s: 25 %, 30,720 of about 123,000 executions (100,000 to 151,000), \
512/s, 3 min left
"""


def test_lines() -> None:
    written = []
    for line in (progress.progress_line, progress.log_line):
        for estimate in (None, FOUND):
            engine, watch = exploring(60.0, estimate)
            written.append(line(engine, "lastzero(15)", 60.0, watch))
    assert "".join(f"{line}\n" for line in written) == LINES


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (120, "lastzero(15): [#####...............] 25 %, 30,720 of about 123,000 executions "
         "(100,000 to 151,000), 512/s, 3 min left"),
        (95, "lastzero(15): [#####...............] 25 % of 123,000 (100,000 to 151,000), 512/s, "
         "3 min left"),
        (85, "lastzero(15): [##........] 25 % of 123,000 (100,000 to 151,000), 512/s, 3 min left"),
        (70, "lastzero(15): 25 % of 123,000 (100,000 to 151,000), 512/s, 3 min left"),
        (20, "25 % of 123,000 (100,000 to 151,000), 512/s, 3 min left"),
    ],
)  # fmt: skip
def test_a_narrow_terminal(width: int, line: str) -> None:
    engine, watch = exploring(60.0, FOUND)
    assert progress.progress_line(engine, "lastzero(15)", 60.0, watch, width) == line


@pytest.mark.parametrize(
    ("part", "bar"),
    [(0.0, "." * 20), (0.26, "#####" + 15 * "."), (0.999, 19 * "#" + "."), (1.0, "#" * 20)],
)
def test_bar(part: float, bar: str) -> None:
    assert progress.bar_of(part) == f"[{bar}]"


def test_a_log_gets_a_line_per_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "MINUTE", 0.01)
    engine, watch = exploring(60.0, FOUND)
    log = io.StringIO()
    with progress.Progress(engine, "two\nlines", log, watch=watch):
        time.sleep(0.1)
    lines = log.getvalue().splitlines()
    assert lines
    assert all(line.startswith("two\\nlines after 0 s: 25 %, 30,720 of") for line in lines)
    assert log.getvalue().endswith("left\n")


@pytest.mark.parametrize("kind", [Terminal, io.StringIO])
def test_nothing_where_it_is_not_wanted(
    kind: type[io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DELAY", "TICK", "MINUTE"):
        monkeypatch.setattr(progress, name, 0.005)
    engine, watch = exploring(60.0, FOUND)
    stream = kind()
    with progress.Progress(engine, "sb", stream, wanted=False, watch=watch):
        time.sleep(0.05)
    bar = progress.Bar(4, stream, wanted=False, by_itself=True)
    time.sleep(0.05)
    bar.end()
    assert stream.getvalue() == ""


def test_a_batch_in_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    log = io.StringIO()
    bar = progress.Bar(4, log, wanted=True, by_itself=False)
    bar.count([])
    bar.draw()
    assert log.getvalue() == ""  # the first minute has not passed
    monkeypatch.setattr(progress, "MINUTE", 0.0)
    bar.draw()
    assert log.getvalue().startswith("[#####...............] 1/4, ")
    assert log.getvalue().endswith(" left\n")
    bar.end()
    assert log.getvalue().count("\n") == 1
