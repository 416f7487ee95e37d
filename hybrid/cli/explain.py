"""`hybrid explain`: why an outcome is allowed (an execution) or forbidden (the axiom and the
cycle).

The verdict comes first, as soon as it is known. Then a forbidden outcome is explained on the
candidate executions that would reach it (explain/refusals.py), for a limited time: each is refused
by some axiom, with a shortest cycle.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from hybrid.cli import options
from hybrid.cli.engine_options import add_engine_options, add_race_option, configuration_of
from hybrid.engine.api import Limits
from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError
from hybrid.execution.trace import Status
from hybrid.explain.chosen import read_and_choose
from hybrid.explain.explanation import BOTH, CORE, GRAPH, Explanation, ReasonsAsked
from hybrid.explain.race import find_race, is_race, show_race
from hybrid.explain.search import Search, search
from hybrid.explain.target import Target, nothing_to_explain, target_of
from hybrid.frontend.compiler_options import CompilerOptions
from hybrid.memory import memory_limit
from hybrid.printable import joined
from hybrid.report.output import check_outputs, output, write_file
from hybrid.report.result import Result
from hybrid.report.trace_formats import TRACE_FORMATS, Shown
from hybrid.verdict import Verdict

MAX_CANDIDATES = 20_000
SECONDS = 10.0  # for reasons, unless --timeout says otherwise
DRAWINGS = {".svg": "svg", ".dot": "dot"}
TEXTS = ("", ".txt", ".text", ".log", ".md")  # extensions of files that get the words

EXAMPLES = """examples:
  hybrid explain MP.prog --model power
  hybrid explain SB.prog --model tso --outcome 'P:r0=0 /\\ Q:r0=0'
  hybrid explain MP+syncs.prog --reasons both
  hybrid explain MP+syncs.prog -o cycle.svg   the forbidden execution, its cycle in bold

The verdict is written as soon as it is known. Looking for reasons ends after 10 seconds, or after
--timeout; reasons that are not all there could be are said to be partial. The exit code is that of
the verdict.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Shows why an outcome is allowed (an execution) or forbidden (the axiom and the cycle)."
    )
    parser.epilog = EXAMPLES
    parser.add_argument(
        "file", metavar="FILE", nargs="+", help="a program; with --link the files of one"
    )
    parser.add_argument(
        "--model",
        metavar="MODEL",
        help=f"a built-in model or a .cat file; default: {options.WHICH_MODEL}",
    )
    parser.add_argument(
        "--outcome",
        metavar="FORMULA",
        help="what to explain; default: the file's final condition (of a forall: its opposite), "
        "or a failing assert",
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
        choices=(GRAPH, CORE, BOTH),
        default=GRAPH,
        help="where the reason of a forbidden execution comes from: the shortest cycle in the "
        "graphs (default), an unsat core of a SAT solver, or both side by side",
    )
    add_engine_options(parser)
    options.add_map_option(parser)
    options.add_compiler_options(parser)
    add_race_option(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write there; to a .svg or .dot file a drawing, with the cycle that forbids the "
        "outcome in bold (the words then go to standard output)",
    )


@dataclass(frozen=True, slots=True)
class ExplainRequest:
    """What the user asks for."""

    file: Path
    compiling: CompilerOptions
    model: str | None
    outcome: str | None
    configuration: Configuration
    timeout: float | None
    reasons: str  # where they come from
    candidates: int
    output: str | None

    def limits(self, completed: Configuration) -> Limits:
        """Those of an exploration that starts now."""
        deadline = None if self.timeout is None else time.monotonic() + self.timeout
        return completed.limits(deadline)


def run(args: argparse.Namespace) -> int:
    compiling = CompilerOptions(args.clang, tuple(args.compiler_flags))
    file, compiling = options.program_to_read(args.file, args.link, compiling)
    with memory_limit(args.max_memory):
        return _explain(
            ExplainRequest(
                file,
                compiling,
                args.model,
                args.outcome,
                configuration_of(vars(args)),
                args.timeout,
                args.reasons,
                args.candidates,
                args.output,
            )
        )


def _explain(asked: ExplainRequest) -> int:
    check_outputs({"-o": asked.output}, [asked.file, *asked.compiling.linked])
    drawn = _drawing_format(asked.output)
    chosen = read_and_choose(
        asked.file, asked.model, asked.configuration, asked.output, asked.compiling
    )
    program, model, engine = chosen.program, chosen.model, chosen.engine
    how = chosen.configuration
    raced = None
    if asked.outcome is None:
        raced = find_race(program, model, engine, how, asked.limits(how))
        if raced is not None and is_race(raced):
            return show_race(raced, asked.output)
    target = target_of(program, asked.outcome)
    found = None if raced is None else _known(raced, target)
    if found is None:
        unfinished = target.formula is None
        found = search(program, model, engine, asked.limits(how), target.reached, unfinished)
    if target.nothing and not (found.erring or found.waiting or found.open):
        raise nothing_to_explain(program)
    reasons = ReasonsAsked(
        asked.reasons,
        SECONDS if asked.timeout is None else asked.timeout,
        asked.candidates,
        how.limits(),
        errors=asked.outcome is None,
    )
    with output(None if drawn else asked.output) as stream:
        stream.write(joined([f"{program.name} under {model.name}: {target.text}"]))
        explanation = Explanation(program, model, target, engine.name, reasons, stream)
        verdict = explanation.tell(found)
    if drawn and asked.output is not None:
        _draw(explanation, drawn, asked.output)
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


def _draw(explanation: Explanation, form: str, path: str) -> None:
    if explanation.shown is None:
        print(f"no execution to draw: {path} is not written", file=sys.stderr)
        return
    shown = Shown(
        explanation.shown,
        explanation.model,
        explanation.engine,
        explanation.asked.limits,
        explanation.emphasis,
    )
    write_file(path, TRACE_FORMATS[form](shown))
