"""Options that several verbs have, and the kinds of values that options take."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path

from hybrid.errors import InputError
from hybrid.files import size
from hybrid.frontend.compiler_options import (
    VARIABLE,
    CompilerOptions,
    check_flags,
    linked,
    needs_compiler,
)
from hybrid.frontend.load import C_MODEL, DEFAULT_MODEL
from hybrid.printable import number_of
from hybrid.program.loops import DEFAULT_MAX_STEPS
from hybrid.program.passes.setting import ASSUME, AWAIT, DYNAMIC, KEEP, LOOPS
from hybrid.report.output import check_writable

WHICH_MODEL = (  # for help texts: the default of --model
    f"that of the test's architecture, {C_MODEL} for a C program, rc11 for a .prog with C11 "
    f"orders, {DEFAULT_MODEL} for others"
)
LONGEST = 1e9  # seconds; timers take no more than their integers hold
MOST_PROCESSES = 1000
STANDARD_OUTPUT = "-"  # in place of a file's name
AUTO_JOBS = "auto"  # a number of processes that is left to hybrid
UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
LEAST_MEMORY = 10**6  # bytes


def natural(text: str) -> int:
    """An argument that is a number from 0."""
    return _number(text, 0)


def positive(text: str) -> int:
    """An argument that is a number from 1."""
    return _number(text, 1)


def seconds(text: str) -> float:
    """An argument that is a time above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= LONGEST:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a number of seconds above 0 and up to {LONGEST:.0e}"
        )
    return value


def processes(text: str) -> int:
    """An argument that is a number of processes."""
    value = positive(text)
    if value > MOST_PROCESSES:
        raise argparse.ArgumentTypeError(f"{text} processes are more than {MOST_PROCESSES}")
    return value


def processes_or_auto(text: str) -> int | str:
    """The same, or that it is left to hybrid."""
    if text == AUTO_JOBS:
        return text
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is neither a whole number nor {AUTO_JOBS}")
    return processes(text)


def processes_or_cores(text: str) -> int:
    """The same where items are shared out and no exploration is: `auto` is one per core."""
    asked = processes_or_auto(text)
    if isinstance(asked, int):
        return asked
    from hybrid.batch.pool import cores

    return cores()


def add_jobs_option(add: Callable[..., object], words: str = "") -> None:
    """-j of a verb that gives each process one item after the other."""
    add(
        "-j",
        "--jobs",
        type=processes_or_cores,
        default=1,
        metavar="N",
        help=f"processes{words}; auto: one per core; default 1",
    )


def memory(text: str) -> int:
    """An argument that is a number of bytes: `500M`, `2G`, `1.5GB`."""
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)([kKmMgGtT]?)[bB]?", text, re.ASCII)
    value = 0 if match is None else int(float(match[1]) * UNITS[match[2].upper()])
    if value < LEAST_MEMORY:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a size of at least {size(LEAST_MEMORY)}, such as 500M or 2G"
        )
    return value


def _number(text: str, least: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 19 and int(text) >= least):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a whole number from {least} with at most 18 digits"
        )
    return int(text)


def file_name(text: str) -> str:
    """An argument that is the name of a file, or of a folder, that is written."""
    if text == STANDARD_OUTPUT:
        raise argparse.ArgumentTypeError(
            "'-' is not the name of a file, and this does not go to standard output; "
            "./- is a file of that name"
        )
    return text


def file_or_output(text: str) -> str | None:
    """The same, or standard output: None."""
    return None if text == STANDARD_OUTPUT else text


def add_output_option(add: Callable[..., object], words: str) -> None:
    """-o of a verb that otherwise writes to standard output."""
    add("-o", "--output", metavar="FILE", type=file_or_output, help=words)


def add_max_steps(add: Callable[..., object]) -> None:
    add(
        "--max-steps",
        metavar="N",
        type=positive,
        default=DEFAULT_MAX_STEPS,
        help="how many instructions a thread executes before the run is cut, for loops without "
        "end; default %(default)s",
    )


def add_loops_option(add: Callable[..., object]) -> None:
    add(
        "--loops",
        metavar="WORD",
        choices=LOOPS,
        help=f"what becomes of iterations that change nothing: {AWAIT} (default: the thread waits "
        f"for what ends them), {DYNAMIC} (default for C programs: as {AWAIT}, and a thread stops "
        f"where an iteration turns out to have changed nothing), {ASSUME} (such runs are given "
        f"up), {KEEP} (they are explored, up to the bound)",
    )


