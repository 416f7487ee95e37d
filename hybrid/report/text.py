"""Results as text in herd's form (so that scripts which read herd's output read ours), as JSON and
as table rows."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hybrid import versions
from hybrid.batch.expected import KINDS
from hybrid.engine.api import Counters
from hybrid.engine.races import Races
from hybrid.errors import InputError, InternalError, Unsupported
from hybrid.execution.trace import Status, Trace
from hybrid.execution.wait_text import kind_of, place_of, until, waits_text
from hybrid.model.core import RACE
from hybrid.printable import joined
from hybrid.program.condition import show_condition
from hybrid.program.loops import CutPlace
from hybrid.program.program import Expectation
from hybrid.report.herd import flags_of, herd_text, validation, witnesses
from hybrid.report.summary import Outcome, Result
from hybrid.source import Span
from hybrid.verdict import Verdict
from hybrid.witness.races import races_of
from hybrid.witness.run import run_table, run_text

TEXT, TABLE, JSON, QUIET, HERD = "text", "table", "json", "quiet", "herd"
SUMMARY = "summary"  # of a batch alone
WORDLESS = (HERD, SUMMARY)  # they do not show the verdict of a test


def full_text(result: Result, path: str, row: Row) -> str:
    """Everything about one result: herd's lines, then ours, then the witness."""
    lines = _herd_lines(result)
    lines += _own_lines(result, row)
    lines += _witness_lines(result)
    return joined(lines)


def quiet_line(result: Result, path: str, row: Row) -> str:
    differs = f"  differs: {'; '.join(row.differences)}" if row.differences else ""
    return joined([f"{row.program} {row.model} {row.word}{_flagged(row)}{differs}"])


def _flagged(row: Row) -> str:
    """What stands behind a verdict on one line: a race, a deadlock, or a checkpoint that it rests
    on, is never left out, nor are annotations that mean nothing to the model, unless the answer is
    the expected one."""
    told = f"  flags: {', '.join(row.flags)}" if row.flags else ""
    if row.ignored and not row.as_expected:
        told += f"  ignored: {', '.join(row.ignored)}"
    told += f"  waiting: {row.waiting}" if row.waiting else ""
    return told + (f"  continues {row.continued}" if row.continued else "")


def _herd_lines(result: Result) -> list[str]:
    name, condition = result.program.name, result.program.condition
    lines = [f"Test {name}" + (f" {KINDS[condition.quantifier]}" if condition else "")]
    terms = result.program.terms
    if terms:
        lines.append(f"States {len(result.outcomes)}")
        spell = result.program.addresses.show
        for outcome, count in sorted(result.outcomes.items()):
            state = " ".join(
                f"{t.name}={spell(t, v)};" for t, v in zip(terms, outcome, strict=True)
            )
            mark = "*" if outcome in result.marked else ":"
            lines.append(f"{count:<6}{mark}>{state}")
    if condition is None:
        lines += [f"Flag {flag}" for flag in flags_of(result)]
    else:
        positive, negative = witnesses(condition.quantifier, result.satisfying, result.negative)
        lines.append(validation(result, condition.quantifier))
        lines += ["Witnesses", f"Positive: {positive} Negative: {negative}"]
        lines += [f"Flag {flag}" for flag in flags_of(result)]
        lines.append(f"Condition {show_condition(condition)}")
        lines.append(
            f"Observation {name} {result.observation} {result.satisfying} {result.negative}"
        )
    lines.append(f"Time {name} {result.seconds:.2f}")
    return lines


