"""`hybrid explain`: why an outcome is allowed (an execution) or forbidden (the axiom and the
cycle).

The verdict comes first, as soon as it is known. Then a forbidden outcome is explained on the
candidate executions that would reach it (explain/refusals.py), for a limited time: each is refused by some
axiom, with a shortest cycle.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from hybrid.catalogue.choice import choose
from hybrid.catalogue.engines import make
from hybrid.cli import options
from hybrid.cli.engine_options import (
    add_engine_options,
    add_race_option,
    configuration_of,
    limits_for,
)
from hybrid.errors import InputError
from hybrid.execution.trace import Status, Trace, TraceData
from hybrid.execution.wait_text import waiting_note
from hybrid.explain.race import find_race, is_race, show_race
from hybrid.explain.refusals import Refusals, emphasis_of
from hybrid.explain.search import Search, search
from hybrid.frontend.load import load_program, model_of
from hybrid.frontend.outcome import parse_outcome
from hybrid.memory import memory_limit
from hybrid.model import orders
from hybrid.model.core import Model
from hybrid.model.load import load_model
from hybrid.printable import joined
from hybrid.program.condition import And, Formula, Not, Quantifier, holds, show
from hybrid.program.instructions import Assert
from hybrid.program.program import Program
from hybrid.report.colour import in_report
from hybrid.report.output import check_outputs, check_writable, output, write_file
from hybrid.report.result import INTERRUPTED, Result
from hybrid.report.screen import write_coloured
from hybrid.report.trace_formats import TRACE_FORMATS, Shown
from hybrid.report.witness_lines import trace_lines
from hybrid.verdict import Verdict
from hybrid.witness.graph import Emphasis

MAX_CANDIDATES = 20_000
SECONDS = 10.0  # for reasons, unless --timeout says otherwise
DRAWINGS = {".svg": "svg", ".dot": "dot"}
TEXTS = ("", ".txt", ".text", ".log", ".md")  # extensions of files that get the words

EXAMPLES = """examples:
  hybrid explain MP.prog --model power
  hybrid explain SB.prog --model tso --outcome 'P:r0=0 /\\ Q:r0=0'
  hybrid explain MP+syncs.prog --reasons both
  hybrid explain MP+syncs.prog -o cycle.svg   the forbidden execution, its cycle in bold

