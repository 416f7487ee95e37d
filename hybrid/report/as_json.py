"""Results as JSON: one object on one line per program and model."""

from __future__ import annotations

import dataclasses
import json

from hybrid import versions
from hybrid.errors import InputError, Unsupported
from hybrid.execution.trace import Trace
from hybrid.execution.wait_text import kind_of, place_of, until
from hybrid.program.condition import show_condition
from hybrid.program.loops import CutPlace
from hybrid.program.passes.setting import KEEP
from hybrid.report.output_format import OutputFormat
from hybrid.report.result import Outcome, Result
from hybrid.report.row import Row
from hybrid.report.sightings import Violation
from hybrid.source import Span
from hybrid.verdict import Verdict
from hybrid.witness.races import RacingAccess, races_of
from hybrid.witness.run import run_text, source_rows

_OF_SOURCE = ("file", "stack")  # fields of an access


class JsonFormat(OutputFormat):
    name = "json"
    shortcut = "one JSON object per program and model"

    def result(self, result: Result, path: str, row: Row) -> str:
        return _line(
            {
                **_settings(result, path, row),
                **_answer(result, row),
                **_counts(result),
                **_end(result, row),
                **_shown(result),
            }
        )

    def stopped(self, row: Row, path: str) -> str:
        fields: dict[str, object] = {
            "version": versions.RESULT,
            "program": row.program,
            "file": path,
            "model": _model(row),
            "verdict": row.verdict.value,
            "partial": row.partial,
            "seconds": round(row.seconds or 0.0, 6),
        }
        return _line(fields)

    def failure(
        self, row: Row, path: str, message: str, hint: str = "", span: Span | None = None
    ) -> str:
        return _failure(message, hint, span, path, _model(row), row.refused)


def _line(fields: dict[str, object]) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"


def _model(row: Row) -> str | None:
    return None if row.model == "-" else row.model


def _settings(result: Result, path: str, row: Row) -> dict[str, object]:
    """What was explored, and how."""
    return {
        "version": versions.RESULT,
        "program": result.program.name,
        "file": path,
        "model": result.model.name,
        "model_of": row.chosen_for or None,
        "engine": result.engine,
        "oracle": result.oracle or None,
        "equivalence": result.equivalence,
    }


def _answer(result: Result, row: Row) -> dict[str, object]:
    """The verdict and what was expected."""
    condition, expected = result.program.condition, None
    if result.expected is not None:
        expected = {"verdict": result.expected.verdict, "traces": result.expected.traces}
    return {
        "verdict": result.verdict.value,
        "unsupported": bool(result.unsupported),
        "answer": result.answer.value,
        "expected": expected,
        "expect": result.demanded or None,
        "as_expected": row.as_expected,
        "differences": list(row.differences),
        "condition": None if condition is None else show_condition(condition),
        "observation": result.observation,
    }


def _counts(result: Result) -> dict[str, object]:
    counters = result.counters
    return {
        "traces": result.traces,
        "satisfying": result.satisfying,
        "failing": result.failing,
        "blocked": counters.blocked,
        "deadlocks": counters.deadlocks,
        "livelocks": counters.livelocks,
        "cut": counters.cut,
        "cuts": _cuts(result),
        "errors": counters.errors,
        "stuck": counters.stuck,
        "thin_air": counters.thin_air,
        "checks": counters.checks,
        **({"refused": counters.refused} if counters.refused else {}),
        **result.graph_counts,
        **result.interleaving_counts,
    }


def _end(result: Result, row: Row) -> dict[str, object]:
    """The limits, how the exploration ended, and what else is to be said of it."""
    return {
        "unroll": result.limits.unroll,
        "max_steps": result.limits.max_steps,
        "loops": (*result.program.loops, KEEP)[0],
        "seconds": round(result.seconds, 6),
        "partial": result.partial,
        "continued": result.continued or None,
        "estimate": _estimate(result),
        "messages": result.messages,
        "flags": dict(sorted(result.flags.items())),
        "mapped": result.program.mapped or None,
        "ignored": list(row.ignored),
        "races": result.races.value,
        "race": _race_fields(result),
    }