def _own_lines(result: Result, row: Row) -> list[str]:
    counters = result.counters
    lines = ["", f"Verdict {row.program} {row.word}"]
    lines += [f"Differs: {difference}" for difference in row.differences]
    if result.partial:
        lines.append(f"Partial result: {result.partial}")
    lines += race_lines(result)
    lines += [f"Note: {message}" for message in result.messages]
    title = f" ({result.model.title})" if result.model.title else ""
    oracle = f", oracle {result.oracle}" if result.oracle else ""
    chosen = f", the model of {row.chosen_for}" if row.chosen_for else ""
    lines.append(f"Model {result.model.name}{title}{chosen}")
    lines.append(f"Engine {result.engine}{oracle}")
    if result.equivalence == "witness":
        lines.append(f"Answered by the formula; runs looked at: {result.traces}")
        if result.model.flags:
            found = [f"{flag} in {n}" for flag, n in sorted(result.flags.items())]
            lines.append(f"Flags in these runs, others left out: {', '.join(found) or 'none'}")
        return lines
    counts = (
        f"{'Classes' if result.equivalence == 'rf' else 'Traces'} {result.traces}, blocked {counters.blocked}, cut {counters.cut}, "
        f"errors {counters.errors}, stuck {counters.stuck}"
    )
    rare = {"deadlocks": counters.deadlocks, "livelocks": counters.livelocks}
    rare["thin air"] = counters.thin_air
    lines.append(counts + "".join(f", {word} {n}" for word, n in rare.items() if n))
    graphs = [f"{word} {number}" for word, number in _graphs(counters).items()]
    lines += [f"Graphs {', '.join(graphs)}"] if graphs else []
    lines += [f"Flag {flag} in {n} of {result.traces}" for flag, n in sorted(result.flags.items())]
    return lines


def race_lines(result: Result) -> list[str]:
    """The accesses that race, unless the user does not want to know."""
    if result.race is None or result.races is Races.IGNORE:
        return []
    status = result.race.status
    how = "" if status is Status.COMPLETE else f" (in a {status.value} run)"
    found = [f"Race: {race}{how}" for race in races_of(result.race)]
    return found or [f"Race: the flag {RACE} of {result.model.name}, which names no accesses"]


def waiting_line(result: Result) -> str:
    """That threads can wait for ever, for formats without notes; empty: they cannot."""
    if result.waiting is None:
        return ""
    return f"a run in which threads wait for ever: {waits_text(result.program, result.waiting.data().waiting)}"


def _race_fields(result: Result) -> dict[str, object] | None:
    if result.race is None:
        return None
    return {
        "status": result.race.status.value,
        "run": run_text(result.race),
        "accesses": [
            [dataclasses.asdict(access) for access in (race.first, race.second)]
            for race in races_of(result.race)
        ],
    }


def _graphs(counters: Counters) -> dict[str, int]:
    """What explorers of graphs count besides, where there is any."""
    counts = {"revisits": counters.revisits, "stored": counters.stored}
    return {word: number for word, number in counts.items() if number}


def _witness_lines(result: Result) -> list[str]:
    lines: list[str] = []
    if result.witness is not None:
        if result.witness is result.waiting and not result.witness.failed:
            head = "Witness: a run in which threads wait for ever"
        elif result.race is not None and result.witness.data() is result.race:
            head = "Witness: an execution with a data race"
        elif result.answer is Verdict.VIOLATED:
            head = "Witness: an execution that violates the claim"
        else:
            head = "Witness: an execution that satisfies the condition"
        lines += ["", head, *trace_lines(result.witness)]
    if result.waiting is not None and result.waiting is not result.witness:
        lines += ["", "Waiting: a run in which threads wait for ever", *trace_lines(result.waiting)]
    return lines


def trace_lines(trace: Trace) -> list[str]:
    """A trace as its run and the table of the run, indented."""
    data = trace.data()
    lines = [run_text(data), "", *run_table(data).rstrip("\n").split("\n")]
    if trace.status is Status.ERROR:
        lines += ["", f"error: {data.error}"]
    if data.waiting:
        lines += ["", waits_text(data.program, data.waiting)]
    if trace.failed:
        lines += ["", f"failed: {', '.join(trace.failed)}"]
    return [f"  {line}".rstrip() for line in lines]