The verdict is written as soon as it is known. Looking for reasons ends after 10 seconds, or after --timeout;
reasons that are not all there could be are said to be partial. The exit code is that of the verdict.
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
        help=f"a built-in model or a .cat file; default: {options.WHICH_MODEL}",
    )
    parser.add_argument(
        "--outcome",
        metavar="FORMULA",
        help="what to explain; default: the file's final condition (of a forall: its opposite), or a failing assert",
    )
    parser.add_argument(
        "--candidates",
        metavar="N",
        type=options.positive,
        default=MAX_CANDIDATES,
        help="how many candidate executions that reach the outcome to look at; default %(default)s",
    )
    parser.add_argument(
        "--reasons",
        choices=("graph", "core", "both"),
        default="graph",
        help="where the reason of a forbidden execution comes from: the shortest cycle in the graphs (default), an unsat core "
        "of a SAT solver, or both side by side",
    )
    add_engine_options(parser)
    options.add_map_option(parser)
    add_race_option(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write there; to a .svg or .dot file a drawing, with the cycle that forbids the outcome in bold (the words "
        "then go to standard output)",
    )


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be explained."""

    text: str
    reached: Callable[[Trace], bool]
    formula: Formula | None  # None: some assert fails, or nothing is claimed
    nothing: bool = False  # the file has no condition and no assert: only what goes wrong is shown


def run(args: argparse.Namespace) -> int:
    with memory_limit(args.max_memory):
        return _run(args)


def _run(args: argparse.Namespace) -> int:
    asked = configuration_of(args)
    check_outputs({"-o": args.output}, [Path(args.file)])
    drawn = _drawing_format(args.output)
    program = load_program(Path(args.file))
    model = load_model(model_of(program) if args.model is None else args.model)
    if args.output is not None:
        check_writable(args.output)
    program, more = orders.mapped(asked.mapping, program, model)
    choice = choose(asked, program, model)
    engine = make(choice.configuration)
    ignored = orders.note(program, model)
    for message in (*choice.notes, *more, *([ignored] if ignored else [])):
        print(f"note: {message}", file=sys.stderr)
    raced = None
    if args.outcome is None:
        raced = find_race(program, model, engine, choice.configuration, limits_for(args))
        if raced is not None and is_race(raced):
            return show_race(raced, args.output)
    target = target_of(program, args.outcome)
    found = None if raced is None else _known(raced, target)
    if found is None:
        limits = limits_for(args)
        found = search(program, model, engine, limits, target.reached, target.formula is None)
    if target.nothing and not (found.erring or found.waiting or found.open):
        raise _nothing_to_explain(program)
    with output(None if drawn else args.output) as stream:
        stream.write(joined([f"{program.name} under {model.name}: {target.text}"]))
        answer = _Answer(args, program, model, target, engine.name, stream)
        verdict = answer.tell(found)
    if drawn:
        _draw(args, drawn, model, engine.name, answer)
    return verdict.exit_code


def _known(result: Result, target: Target) -> Search | None:
    """What an exploration that looked for races says of the target; None if it leaves that open."""
    witness = result.witness
    if witness is not None and target.formula is not None:
        complete = witness.status is Status.COMPLETE
        return Search(witness, result.traces, "") if complete and target.reached(witness) else None
    if result.answer in (Verdict.HOLDS, Verdict.FORBIDDEN) and not result.filtered:
        return Search(None, result.traces, "", waiting=result.waiting)
    return None


def _drawing_format(path: str | None) -> str:
    """What kind of drawing the output file is; empty: it gets the words."""
    suffix = "" if path is None else Path(path).suffix
    if suffix not in DRAWINGS and suffix not in TEXTS:
        known = ", ".join((*DRAWINGS, *TEXTS[1:]))
        raise InputError(f"{path}: its extension does not say a format", hint=f"known: {known}")
    return DRAWINGS.get(suffix, "")


class _Answer:
    """Writes the verdict, then the execution or the reasons; keeps what a drawing is to show."""

    def __init__(
        self,
        args: argparse.Namespace,
        program: Program,
        model: Model,
        target: Target,
        engine: str,
        stream: TextIO,
    ) -> None:
        self.args = args
        self.program = program
        self.model = model
        self.target = target
        self.engine = engine
        self.stream = stream
        self.shown: TraceData | None = None  # the execution to draw
        self.emphasis: Emphasis | None = None  # and what of it is in bold

    def tell(self, found: Search) -> Verdict:
        if found.trace is not None:
            return self._reached(Verdict.ALLOWED, found.trace)
        if found.erring is not None and self.args.outcome is None:
            return self._errs(found.erring)
        if self.target.nothing:
            return self._nothing(found)
        verdict = Verdict.INCONCLUSIVE if found.open else Verdict.FORBIDDEN
        traces = f"{found.seen} trace{'s' if found.seen != 1 else ''}"
        if found.open:
            self._say(f"not reached in {traces}, but not decided: {found.open}")
        else:
            self._say(f"{verdict.value}: none of {traces} reaches it.")
        if found.erring is not None:
            self._say(f"A run errs: {found.erring.data().error}.")
        if found.waiting is not None:
            self._say(self._waits(found.waiting))
        if found.open == INTERRUPTED:
            return verdict
        refusals = self._refusals()
        if refusals.allowed is not None and found.open:
            return self._reached(Verdict.ALLOWED, refusals.allowed)
        if refusals.allowed is not None:
            return self._reached(Verdict.DISAGREE, refusals.allowed)
        self.stream.write(refusals.text(self.model, self.args.reasons))
        if refusals.shortest is not None:
            self.shown, self.emphasis = refusals.shortest.data, emphasis_of(refusals.shortest)
        return verdict

    def _errs(self, trace: Trace) -> Verdict:
        """The program accesses no location: that is what is wrong with it, whatever it claims."""
        self._say(f"{Verdict.VIOLATED.value}: {trace.data().error}\n")
        self.stream.write(joined(trace_lines(trace, limits_for(self.args))))
        self.shown = trace.data()
        return Verdict.VIOLATED

    def _nothing(self, found: Search) -> Verdict:
        """The program claims nothing and no access errs; a run in which threads wait is shown."""
        if found.waiting is not None:
            self.shown = found.waiting.data()
            self._say(f"{self._waits(found.waiting)}\n")
            self.stream.write(joined(trace_lines(found.waiting, limits_for(self.args))))
            return Verdict.INCONCLUSIVE if found.open else Verdict.HOLDS
        self._say(f"nothing found, but not decided: {found.open}")
        return Verdict.INCONCLUSIVE

    def _waits(self, trace: Trace) -> str:
        note = waiting_note(self.program, 0, 0, trace.data().waiting, counted=False)
        return f"{note[0].upper()}{note[1:]}"

    def _say(self, line: str) -> None:
        """The verdict, which nobody should have to wait for."""
        write_coloured(self.stream, f"{line}\n", in_report)
        self.stream.flush()

    def _refusals(self) -> Refusals:
        args = self.args
        refusals = Refusals()
        seconds = SECONDS if args.timeout is None else args.timeout
        bounds = limits_for(args)
        refusals.look(
            self.program, self.model, self.target.formula, bounds, seconds, args.candidates
        )
        return refusals

    def _reached(self, verdict: Verdict, trace: Trace) -> Verdict:
        if verdict is Verdict.DISAGREE:
            self._say(
                f"{verdict.value}: {self.engine} does not find this execution, and no axiom forbids it.\n"
                f"The commit-before of {self.model.name} does not fit its axioms, or hybrid has a bug; "
                "--engine enumerate needs no commit-before.\n"
            )
        else:
            self._say(f"{verdict.value}: this execution reaches it.\n")
        self.stream.write(joined(trace_lines(trace, limits_for(self.args))))
        self.shown = trace.data()
        return verdict


def _draw(args: argparse.Namespace, form: str, model: Model, engine: str, answer: _Answer) -> None:
    if answer.shown is None:
        print(f"no execution to draw: {args.output} is not written", file=sys.stderr)
        return
    shown = Shown(answer.shown, model, engine, limits_for(args), answer.emphasis)
    write_file(args.output, TRACE_FORMATS[form](shown))


def target_of(program: Program, outcome: str | None) -> Target:
    """The given formula, else what would answer or violate the file's condition, else a failing
    assert."""
    formula: Formula
    if outcome is not None:
        formula = parse_outcome(outcome, program, "--outcome")
    elif program.condition is not None and not program.condition.asks_nothing:
        formula = program.condition.formula
        if program.condition.quantifier is Quantifier.FORALL:
            formula = Not(formula.span, formula)
    elif any(isinstance(i, Assert) for thread in program.threads for i in thread.code):
        return Target("some assert fails", lambda trace: bool(trace.failed), None)
    else:
        return Target("what goes wrong", lambda trace: False, None, nothing=True)
    text, wanted = show(formula), formula
    if program.filter is not None:  # what it leaves out does not count
        wanted = And(formula.span, (program.filter, formula))
    return Target(text, lambda trace: holds(wanted, trace.value_of), formula)


def _nothing_to_explain(program: Program) -> InputError:
    return InputError(
        f"{program.name} has no final condition and no assert, and no run errs or waits for ever: there is nothing to explain",
        hint="say what to explain: --outcome 'P:r0=1'",
    )
