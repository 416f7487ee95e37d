"""What a batch keeps of each run, and how a batch went on one line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hybrid.errors import InternalError
from hybrid.printable import number_of
from hybrid.program.program import Expectation
from hybrid.report.result import Result
from hybrid.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Row:
    """What a batch keeps of each run: the line of its table, and what counts for the exit code."""

    program: str
    model: str
    engine: str
    verdict: Verdict
    counted: Verdict  # for the exit code
    traces: int | None = None
    blocked: int | None = None
    seconds: float | None = None
    as_expected: bool | None = None  # by --expect, by the file, or by a table of known answers
    partial: str = ""
    chosen_for: str = ""  # the architecture whose model this is; empty: the user chose it
    differences: tuple[str, ...] = ()  # from --expect and from the known answer
    refused: bool = False  # it uses something that hybrid does not take
    bug: bool = False  # no answer, by a fault of hybrid
    ignored: tuple[str, ...] = ()  # annotations and fences that mean nothing to the model
    flags: tuple[str, ...] = ()  # of the model, that some execution raises: a race, …
    continued: str = ""  # the checkpoint from which it went on
    waiting: str = ""  # runs in which threads wait for ever: `deadlocks 2`

    @classmethod
    def of(cls, result: Result) -> Row:
        differs: tuple[str, ...] = ()
        if result.demanded and not result.as_expected:
            differs = (not_demanded(result.answer.value, result.demanded),)
        return cls(
            result.program.name,
            result.model.name,
            result.engine,
            result.verdict,
            result.counted,
            result.traces,
            result.counters.blocked,
            result.seconds,
            result.as_expected,
            result.partial,
            differences=differs,
            refused=bool(result.unsupported),
            flags=result.raised,
            continued=result.continued,
            waiting=_waiting_cell(result),
        )

    @classmethod
    def error(cls, program: str, model: str, refused: bool = False, bug: bool = False) -> Row:
        return cls(program, model, "-", Verdict.ERROR, Verdict.ERROR, refused=refused, bug=bug)

    @property
    def word(self) -> str:
        """`VIOLATED (as expected)`, `ALLOWED`, `UNSUPPORTED`, …"""
        if self.bug or self.refused:
            return "INTERNAL ERROR" if self.bug else "UNSUPPORTED"
        open_ = self.verdict in (Verdict.BOUNDED, Verdict.INCONCLUSIVE)
        if self.as_expected is False and open_:  # VIOLATED says it without a word
            return f"{self.verdict.value} (unexpected)"
        return self.verdict.value + (" (as expected)" if self.as_expected else "")

    @property
    def exit_code(self) -> int:
        return InternalError.exit_code if self.bug else self.counted.exit_code


def not_demanded(answer: str, demanded: str) -> str:
    """How an answer differs from the one that --expect names."""
    without = " without a race" if demanded == Expectation.RACE else ""
    return f"answer {answer}{without}, --expect {demanded}"


def _waiting_cell(result: Result) -> str:
    counters = result.counters
    numbers = {"deadlocks": counters.deadlocks, "livelocks": counters.livelocks}
    found = [(word, number) for word, number in numbers.items() if number]
    if result.equivalence == "witness":
        return ", ".join(word for word, _ in found)
    return ", ".join(f"{word} {number}" for word, number in found)


def flagged(row: Row) -> str:
    """What stands behind a verdict on one line: a race, a deadlock, or a checkpoint that it rests
    on, is never left out, nor are annotations that mean nothing to the model, unless the answer is
    the expected one."""
    told = f"  flags: {', '.join(row.flags)}" if row.flags else ""
    if row.ignored and not row.as_expected:
        told += f"  ignored: {', '.join(row.ignored)}"
    told += f"  waiting: {row.waiting}" if row.waiting else ""
    return told + (f"  continues {row.continued}" if row.continued else "")


def batch_line(rows: Iterable[Row], seconds: float) -> str:
    """How a batch went, on one line."""
    rows = list(rows)
    errors = [row for row in rows if row.verdict is Verdict.ERROR]
    others = [row for row in rows if row.as_expected is None and row.verdict is not Verdict.ERROR]
    violated = sum(row.verdict is Verdict.VIOLATED for row in others)
    open_ = sum(row.verdict in (Verdict.BOUNDED, Verdict.INCONCLUSIVE) for row in others)
    refused, bugs = sum(row.refused for row in rows), sum(row.bug for row in rows)
    counts = {
        "answered without an expectation": len(others) - violated - open_,
        "violated": violated,
        "without an answer": open_,
        "unsupported": refused,
        "with errors": len(errors) - bugs - refused,
        "with internal errors": bugs,
    }
    expected = sum(row.as_expected is True for row in rows)
    wrong = sum(row.as_expected is False for row in rows)
    parts = [number_of(len(rows), "run"), f"{expected} as expected", f"{wrong} not as expected"]
    parts += [f"{number} {words}" for words, number in counts.items() if number]
    return f"{', '.join(parts)}; {seconds:.2f} s\n"
