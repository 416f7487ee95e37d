"""`hybrid explain`: why an outcome is allowed (an execution) or forbidden (the axiom and the cycle).

A forbidden outcome is explained on candidate executions: everything that the program's text permits when the model has no
axioms. Each candidate that reaches the outcome is refused by some axiom, with a shortest cycle.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hybrid.cli import common, explain_race, report
from hybrid.cli.outcome import parse_outcome
from hybrid.cli.progress import Progress
from hybrid.cli.search import search
from hybrid.engine.api import Limits, Stopped
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.summary import INTERRUPTED
from hybrid.errors import InputError, InternalError
from hybrid.execution.trace import Status, Trace, TraceData
from hybrid.model.core import Model
from hybrid.model.load import load_model
from hybrid.oracle.api import Reason
from hybrid.oracle.core_of_trace import explain_by_core
from hybrid.oracle.of_trace import explain_trace
from hybrid.printable import joined
from hybrid.program.condition import Formula, Not, Quantifier, holds, show
from hybrid.program.instructions import Assert
from hybrid.program.program import Program
from hybrid.verdict import Verdict
from hybrid.witness.steps import steps_of
from hybrid.witness.text import trace_text

MAX_CANDIDATES = 20_000

EXAMPLES = """examples:
  hybrid explain MP.prog --model power
  hybrid explain SB.prog --model tso --outcome 'P:r0=0 /\\ Q:r0=0'
  hybrid explain MP+syncs.prog --reasons both
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Shows why an outcome is allowed (an execution) or forbidden (the axiom and the cycle)."
    )
    parser.epilog = EXAMPLES
    parser.add_argument("file", metavar="FILE", help="a program")
    parser.add_argument(
        "--model",
        metavar="MODEL",
        help="a built-in model or a .cat file; default: that of the architecture, or "
        + common.DEFAULT_MODEL,
    )
    parser.add_argument(
        "--outcome",
        metavar="FORMULA",
        help="what to explain; default: the file's final condition (of a forall: its opposite), or a failing assert",
    )
    parser.add_argument(
        "--candidates",
        metavar="N",
        type=common.positive,
        default=MAX_CANDIDATES,
        help="how many candidate executions to look at; default %(default)s",
    )
    parser.add_argument(
        "--reasons",
        choices=("graph", "core", "both"),
        default="graph",
        help="where the reason of a forbidden execution comes from: the shortest cycle in the graphs (default), an unsat core "
        "of a SAT solver, or both side by side",
    )
    common.add_engine_options(parser)
    common.add_race_option(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write there")


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be explained."""

    text: str
    reached: Callable[[Trace], bool]


def run(args: argparse.Namespace) -> int:
    common.check_engine_options(args)
    common.check_outputs({"-o": args.output}, [Path(args.file)])
    program = common.program_at(Path(args.file))
    model = load_model(common.default_model(program) if args.model is None else args.model)
    if args.output is not None:
        common.check_writable(args.output)
    engine, notes = common.engine_for(args, program, model)
    for message in notes:
        print(f"note: {message}", file=sys.stderr)
    if args.outcome is None:
        race = explain_race.find(args, program, model, engine)
        if race is not None:
            return explain_race.show(race, args.output)
    target = target_of(program, args.outcome)
    found = search(program, model, engine, common.limits_for(args), target.reached)
    with common.output(args.output) as stream:
        stream.write(joined([f"{program.name} under {model.name}: {target.text}"]))
        refusals = Refusals()
        if found.trace is None and found.open != INTERRUPTED:
            refusals.look(program, model, common.limits_for(args), target, args.candidates)
        reached = found.trace or refusals.allowed
        if reached is None:
            verdict = Verdict.INCONCLUSIVE if found.open else Verdict.FORBIDDEN
            traces = f"{found.seen} trace{'s' if found.seen != 1 else ''}"
            if found.open:
                stream.write(f"not reached in {traces}, but not decided: {found.open}\n")
            else:
                stream.write(f"{verdict.value}: none of {traces} reaches it.\n")
            if found.open != INTERRUPTED:
                stream.write(refusals.text(model, args.reasons))
            return verdict.exit_code
        if found.trace is None and not found.open:
            verdict = Verdict.DISAGREE
            stream.write(
                f"{verdict.value}: {engine.name} does not find this execution, and no axiom forbids it.\n"
                f"The commit-before of {model.name} does not fit its axioms, or hybrid has a bug; "
                "--engine enumerate needs no commit-before.\n\n"
            )
        else:
            verdict = Verdict.ALLOWED
            stream.write(f"{verdict.value}: this execution reaches it.\n\n")
        stream.write("\n".join(report.trace_lines(reached)) + "\n")
    return verdict.exit_code


def target_of(program: Program, outcome: str | None) -> Target:
    """The given formula, else what would answer or violate the file's condition, else a failing assert."""
    formula: Formula
    if outcome is not None:
        formula = parse_outcome(outcome, program, "--outcome")
    elif program.condition is not None and not program.condition.asks_nothing:
        formula = program.condition.formula
        if program.condition.quantifier is Quantifier.FORALL:
            formula = Not(formula.span, formula)
    elif any(isinstance(i, Assert) for thread in program.threads for i in thread.code):
        return Target("some assert fails", lambda trace: bool(trace.failed))
    else:
        raise InputError(
            f"{program.name} has no final condition and no assert: there is nothing to explain",
            hint="say what to explain: --outcome 'P:r0=1'",
        )
    return Target(show(formula), lambda trace: holds(formula, trace.value_of))


@dataclass(slots=True)
class Group:
    """The candidates that one axiom refuses."""

    count: int = 0
    shortest: tuple[Reason, TraceData] | None = None

    def add(self, reason: Reason, data: TraceData) -> None:
        self.count += 1
        if self.shortest is None or len(reason.edges) < len(self.shortest[0].edges):
            self.shortest = (reason, data)


class Refusals:
    """The candidates that reach the target, by the axiom that refuses them."""

    def __init__(self) -> None:
        self.groups: dict[str, Group] = {}
        self.looked = 0  # candidates, whether they reach the target or not
        self.circular = (
            0  # candidates that are left out: their values justify themselves in a circle
        )
        self.cut = 0  # candidates that reach the loop bound
        self.stopped = ""  # why not all candidates were looked at
        self.allowed: Trace | None = (
            None  # a candidate that no axiom refuses; the search ends there
        )

    def look(
        self,
        program: Program,
        model: Model,
        limits: Limits,
        target: Target,
        most: int,
    ) -> None:
        engine = Enumerate()
        free = dataclasses.replace(model, axioms=())
        try:
            with Progress(engine, f"candidates of {program.name}", sys.stderr):
                for trace in engine.explore(program, free, limits):
                    if trace.status is not Status.COMPLETE:
                        continue
                    if self.looked == most:
                        self.stopped = f"only the first {most} candidates were looked at"
                        break
                    self.looked += 1
                    if target.reached(trace) and not self._refuse(trace.data(), model):
                        self.allowed = trace
                        break
        except Stopped:
            self.stopped = f"the time was up after {self.looked} candidates"
        except KeyboardInterrupt:
            self.stopped = f"{INTERRUPTED} after {self.looked} candidates"
        self.circular = engine.counters.thin_air
        self.cut = engine.counters.cut

    def _refuse(self, data: TraceData, model: Model) -> bool:
        """Whether some axiom refuses the candidate; it is then counted under that axiom."""
        reason = explain_trace(data, model)
        if reason is not None:
            self.groups.setdefault(reason.axiom, Group()).add(reason, data)
        return reason is not None

    def text(self, model: Model, reasons: str) -> str:
        """The refusals in words; `reasons` says where the reason of the execution shown comes from."""
        lines: list[str] = []
        total = sum(group.count for group in self.groups.values())
        if total:
            lines.append(f"Of {self.looked} candidate executions {total} would reach it.")
        elif not self.stopped:
            within = " within the loop bound" if self.cut else ""
            always = "" if self.cut or self.circular else ", whatever the model"
            lines.append(f"None of {self.looked} candidate executions{within} reaches it{always}.")
        if self.circular:
            lines.append(f"Left out: {self.circular}, whose values justify themselves in a circle.")
        if self.stopped:
            lines.append(f"Not everything was looked at: {self.stopped}.")
        for axiom, group in sorted(self.groups.items(), key=lambda item: (-item[1].count, item[0])):
            assert group.shortest is not None
            reason, data = group.shortest
            plural = "s" if group.count != 1 else ""
            lines += ["", f"Forbidden by axiom {axiom} in {group.count} candidate{plural}:"]
            lines += [f"  {line}".rstrip() for line in _reason_lines(reason, data, model, reasons)]
        return "\n".join(lines) + "\n"


def _reason_lines(reason: Reason, data: TraceData, model: Model, reasons: str) -> list[str]:
    """The offending cycle on one line, or one from the graphs and one from a core; then the execution in which it stands."""
    lines = [_cycle(reason, data)] if reasons == "graph" else []
    if reasons != "graph":
        by_core = explain_by_core(data, model)
        if by_core is None:
            raise InternalError("the graphs refuse an execution that the solver allows")
        if reasons == "both":
            lines.append(f"graph  {reason.axiom}, {_cycle(reason, data)}")
        lines.append(f"core   {by_core.axiom}, {_cycle(by_core, data)}")
    return [*lines, "", *trace_text(data).rstrip("\n").split("\n")]


def _cycle(reason: Reason, data: TraceData) -> str:
    steps = steps_of(data)
    cycle = "".join(f"{steps[edge.start].name} --{edge.label}--> " for edge in reason.edges)
    end = steps[reason.edges[-1].end].name if reason.edges else ""
    return f"{reason.test}: {cycle}{end}"