def add_memory_option(add: Callable[..., object]) -> None:
    add(
        "--max-memory",
        metavar="SIZE",
        type=memory,
        help="stop when a process has more, as 500M or 2G; the result says that it is partial",
    )


def add_resume_option(add: Callable[..., object]) -> None:
    add(
        "--resume",
        metavar="FILE",
        type=file_name,
        help="a journal, written as it goes: a batch with the same settings goes on where it "
        "stopped",
    )


def add_html_option(add: Callable[..., object]) -> None:
    add(
        "--html",
        metavar="FILE",
        type=file_name,
        help="also write a report: one file for any browser, with the source, the outcomes, the "
        "execution drawn and step by step, or the axiom and the cycle that forbid it",
    )


def html_file(name: str | None) -> str | None:
    """Complains of one that cannot be written before the work, not after."""
    if name is not None:
        check_writable(name)
    return name


def add_map_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--map",
        action=argparse.BooleanOptionalAction,
        help="under the model of a machine: turn C11's orders into that machine's usual sequences; "
        "default: for C",
    )


def add_compiler_options(parser: argparse.ArgumentParser, link: bool = True) -> None:
    """For verbs that read programs: `-- FLAG…` at the end of the command line, and these."""
    group = parser.add_argument_group(
        "C programs", "What stands after `--` are flags for the compiler: -- -DN=3 -Iinclude"
    )
    group.add_argument(
        "--clang",
        metavar="PATH",
        help=f"the compiler; default: {VARIABLE} in the environment, the one of the package "
        "ziglang, a clang",
    )
    if link:
        group.add_argument(
            "--link", action="store_true", help="make one program of all the files, C or .ll"
        )
    parser.set_defaults(compiler_flags=[])


def programs_to_read(
    paths: list[Path], bundle: bool, link: bool, how: CompilerOptions
) -> tuple[list[Path], CompilerOptions]:
    """The files that are to be read, and how. With --link the first stands for all. `bundle`: they
    are the bundled ones, of which those in C are left out where there is no compiler."""
    if bundle:
        if link:
            raise InputError("--link needs files")
        return _compilable(paths, how), how
    check_flags(paths, how)
    if not link:
        return paths, how
    first, how = linked(paths, how)
    return [first], how


def program_to_read(
    files: list[str], link: bool, how: CompilerOptions
) -> tuple[Path, CompilerOptions]:
    """The same for a verb that takes one program."""
    paths, how = programs_to_read([Path(file) for file in files], False, link, how)
    if len(paths) > 1:
        raise InputError(
            f"one program at a time, not {len(paths)}", hint="--link makes one of several C files"
        )
    return paths[0], how


def _compilable(paths: list[Path], how: CompilerOptions) -> list[Path]:
    """All of them, or where there is no compiler those that need none; says so."""
    in_c = set(filter(needs_compiler, paths))
    if not in_c:
        return paths
    from hybrid.frontend.c.clang import NoCompilerError, find_compiler

    try:
        find_compiler(how)
    except NoCompilerError as error:
        programs = number_of(len(in_c), "bundled C program")
        told = f"note: {programs} left out: {error.message}"
        print(f"{told}; {error.hint}" if error.hint else told, file=sys.stderr)
        return [path for path in paths if path not in in_c]
    return paths


def add_reproducer_options(parser: argparse.ArgumentParser) -> None:
    """What becomes of the first disagreement that crosscheck or fuzz finds."""
    from hybrid.crosscheck.shrink import SECONDS

    small = parser.add_argument_group("the reproducer")
    small.add_argument(
        "--shrink",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="make the program of the first disagreement small and save it (the default)",
    )
    small.add_argument(
        "--shrink-time",
        type=seconds,
        default=SECONDS,
        metavar="SECONDS",
        help="at most; default %(default)s",
    )
    small.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=file_name,
        help="where it is saved; default: NAME-shrunk.prog here",
    )


def model_names(given: list[str] | None) -> list[str] | None:
    """The models that the options --model name, each once; None if there is no such option."""
    if given is None:
        return None
    names = [name.strip() for text in given for name in text.split(",")]
    if not all(names):
        raise InputError("--model: a name is empty", hint="as in --model sc,tso")
    return list(dict.fromkeys(names))
