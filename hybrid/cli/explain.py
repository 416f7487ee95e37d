"""`hybrid explain`: why an outcome is allowed (an execution) or forbidden (the axiom and the
cycle).

The verdict comes first, as soon as it is known. Then a forbidden outcome is explained on the
candidate executions that would reach it (explain/refusals.py), for a limited time: each is refused
by some axiom, with a shortest cycle.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from hybrid.api.explain import MAX_CANDIDATES, SOURCES, Explained, ExplainRequest, explain_chosen
from hybrid.api.options import configuration_of
from hybrid.cli import options
from hybrid.cli.engine_options import add_engine_options, add_race_option
from hybrid.errors import InputError
from hybrid.explain.chosen import read_and_choose
from hybrid.frontend.compiler_options import CompilerOptions
from hybrid.memory import memory_limit
from hybrid.report.output import check_outputs, check_writable, output, write_file

DRAWINGS = {".svg": "svg", ".dot": "dot"}
TEXTS = ("", ".txt", ".text", ".log", ".md")  # extensions of files that get the words

EXAMPLES = """examples:
  hybrid explain MP.prog --model power
  hybrid explain SB.prog --model tso --outcome 'P:r0=0 /\\ Q:r0=0'
  hybrid explain MP+syncs.prog --reasons both
  hybrid explain MP+syncs.prog -o cycle.svg   the forbidden execution, its cycle in bold
  hybrid explain MP+syncs.prog --html mp.html   the same as a page, step by step

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
        choices=SOURCES,
        default=SOURCES[0],
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
        type=options.file_or_output,
        help="write there; to a .svg or .dot file a drawing, with the cycle that forbids the "
        "outcome in bold (the words then go to standard output)",
    )
    options.add_html_option(parser.add_argument)


def run(args: argparse.Namespace) -> int:
    compiling = CompilerOptions(args.clang, tuple(args.compiler_flags))
    file, compiling = options.program_to_read(args.file, args.link, compiling)
    with memory_limit(args.max_memory):
        configuration = configuration_of(vars(args))
        check_outputs({"-o": args.output, "--html": args.html}, [file, *compiling.linked])
        page = options.html_file(args.html)
        drawn = _drawing_format(args.output)
        asked = ExplainRequest(
            configuration,
            args.outcome,
            args.timeout,
            args.reasons,
            args.candidates,
            option="--outcome",
            drawn=bool(drawn),
            report=page is not None,
        )
        chosen = read_and_choose(file, args.model, configuration, compiling)
        if args.output is not None:
            check_writable(args.output)
        for note in chosen.notes:
            print(f"note: {note}", file=sys.stderr)
        words = None if drawn else args.output
        explained = explain_chosen(chosen, asked, lambda: output(words))
        if drawn:
            _draw(explained, drawn, args.output)
        if page is not None and explained.report is not None:
            from hybrid.batch.html_report import write_answer

            write_answer(page, explained.report, args.command_line)
        return explained.exit_code


def _drawing_format(path: str | None) -> str:
    """What kind of drawing the output file is; empty: it gets the words."""
    suffix = "" if path is None else Path(path).suffix
    if suffix not in DRAWINGS and suffix not in TEXTS:
        known = ", ".join((*DRAWINGS, *TEXTS[1:]))
        raise InputError(f"{path}: its extension does not say a format", hint=f"known: {known}")
    return DRAWINGS.get(suffix, "")


def _draw(explained: Explained, form: str, path: str) -> None:
    if explained.witness is None:
        print(f"no execution to draw: {path} is not written", file=sys.stderr)
        return
    write_file(path, explained.witness.svg() if form == "svg" else explained.witness.dot())
