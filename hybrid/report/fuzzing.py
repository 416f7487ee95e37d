"""What a fuzzing run says: its bar on a terminal, and its last lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Collection

from hybrid.crosscheck.found import count as count_of
from hybrid.crosscheck.fuzz import Summary
from hybrid.report.comparison import by_reason
from hybrid.report.screen import draw

TICK = 0.2  # seconds between changes of the bar
WIDTH = 20  # of the bar, in characters
MOST_NUMBERS = 50  # of programs that disagree and are not shown


class FuzzProgress:
    """A bar on a terminal."""

    def __init__(self, count: int, start: float) -> None:
        self.count = count
        self.start = start
        self.last = start

    def __call__(self, summary: Summary) -> None:
        now = time.monotonic()
        if now - self.last < TICK or not sys.stderr.isatty():
            return
        self.last = now
        rate = (summary.programs - summary.before) / (now - self.start)
        left = (self.count - summary.programs) / rate if rate else 0.0
        filled = WIDTH * summary.programs // self.count
        draw(
            sys.stderr,
            f"[{'#' * filled}{'.' * (WIDTH - filled)}] {summary.programs}/{self.count} programs, "
            f"{rate:.1f}/s, {count_of(len(summary.disagreements), 'disagreement')}, "
            f"{left:.0f} s left",
        )

    def end(self) -> None:
        if sys.stderr.isatty():
            draw(sys.stderr, "")


def fuzz_totals(
    summary: Summary,
    taken: Collection[str],
    count: int,
    shown: int,
    seconds: float,
    journal: str = "",
) -> str:
    """The last lines. `taken` are the configurations that take the model, `shown` is the number of
    disagreements that were shown in full."""
    lines = [
        f"{count_of(summary.programs, 'program')}, {count_of(summary.traces, 'trace')}, "
        f"{count_of(summary.blocked, 'blocked run')}, "
        f"{count_of(len(summary.disagreements), 'disagreement')}, {seconds:.1f} s"
    ]
    if summary.replayed:
        lines.append(f"{_were(summary.replayed, 'witness')} replayed")
    if summary.before:
        were = "was" if summary.before == 1 else "were"
        lines.append(f"{summary.before} of them {were} done before, says {journal}")
    if len(summary.disagreements) > shown:
        rest = summary.disagreements[shown:][:MOST_NUMBERS]
        numbers = ", ".join(str(finding.number) for finding in rest)
        lines.append(f"more disagreements, not shown: programs {numbers}")
    lines += _left_out(summary, taken)
    if summary.interrupted:
        lines.append(f"partial result: interrupted after {summary.programs} of {count} programs")
    return "\n".join(lines)


def _left_out(summary: Summary, taken: Collection[str]) -> list[str]:
    """What was not compared."""
    pairs = [(name, (reason, times)) for (name, reason), times in summary.left_out.items()]
    own = [pair for pair in pairs if pair[0] in taken]  # the others were named at the start
    lines = [
        f"not applicable to {count_of(times, 'program')}: {names}: {reason}"
        for (reason, times), names in by_reason(own).items()
    ]
    if summary.alone:
        programs = _were(summary.alone, "program")
        lines.append(f"{programs} taken by fewer than two: nothing compared")
    if summary.stopped:
        were = f"{count_of(summary.stopped, 'program')} {'was' if summary.stopped == 1 else 'were'}"
        lines.append(f"{were} not finished: the time limit, or the memory")
    return lines


def _were(number: int, noun: str) -> str:
    return f"{count_of(number, noun)} {'was' if number == 1 else 'were'}"
