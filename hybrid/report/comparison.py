"""What a comparison of configurations says: in full, as a line of a table, as JSON."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

from hybrid import versions
from hybrid.crosscheck.compare import Comparison
from hybrid.crosscheck.found import Found, count
from hybrid.engine.api import TRACE
from hybrid.printable import joined
from hybrid.report.disagreement import disagreement_json
from hybrid.verdict import Verdict

Reason = TypeVar("Reason", bound=Hashable)

TEXT, TABLE, JSON = "text", "table", "json"  # how a comparison is written
EQUAL = "EQUAL"  # what HOLDS is called here


def result_name(comparison: Comparison) -> str:
    verdict = comparison.verdict
    return EQUAL if verdict is Verdict.HOLDS else verdict.value


def full_text(comparison: Comparison) -> str:
    """The result, then one line per configuration."""
    rows = [(found.name, _counts(found)) for found in comparison.findings]
    width = max((len(name) for name, _ in rows), default=0)
    lines = [f"{comparison.program.name} under {comparison.model.name}: {result_name(comparison)}"]
    lines += [f"  {name:<{width}}  {text}" for name, text in rows]
    lines += [
        f"  not applicable: {names}: {reason}"
        for reason, names in by_reason(comparison.left_out).items()
    ]
    if comparison.completeness:
        lines.append(f"  complete: {comparison.completeness}")
    lines += [f"  not finished: {reason}" for reason in comparison.open]
    return joined(lines)


HEAD = ("Program", "Model", "Result", "Traces", "Compared", "Time")  # the columns of a table


def table_line(width: int, cells: tuple[str, ...]) -> str:
    """A line of a table; `width` is that of the longest name."""
    name, model, result, traces, compared, seconds = cells
    return f"{name:<{width}}  {model:<8}  {result:<12}  {traces:>8}  {compared:>8}  {seconds:>9}\n"


def table_cells(comparison: Comparison) -> tuple[str, ...]:
    traces = [str(len(f.traces)) for f in comparison.findings if f.equivalence == TRACE]
    return (
        comparison.program.name,
        comparison.model.name,
        result_name(comparison),
        traces[0] if traces else "-",
        str(len(comparison.findings)),
        f"{sum(found.seconds for found in comparison.findings):.2f} s",
    )


def below_cells(comparison: Comparison) -> str:
    """What a table says of a comparison below its line."""
    return "".join(f"  not finished: {reason}\n" for reason in comparison.open)


def by_reason(left_out: Iterable[tuple[str, Reason]]) -> dict[Reason, str]:
    """The configurations that each reason leaves out, with commas between."""
    names: dict[Reason, list[str]] = {}
    for name, reason in left_out:
        names.setdefault(reason, []).append(name)
    return {reason: ", ".join(found) for reason, found in names.items()}


def _counts(found: Found) -> str:
    if found.crash:
        return f"fails: {found.crash}"
    return f"{counts_of(found)}  {found.seconds:.2f} s"


def counts_of(found: Found) -> str:
    """`4 traces, 2 blocked`"""
    what = "trace" if found.equivalence == TRACE else "class"
    counters = found.counters
    parts = [count(len(found.traces), what)]
    for number, word in (
        (len(found.duplicates), "met again"),
        (len(found.waiting), "waiting"),
        (counters.blocked, "blocked"),
        (counters.cut, "cut"),
        (counters.errors, "erring"),
        (counters.stuck, "stuck"),
    ):
        if number:
            parts.append(f"{number} {word}")
    return ", ".join(parts)


def comparison_json(comparison: Comparison, path: str) -> dict[str, object]:
    return {
        "version": versions.COMPARISON,
        "program": comparison.program.name,
        "file": path,
        "model": comparison.model.name,
        "verdict": result_name(comparison),
        "unroll": comparison.limits.unroll,
        "max_steps": comparison.limits.max_steps,
        "configurations": [
            {
                "name": found.name,
                "equivalence": found.equivalence,
                "traces": len(found.traces),
                "duplicates": len(found.duplicates),
                "blocked": found.counters.blocked,
                "deadlocks": found.counters.deadlocks,
                "livelocks": found.counters.livelocks,
                "cut": found.counters.cut,
                "errors": found.counters.errors,
                "stuck": found.counters.stuck,
                "seconds": round(found.seconds, 6),
                "unfinished": found.unfinished,
                "crash": found.crash,
            }
            for found in comparison.findings
        ],
        "not_applicable": [{"name": n, "reason": r} for n, r in comparison.left_out],
        "complete": comparison.complete,
        "completeness": comparison.completeness,
        "open": comparison.open,
        "differences": disagreement_json(comparison),
        "shrunk": None,
    }
