"""Everything about one result, for people: the verdict and what it means, the states in herd's
lines, the witness, and at last how it was found."""

from __future__ import annotations

from hybrid.model.core import RACE
from hybrid.printable import joined
from hybrid.program.condition import show_condition
from hybrid.report.colour import in_report
from hybrid.report.herd import KINDS, validation, witnesses
from hybrid.report.meaning import meaning
from hybrid.report.output_format import Conclusion, OutputFormat
from hybrid.report.result import Result
from hybrid.report.row import Row
from hybrid.report.sightings import Violation
from hybrid.report.witness_lines import race_lines, witness_lines


class TextFormat(OutputFormat):
    name = "text"
    parted = True
    conclusion = Conclusion.OUTPUT

    def result(self, result: Result, path: str, row: Row) -> str:
        lines = [_verdict(row), meaning(result), *_qualifications(result, row)]
        lines += ["", *_herd_lines(result), *witness_lines(result)]
        return joined([*lines, "", *_setting(result, row), *_counts(result)])

    def stopped(self, row: Row, path: str) -> str:
        lines = [_verdict(row), *_differences(row), f"Partial result: {row.partial}"]
        return joined([*lines, "", f"Test {row.program}"])

    def paint(self, text: str) -> str:
        return in_report(text)


def _verdict(row: Row) -> str:
    return f"Verdict {row.program} {row.word}"


def _differences(row: Row) -> list[str]:
    return [f"Differs: {difference}" for difference in row.differences]


def _qualifications(result: Result, row: Row) -> list[str]:
    """What is to be known with the verdict."""
    lines = _differences(row)
    if result.partial:
        lines.append(f"Partial result: {result.partial}")
    lines += [line for each in result.violations for line in _violation(result, each)]
    lines += race_lines(result)
    # the offence is what the verdict means
    return lines + [f"Note: {told}" for told in result.messages if told != result.offence]


def _violation(result: Result, violation: Violation) -> list[str]:
    """Of a compiled program; of others the verdict, the witness and the races say it."""
    if not result.program.compiled or violation.fault.kind == RACE:
        return []
    first, *calls = violation.lines()
    return [f"Violation: {first}", *calls]


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
        lines += [f"Flag {flag}" for flag in result.raised]
    else:
        positive, negative = witnesses(condition.quantifier, result.satisfying, result.negative)
        lines.append(validation(result, condition.quantifier))
        lines += ["Witnesses", f"Positive: {positive} Negative: {negative}"]
        lines += [f"Flag {flag}" for flag in result.raised]
        lines.append(f"Condition {show_condition(condition)}")
        lines.append(
            f"Observation {name} {result.observation} {result.satisfying} {result.negative}"
        )
    lines.append(f"Time {name} {result.seconds:.2f}")
    return lines


def _setting(result: Result, row: Row) -> list[str]:
    title = f" ({result.model.title})" if result.model.title else ""
    chosen = f", the model of {row.chosen_for}" if row.chosen_for else ""
    oracle = f", oracle {result.oracle}" if result.oracle else ""
    return [f"Model {result.model.name}{title}{chosen}", f"Engine {result.engine}{oracle}"]


def _counts(result: Result) -> list[str]:
    """The counters that say something; JSON has all of them."""
    if result.equivalence == "witness":
        lines = [f"Answered by the formula; runs looked at: {result.traces}"]
        if result.model.flags:
            found = [f"{flag} in {n}" for flag, n in sorted(result.flags.items())]
            lines.append(f"Flags in these runs, others left out: {', '.join(found) or 'none'}")
        return lines
    counters = result.counters
    others = {
        "blocked": counters.blocked,
        "cut": counters.cut,
        "errors": counters.errors,
        "stuck": counters.stuck,
        "deadlocks": counters.deadlocks,
        "livelocks": counters.livelocks,
        "thin air": counters.thin_air,
        "sleep-set blocked": counters.sleep_blocked,
    }
    noun = "Traces" if result.equivalence == "trace" else "Classes"
    lines = [f"{noun} {result.traces}" + "".join(f", {w} {n}" for w, n in others.items() if n)]
    graphs = [f"{word} {number}" for word, number in result.graph_counts.items()]
    lines += [f"Graphs {', '.join(graphs)}"] if graphs else []
    lines += [f"Flag {flag} in {n} of {result.traces}" for flag, n in sorted(result.flags.items())]
    return lines
