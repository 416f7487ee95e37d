"""Everything about one result, for people: herd's lines, then ours, then the witness."""

from __future__ import annotations

from hybrid.printable import joined
from hybrid.program.condition import show_condition
from hybrid.report.herd import KINDS, validation, witnesses
from hybrid.report.output_format import Conclusion, OutputFormat
from hybrid.report.result import Result
from hybrid.report.row import Row
from hybrid.report.witness_lines import race_lines, witness_lines


class TextFormat(OutputFormat):
    name = "text"
    parted = True
    conclusion = Conclusion.OUTPUT

    def result(self, result: Result, path: str, row: Row) -> str:
        return joined([*_herd_lines(result), *_own_lines(result, row), *witness_lines(result)])

    def stopped(self, row: Row, path: str) -> str:
        lines = [f"Test {row.program}", "", f"Verdict {row.program} {row.word}"]
        lines += [f"Differs: {difference}" for difference in row.differences]
        return joined([*lines, f"Partial result: {row.partial}"])


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
    graphs = [f"{word} {number}" for word, number in result.graph_counts.items()]
    lines += [f"Graphs {', '.join(graphs)}"] if graphs else []
    lines += [f"Flag {flag} in {n} of {result.traces}" for flag, n in sorted(result.flags.items())]
    return lines
