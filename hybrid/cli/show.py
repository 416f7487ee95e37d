"""`hybrid show`: a program in the .prog language, after one of the passes that come before it is
explored."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from hybrid.cli import options
from hybrid.engine.prepare import default_loops, without_pure_iterations
from hybrid.frontend.compiler_options import CompilerOptions
from hybrid.frontend.load import load_program, model_of
from hybrid.frontend.prog_print import print_program
from hybrid.model import orders
from hybrid.model.load import load_model
from hybrid.program.passes.elimination import LoopReport
from hybrid.program.passes.setting import ASSUME, AWAIT, DYNAMIC
from hybrid.report.output import check_outputs, output

READ, MAP = "read", "map"
PASSES = (READ, MAP, ASSUME, AWAIT, DYNAMIC)
EXAMPLES = """examples:
  hybrid show spinlock.prog                  as engines see it
  hybrid show spinlock.prog --after assume   with tests where iterations change nothing
  hybrid show spinlock.prog --after dynamic  with what tells that a round has changed nothing
  hybrid show queue.c --after read           a C program as it was read
  hybrid show queue.c --model power          as mapped to POWER, with its loops

Comments tell what was found out about each loop: when an iteration changes nothing, what was put in
for that, and why not more.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Prints a program after one of the passes that come before an exploration: "
        f"{READ} (as it was read), {MAP} (with C11's orders as the machine's instructions, where "
        f"the model is that of a machine), {ASSUME} (iterations of loops that change nothing are "
        f"given up), {AWAIT} (threads wait instead), {DYNAMIC} (and stop where an iteration "
        "turns out to have changed nothing; the last)."
    )
    parser.epilog = EXAMPLES
    parser.add_argument("files", metavar="FILE", nargs="+", help="a program; several with --link")
    parser.add_argument(
        "--after",
        metavar="PASS",
        choices=PASSES,
        help=f"{', '.join(PASSES)}; default {DYNAMIC} for C programs, {AWAIT} for others",
    )
    parser.add_argument(
        "--model",
        metavar="MODEL",
        help="a built-in model or a .cat file, which decides what passes may do; default: "
        + options.WHICH_MODEL,
    )
    options.add_map_option(parser)
    options.add_compiler_options(parser)
    options.add_output_option(parser.add_argument, "write there")


def run(args: argparse.Namespace) -> int:

    compiling = CompilerOptions(args.clang, tuple(args.compiler_flags))
    path, compiling = options.program_to_read(args.files, args.link, compiling)
    check_outputs({"-o": args.output}, [path, *compiling.linked])
    program = load_program(path, compiling)
    model = load_model(args.model or model_of(program))
    told: list[str] = []
    after = args.after or default_loops(program)
    if after != READ:
        program, told = orders.mapped(args.map, program, model)
    if after in (ASSUME, AWAIT, DYNAMIC):
        found = without_pure_iterations(program, model, after)
        program = found.program
        told += report_lines(found.reports)
    with output(args.output) as stream:
        stream.writelines(f"// {line}\n" for line in told)
        stream.write(print_program(program))
    return 0


def report_lines(reports: Sequence[LoopReport]) -> list[str]:
    """What was found out about loops."""
    lines: list[str] = []
    for report in reports:
        where = f"{report.thread}, the loop from {report.header} to {report.last}"
        pure = " or ".join(
            f"({each})" if len(report.condition) > 1 else each for each in report.condition
        )
        lines.append(
            f"{where}: an iteration changes nothing when {pure}"
            if pure
            else f"{where}: no iteration is known to change nothing"
        )
        lines += [f"  {each}" for each in report.done]
        lines += [f"  not on all ways: {each}" for each in report.reasons]
        lines += [f"  not watched: {each}" for each in report.kept]
    return lines