def _estimate(result: Result) -> dict[str, object] | None:
    """How many executions there are, if that was estimated."""
    estimate = result.estimate
    if estimate is None:
        return None
    return {
        "executions": round(estimate.executions),
        "low": round(estimate.low),
        "high": round(estimate.high),
        "explored": result.explored,
        "after": round(result.estimated_after, 3),
        "walks": estimate.walks,
    }


def _shown(result: Result) -> dict[str, object]:
    """The outcomes and the runs that show the answer."""
    terms = result.program.terms
    states = result.outcomes if terms or not result.program.compiled else {}
    return {
        "violations": _violations(result),
        "notes": [_violation(each) for each in result.beside],
        "outcomes": [
            {
                "state": {t.name: v for t, v in zip(terms, outcome, strict=True)},
                **_names(result, outcome),
                "traces": count,
                "satisfies": outcome in result.marked,
            }
            for outcome, count in sorted(states.items())
        ],
        "witness": _witness(result.witness),
        "waiting": _waiting(result),
    }


def _cuts(result: Result) -> list[dict[str, object]]:
    """Where threads reached a bound; a run in which several did counts for each."""
    found: dict[CutPlace, int] = {}
    for places, runs in result.cuts.items():
        for place in places:
            found[place] = found.get(place, 0) + runs
    names = [thread.name for thread in result.program.threads]
    return [
        {
            "thread": names[thread],
            "label": label,
            **_origin(result, label),
            "bound": bound,
            "runs": runs,
        }
        for (thread, label, bound), runs in sorted(found.items())
    ]


def _origin(result: Result, label: str) -> dict[str, object]:
    """Of a compiled program: where in its source."""
    origin = result.program.origins.get(label)
    if origin is None:
        return {}
    return {"file": origin.file, "line": origin.line, "message": origin.message}


def _names(result: Result, outcome: Outcome) -> dict[str, object]:
    """The names of the addresses in an outcome, where there are any."""
    names = result.program.addresses.names(result.program.terms, outcome)
    return {"names": names} if names else {}


def _witness(trace: Trace | None) -> dict[str, object] | None:
    if trace is None:
        return None
    data = trace.data()
    steps = [dataclasses.asdict(row) for row in source_rows(data)] if data.program.compiled else []
    return {
        "run": run_text(data),
        "status": trace.status.value,
        "failed": list(trace.failed),
        "error": data.error,
        **({"steps": steps} if steps else {}),
    }


def _violations(result: Result) -> list[dict[str, object]]:
    return [{**_violation(each), "witness": _witness(each.witness)} for each in result.violations]


def _violation(violation: Violation) -> dict[str, object]:
    fault = violation.fault
    return {
        "kind": fault.kind,
        "file": fault.file or None,
        "line": fault.line or None,
        "thread": fault.thread or None,
        "stack": list(fault.stack),
        "message": fault.message,
        "executions": violation.executions,
    }


def _waiting(result: Result) -> dict[str, object] | None:
    """A run in which threads wait for ever: which, where, for what."""
    if result.waiting is None:
        return None
    data = result.waiting.data()
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
                **_origin(result, wait.label),
            }
            for wait in data.waiting
        ],
    }


def json_error_line(error: InputError, path: str, model: str | None) -> str:
    """The object of a program that could not be run."""
    refused = isinstance(error, Unsupported)
    return _failure(error.message, error.hint, error.span, path, model, refused)


def _failure(
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
    return _line(fields)


def _race_fields(result: Result) -> dict[str, object] | None:
    if result.race is None:
        return None
    return {
        "status": result.race.status.value,
        "run": run_text(result.race),
        "accesses": [
            [_access(access) for access in (race.first, race.second)]
            for race in races_of(result.race)
        ],
        "between": [
            [[_access(load), _access(store)] for load, store in race.between]
            for race in races_of(result.race)
        ],
    }


def _access(access: RacingAccess) -> dict[str, object]:
    """`file` and `stack` only of a compiled program."""
    fields = dataclasses.asdict(access)
    return fields if access.file else {k: v for k, v in fields.items() if k not in _OF_SOURCE}