def json_line(result: Result, path: str, row: Row) -> str:
    """One object on one line."""
    counters, terms = result.counters, result.program.terms
    condition = result.program.condition
    fields: dict[str, object] = {
        "version": versions.RESULT,
        "program": result.program.name,
        "file": path,
        "model": result.model.name,
        "model_of": row.chosen_for or None,
        "engine": result.engine,
        "oracle": result.oracle or None,
        "equivalence": result.equivalence,
        "verdict": result.verdict.value,
        "answer": result.answer.value,
        "expected": None
        if result.expected is None
        else {"verdict": result.expected.verdict, "traces": result.expected.traces},
        "expect": result.demanded or None,
        "as_expected": row.as_expected,
        "differences": list(row.differences),
        "condition": None if condition is None else show_condition(condition),
        "observation": result.observation,
        "traces": result.traces,
        "satisfying": result.satisfying,
        "failing": result.failing,
        "blocked": counters.blocked,
        "deadlocks": counters.deadlocks,
        "livelocks": counters.livelocks,
        "cut": counters.cut,
        "cuts": _json_cuts(result),
        "errors": counters.errors,
        "stuck": counters.stuck,
        "thin_air": counters.thin_air,
        "checks": counters.checks,
        **_graphs(counters),
        "unroll": result.limits.unroll,
        "max_steps": result.limits.max_steps,
        "seconds": round(result.seconds, 6),
        "partial": result.partial,
        "continued": result.continued or None,
        "messages": result.messages,
        "flags": dict(sorted(result.flags.items())),
        "mapped": result.program.mapped or None,
        "ignored": list(row.ignored),
        "races": result.races.value,
        "race": _race_fields(result),
        "outcomes": [
            {
                "state": {t.name: v for t, v in zip(terms, outcome, strict=True)},
                **_names(result, outcome),
                "traces": count,
                "satisfies": outcome in result.marked,
            }
            for outcome, count in sorted(result.outcomes.items())
        ],
        "witness": _json_witness(result.witness),
        "waiting": _json_waiting(result.waiting),
    }
    return json.dumps(fields, ensure_ascii=False) + "\n"


def _json_cuts(result: Result) -> list[dict[str, object]]:
    """Where threads reached a bound; a run in which several did counts for each."""
    found: dict[CutPlace, int] = {}
    for places, runs in result.cuts.items():
        for place in places:
            found[place] = found.get(place, 0) + runs
    names = [thread.name for thread in result.program.threads]
    return [
        {"thread": names[thread], "label": label, "bound": bound, "runs": runs}
        for (thread, label, bound), runs in sorted(found.items())
    ]


def _names(result: Result, outcome: Outcome) -> dict[str, object]:
    """The names of the addresses in an outcome, where there are any."""
    names = result.program.addresses.names(result.program.terms, outcome)
    return {"names": names} if names else {}


def _json_witness(trace: Trace | None) -> dict[str, object] | None:
    if trace is None:
        return None
    data = trace.data()
    return {
        "run": run_text(data),
        "status": trace.status.value,
        "failed": list(trace.failed),
        "error": data.error,
    }


def _json_waiting(trace: Trace | None) -> dict[str, object] | None:
    """A run in which threads wait for ever: which, where, for what."""
    if trace is None:
        return None
    data = trace.data()
    program = data.program
    return {
        "kind": kind_of(data.waiting),
        "run": run_text(data),
        "threads": [
            {
                "thread": program.threads[wait.thread].name,
                "label": wait.label,
                "location": place_of(program, wait),
                "until": until(wait),
            }
            for wait in data.waiting
        ],
    }


def json_error_line(error: InputError, path: str, model: str | None) -> str:
    """The object of a program that could not be run."""
    refused = isinstance(error, Unsupported)
    return _json_failure(error.message, error.hint, error.span, path, model, refused)


def _json_failure(
    message: str, hint: str, span: Span | None, path: str, model: str | None, refused: bool
) -> str:
    fields: dict[str, object] = {
        "version": versions.RESULT,
        "program": None,
        "file": path,
        "model": model,
        "verdict": Verdict.ERROR.value,
        "unsupported": refused,
        "error": message,
        "hint": hint,
        "place": None if span is None else str(span),
    }
    return json.dumps(fields, ensure_ascii=False) + "\n"


def failure_text(
    style: str, row: Row, path: str, message: str, hint: str = "", span: Span | None = None
) -> str:
    """What the output has of a program that could not be run; the rest is said on standard error."""
    if style == JSON:
        return _json_failure(
            message, hint, span, path, None if row.model == "-" else row.model, row.refused
        )
    return joined([f"{row.program} {row.model} {row.word}"]) if style == QUIET else ""


