"""`hybrid trace`: print or draw one trace of a program."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hybrid.api.options import configuration_of
from hybrid.cli import options
from hybrid.cli.engine_options import add_engine_options
from hybrid.engine.configuration import Configuration
from hybrid.execution.trace import Trace
from hybrid.explain.chosen import read_and_choose
from hybrid.explain.search import search
from hybrid.frontend.compiler_options import CompilerOptions
from hybrid.frontend.outcome import parse_outcome
from hybrid.memory import memory_limit
from hybrid.printable import number_of
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

Traces are numbered from 1 in the order in which the engine finds them. Exit code 1: there is no
such trace.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = "Prints or draws one trace of a program."
    parser.epilog = EXAMPLES
    parser.add_argument(
        "file", metavar="FILE", nargs="+", help="a program; with --link the files of one"
    )
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
    options.add_output_option(parser.add_argument, "write there")
    add_engine_options(parser)
    options.add_map_option(parser)
    options.add_compiler_options(parser)


@dataclass(frozen=True, slots=True)
class TraceRequest:
    """What the user asks for."""

    file: Path
    compiling: CompilerOptions
    model: str | None
    number: int
    where: str | None  # takes the place of `number`
    form: str | None  # None: as the output file's name says
    output: str | None
    configuration: Configuration
    timeout: float | None


def run(args: argparse.Namespace) -> int:
    compiling = CompilerOptions(args.clang, tuple(args.compiler_flags))
    file, compiling = options.program_to_read(args.file, args.link, compiling)
    with memory_limit(args.max_memory):
        return _trace(
            TraceRequest(
                file,
                compiling,
                args.model,
                args.number or 1,
                args.where,
                args.format,
                args.output,
                configuration_of(vars(args)),
                args.timeout,
            )
        )


def _trace(asked: TraceRequest) -> int:
    check_outputs({"-o": asked.output}, [asked.file, *asked.compiling.linked])
    form = TRACE_FORMATS[asked.form or _format_by_name(asked.output)]
    chosen = read_and_choose(asked.file, asked.model, asked.configuration, asked.compiling)
    if asked.output is not None:
        check_writable(asked.output)
    for note in chosen.notes:
        print(f"note: {note}", file=sys.stderr)
    program, model, engine = chosen.program, chosen.model, chosen.engine
    wanted, what = _wanted(asked, program)
    deadline = None if asked.timeout is None else time.monotonic() + asked.timeout
    limits = chosen.configuration.limits(deadline)
    found = search(program, model, engine, limits, wanted)
    if found.trace is None:
        traces = number_of(found.seen, "trace")
        print(f"{program.name} under {model.name}: {what} among {traces}", file=sys.stderr)
        if found.erring is not None:
            print(f"a run errs: {found.erring.data().error}", file=sys.stderr)
        if found.open:
            print(f"there may be one: {found.open}", file=sys.stderr)
            return Verdict.INCONCLUSIVE.exit_code
        return 1
    shown = Shown(found.trace.data(), model, engine.name, limits)
    with output(asked.output) as stream:
        stream.write(form(shown))
    return 0


def _format_by_name(path: str | None) -> str:
    """The format for an output file: text, too, where its name says nothing of one."""
    if path is None or Path(path).suffix in TEXT:
        return "text"
    return format_of(path, f"{', '.join(EXTENSIONS)}, .txt; or say --format")


def _wanted(asked: TraceRequest, program: Program) -> tuple[Callable[[Trace], bool], str]:
    """Which trace is asked for; and what to say when there is none."""
    if asked.where is not None:
        formula = parse_outcome(asked.where, program, "--where")
        return lambda trace: holds(formula, trace.value_of), f"no trace with {show(formula)}"
    countdown = iter(range(asked.number - 1, -1, -1))
    return lambda trace: next(countdown) == 0, f"no trace number {asked.number}"
