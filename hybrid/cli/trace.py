"""`hybrid trace`: print or draw one trace of a program."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from hybrid.catalogue.choice import choose
from hybrid.catalogue.engines import make
from hybrid.cli import options
from hybrid.cli.engine_options import add_engine_options, configuration_of, limits_for
from hybrid.execution.trace import Trace
from hybrid.explain.search import search
from hybrid.frontend.load import load_program, model_of
from hybrid.frontend.outcome import parse_outcome
from hybrid.memory import memory_limit
from hybrid.model import orders
from hybrid.model.load import load_model
from hybrid.program.condition import holds, show
from hybrid.program.program import Program
from hybrid.report.output import check_outputs, check_writable, output
from hybrid.report.trace_formats import EXTENSIONS, TRACE_FORMATS, Shown, format_of
from hybrid.verdict import Verdict

TEXT = ("", ".txt")  # extensions of text files

EXAMPLES = """examples:
  hybrid trace SB.prog                           the first trace, as text
  hybrid trace SB.prog --number 3 --format table
  hybrid trace SB.prog --model tso --where 'P:r0=0 /\\ Q:r0=0' -o sb.svg

Traces are numbered from 1 in the order in which the engine finds them. Exit code 1: there is no such trace.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = "Prints or draws one trace of a program."
    parser.epilog = EXAMPLES
    parser.add_argument("file", metavar="FILE", help="a program")
    parser.add_argument(
        "--model",
        metavar="MODEL",
        help=f"a built-in model or a .cat file; default: {options.WHICH_MODEL}",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--number", metavar="N", type=options.positive, help="the N-th trace")
    which.add_argument("--where", metavar="FORMULA", help="the first trace that satisfies it")
    parser.add_argument(
        "--format",
        choices=TRACE_FORMATS,
        help="default: as the extension of the output file says; text without one and for .txt",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write there")
    add_engine_options(parser)
    options.add_map_option(parser)


def run(args: argparse.Namespace) -> int:
    with memory_limit(args.max_memory):
        return _run(args)


def _run(args: argparse.Namespace) -> int:
    asked = configuration_of(args)
    check_outputs({"-o": args.output}, [Path(args.file)])
    program = load_program(Path(args.file))
    model = load_model(model_of(program) if args.model is None else args.model)
    wanted, what = _wanted(args, program)
    form = TRACE_FORMATS[args.format or _format_by_name(args.output)]
    if args.output is not None:
        check_writable(args.output)
    program, more = orders.mapped(asked.mapping, program, model)
    choice = choose(asked, program, model)
    engine = make(choice.configuration)
    ignored = orders.note(program, model)
    for message in (*choice.notes, *more, *([ignored] if ignored else [])):
        print(f"note: {message}", file=sys.stderr)
    found = search(program, model, engine, limits_for(args), wanted)
    if found.trace is None:
        traces = f"{found.seen} trace{'s' if found.seen != 1 else ''}"
        print(f"{program.name} under {model.name}: {what} among {traces}", file=sys.stderr)
        if found.erring is not None:
            print(f"a run errs: {found.erring.data().error}", file=sys.stderr)
        if found.open:
            print(f"there may be one: {found.open}", file=sys.stderr)
            return Verdict.INCONCLUSIVE.exit_code
        return 1
    shown = Shown(found.trace.data(), model, engine.name, limits_for(args))
    with output(args.output) as stream:
        stream.write(form(shown))
    return 0


def _format_by_name(path: str | None) -> str:
    """The format for an output file: text, too, where its name says nothing of one."""
    if path is None or Path(path).suffix in TEXT:
        return "text"
    return format_of(path, f"{', '.join(EXTENSIONS)}, .txt; or say --format")


def _wanted(args: argparse.Namespace, program: Program) -> tuple[Callable[[Trace], bool], str]:
    """Which trace is asked for; and what to say when there is none."""
    if args.where is not None:
        formula = parse_outcome(args.where, program, "--where")
        return lambda trace: holds(formula, trace.value_of), f"no trace with {show(formula)}"
    number = args.number or 1
    countdown = iter(range(number - 1, -1, -1))
    return lambda trace: next(countdown) == 0, f"no trace number {number}"
