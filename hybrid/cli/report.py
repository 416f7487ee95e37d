"""Results as text in herd's form (so that scripts which read herd's output read ours), as JSON and as table rows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from hybrid.engine.summary import Result
from hybrid.errors import InputError
from hybrid.execution.trace import Status, Trace
from hybrid.program.condition import Quantifier, show
from hybrid.verdict import Verdict
from hybrid.witness.run import run_table, run_text

_KINDS = {
    Quantifier.EXISTS: "Allowed",
    Quantifier.NOT_EXISTS: "Forbidden",
    Quantifier.FORALL: "Required",
}


def full_text(result: Result) -> str:
    """Everything about one result: herd's lines, then ours, then the witness."""
    lines = _herd_lines(result)
    lines += _own_lines(result)
    lines += _witness_lines(result)
    return "\n".join(lines) + "\n"


def verdict_text(result: Result) -> str:
    """`VIOLATED (as expected)`, `ALLOWED`, …"""
    return result.verdict.value + (" (as expected)" if result.as_expected else "")


def quiet_line(result: Result) -> str:
    return f"{result.program.name} {result.model.name} {verdict_text(result)}\n"


def _herd_lines(result: Result) -> list[str]:
    name, condition = result.program.name, result.program.condition
    lines = [f"Test {name}" + (f" {_KINDS[condition.quantifier]}" if condition else "")]
    terms = result.program.terms
    if terms:
        lines.append(f"States {len(result.outcomes)}")
        for outcome, count in sorted(result.outcomes.items()):
            state = " ".join(f"{t.name}={v};" for t, v in zip(terms, outcome, strict=True))
            mark = "*" if outcome in result.marked else ":"
            lines.append(f"{count:<6}{mark}>{state}")
    if condition is None:
        lines += [f"Flag {flag}" for flag in sorted(result.flags)]
    else:
        positive, negative = result.satisfying, result.negative
        if condition.quantifier is Quantifier.NOT_EXISTS:  # herd: what witnesses the claim
            positive, negative = negative, positive
        lines.append(_validation(result, condition.quantifier))
        lines += ["Witnesses", f"Positive: {positive} Negative: {negative}"]
        lines += [f"Flag {flag}" for flag in sorted(result.flags)]
        lines.append(f"Condition {condition.quantifier.value} ({show(condition.formula)})")
        lines.append(
            f"Observation {name} {result.observation} {result.satisfying} {result.negative}"
        )
    lines.append(f"Time {name} {result.seconds:.2f}")
    return lines


def _validation(result: Result, quantifier: Quantifier) -> str:
    """herd's `Ok` or `No`, after `Loop` when runs were cut; `??` when the exploration does not show which."""
    if quantifier is Quantifier.FORALL:
        settled, usual = result.negative > 0, "Ok"
    else:
        settled, usual = result.satisfying > 0, "Ok"
    if quantifier is Quantifier.EXISTS:
        usual = "No"
    if not settled and result.unfinished:
        return "??"
    other = "No" if usual == "Ok" else "Ok"
    return ("Loop " if result.counters.cut else "") + (other if settled else usual)


def _own_lines(result: Result) -> list[str]:
    counters = result.counters
    lines = ["", f"Verdict {result.program.name} {verdict_text(result)}"]
    if result.partial:
        lines.append(f"Partial result: {result.partial}")
    lines += [f"Note: {message}" for message in result.messages]
    title = f" ({result.model.title})" if result.model.title else ""
    oracle = f", oracle {result.oracle}" if result.oracle else ""
    lines.append(f"Model {result.model.name}{title}")
    lines.append(f"Engine {result.engine}{oracle}")
    if result.equivalence == "witness":
        lines.append(f"Answered by the formula; runs looked at: {result.traces}")
        return lines
    counts = (
        f"{'Classes' if result.equivalence == 'rf' else 'Traces'} {result.traces}, blocked {counters.blocked}, cut {counters.cut}, "
        f"errors {counters.errors}, deadlocks {counters.deadlocks}"
    )
    lines.append(counts + (f", thin air {counters.thin_air}" if counters.thin_air else ""))
    lines += [f"Flag {flag} in {n} of {result.traces}" for flag, n in sorted(result.flags.items())]
    return lines


def _witness_lines(result: Result) -> list[str]:
    if result.witness is None:
        return []
    if result.answer is Verdict.VIOLATED:
        head = "Witness: an execution that violates the claim"
    else:
        head = "Witness: an execution that satisfies the condition"
    return ["", head, *trace_lines(result.witness)]