def stopped_text(style: str, row: Row, path: str) -> str:
    """What the output has of a program that was stopped before there was anything to show."""
    if style == TEXT:
        lines = [f"Test {row.program}", "", f"Verdict {row.program} {row.word}"]
        lines += [f"Differs: {difference}" for difference in row.differences]
        return joined([*lines, f"Partial result: {row.partial}"])
    if style == JSON:
        fields = {
            "version": versions.RESULT,
            "program": row.program,
            "file": path,
            "model": None if row.model == "-" else row.model,
            "verdict": row.verdict.value,
            "partial": row.partial,
            "seconds": round(row.seconds or 0.0, 6),
        }
        return json.dumps(fields, ensure_ascii=False) + "\n"
    return joined([f"{row.program} {row.model} {row.word}"]) if style == QUIET else ""


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
            flags=flags_of(result),
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


class Table:
    """Rows one under the other, written as they come."""

    def __init__(self, width: int) -> None:
        self.width = max(width, len("Program"))  # of the programs' names

    def head(self) -> str:
        line = self._line("Program", "Model", "Engine", "Verdict", "Traces", "Blocked", "Time")
        return f"{line}{'-' * (len(line) - 1)}\n"

    def row(self, row: Row) -> str:
        time = "-" if row.seconds is None else f"{row.seconds:.2f} s"
        line = self._line(
            row.program,
            row.model,
            row.engine,
            row.word,
            _cell(row.traces),
            _cell(row.blocked),
            time,
        )[:-1]
        if row.partial:
            line += f"  partial: {row.partial}"
        if row.differences:
            line += f"  differs: {'; '.join(row.differences)}"
        return joined([f"{line}{_flagged(row)}"])

    def _line(self, name: str, model: str, engine: str, verdict: str, *numbers: str) -> str:
        traces, blocked, time = numbers
        return (
            f"{name:<{self.width}}  {model:<8}  {engine:<9}  {verdict:<26}  "
            f"{traces:>8}  {blocked:>8}  {time:>9}\n"
        )


def _waiting_cell(result: Result) -> str:
    counters = result.counters
    numbers = {"deadlocks": counters.deadlocks, "livelocks": counters.livelocks}
    found = [(word, number) for word, number in numbers.items() if number]
    if result.equivalence == "witness":
        return ", ".join(word for word, _ in found)
    return ", ".join(f"{word} {number}" for word, number in found)


def _cell(number: int | None) -> str:
    return "-" if number is None else str(number)


def batch_line(rows: Iterable[Row], seconds: float) -> str:
    """How a batch went, on one line."""
    rows = list(rows)
    expected = sum(row.as_expected is True for row in rows)
    wrong = sum(row.as_expected is False for row in rows)
    refused = sum(row.refused for row in rows)
    bugs = sum(row.bug for row in rows)
    bad = sum(row.verdict is Verdict.ERROR for row in rows) - bugs - refused
    others = [row for row in rows if row.as_expected is None and row.verdict is not Verdict.ERROR]
    violated = sum(row.verdict is Verdict.VIOLATED for row in others)
    open_ = sum(row.verdict in (Verdict.BOUNDED, Verdict.INCONCLUSIVE) for row in others)
    parts = [f"{len(rows)} run{'s' * (len(rows) != 1)}", f"{expected} as expected"]
    parts.append(f"{wrong} not as expected")
    if len(others) - violated - open_:
        parts.append(f"{len(others) - violated - open_} answered without an expectation")
    if violated:
        parts.append(f"{violated} violated")
    if open_:
        parts.append(f"{open_} without an answer")
    if refused:
        parts.append(f"{refused} unsupported")
    if bad:
        parts.append(f"{bad} with errors")
    if bugs:
        parts.append(f"{bugs} with internal errors")
    return f"{', '.join(parts)}; {seconds:.2f} s\n"


FORMATS: dict[str, Callable[[Result, str, Row], str]] = {
    TEXT: full_text,
    TABLE: lambda result, path, row: "",  # made of the rows
    JSON: json_line,
    QUIET: quiet_line,
    HERD: lambda result, path, row: herd_text(result),
    SUMMARY: lambda result, path, row: "",
}