def trace_lines(trace: Trace) -> list[str]:
    """A trace as its run and the table of the run, indented."""
    data = trace.data()
    lines = [run_text(data), "", *run_table(data).rstrip("\n").split("\n")]
    if trace.status is Status.ERROR:
        lines += ["", f"error: {data.error}"]
    if trace.failed:
        lines += ["", f"failed: {', '.join(trace.failed)}"]
    return [f"  {line}".rstrip() for line in lines]


def json_line(result: Result, path: str) -> str:
    """One object on one line."""
    counters, terms = result.counters, result.program.terms
    condition = result.program.condition
    fields: dict[str, object] = {
        "program": result.program.name,
        "file": path,
        "model": result.model.name,
        "engine": result.engine,
        "oracle": result.oracle or None,
        "equivalence": result.equivalence,
        "verdict": result.verdict.value,
        "answer": result.answer.value,
        "expected": None
        if result.expected is None
        else {"verdict": result.expected.verdict, "traces": result.expected.traces},
        "as_expected": result.as_expected,
        "condition": None
        if condition is None
        else f"{condition.quantifier.value} ({show(condition.formula)})",
        "observation": result.observation,
        "traces": result.traces,
        "satisfying": result.satisfying,
        "failing": result.failing,
        "blocked": counters.blocked,
        "cut": counters.cut,
        "errors": counters.errors,
        "deadlocks": counters.deadlocks,
        "thin_air": counters.thin_air,
        "checks": counters.checks,
        "unroll": result.limits.unroll,
        "seconds": round(result.seconds, 6),
        "partial": result.partial,
        "messages": result.messages,
        "flags": dict(sorted(result.flags.items())),
        "outcomes": [
            {
                "state": {t.name: v for t, v in zip(terms, outcome, strict=True)},
                "traces": count,
                "satisfies": outcome in result.marked,
            }
            for outcome, count in sorted(result.outcomes.items())
        ],
        "witness": _json_witness(result.witness),
    }
    return json.dumps(fields, ensure_ascii=False) + "\n"


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


def json_error_line(error: InputError, path: str, model: str | None) -> str:
    """The object of a program that could not be run."""
    span = error.span
    fields: dict[str, object] = {
        "program": None,
        "file": path,
        "model": model,
        "verdict": Verdict.ERROR.value,
        "error": error.message,
        "hint": error.hint,
        "place": None if span is None else str(span),
    }
    return json.dumps(fields, ensure_ascii=False) + "\n"


@dataclass(frozen=True, slots=True)
class Row:
    """What a batch keeps of each run: the line of its table, and what counts for the exit code."""

    program: str
    model: str
    verdict: Verdict
    counted: Verdict  # for the exit code
    traces: int | None
    blocked: int | None
    seconds: float | None
    as_expected: bool | None = None
    partial: str = ""

    @classmethod
    def of(cls, result: Result) -> Row:
        return cls(
            result.program.name,
            result.model.name,
            result.verdict,
            result.counted,
            result.traces,
            result.counters.blocked,
            result.seconds,
            result.as_expected,
            result.partial,
        )

    @classmethod
    def error(cls, program: str, model: str) -> Row:
        return cls(program, model, Verdict.ERROR, Verdict.ERROR, None, None, None)


class Table:
    """Rows one under the other, written as they come."""

    def __init__(self, width: int) -> None:
        self.width = max(width, len("Program"))  # of the programs' names

    def head(self) -> str:
        line = self._line("Program", "Model", "Verdict", "Traces", "Blocked", "Time")
        return f"{line}{'-' * (len(line) - 1)}\n"

    def row(self, row: Row) -> str:
        verdict = row.verdict.value + (" (as expected)" if row.as_expected else "")
        time = "-" if row.seconds is None else f"{row.seconds:.2f} s"
        line = self._line(
            row.program, row.model, verdict, _cell(row.traces), _cell(row.blocked), time
        )
        return line if not row.partial else f"{line[:-1]}  partial: {row.partial}\n"

    def _line(self, name: str, model: str, verdict: str, *numbers: str) -> str:
        traces, blocked, time = numbers
        return (
            f"{name:<{self.width}}  {model:<8}  {verdict:<26}  "
            f"{traces:>8}  {blocked:>8}  {time:>9}\n"
        )


def _cell(number: int | None) -> str:
    return "-" if number is None else str(number)


def batch_line(rows: Iterable[Row], seconds: float) -> str:
    """How a batch went, on one line."""
    rows = list(rows)
    expected = sum(row.as_expected is True for row in rows)
    wrong = sum(row.as_expected is False for row in rows)
    bad = sum(row.verdict is Verdict.ERROR for row in rows)
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
    if bad:
        parts.append(f"{bad} with errors")
    return f"{', '.join(parts)}; {seconds:.2f} s\n"
