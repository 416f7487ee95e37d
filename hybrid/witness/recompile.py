"""The program of a witness that was compiled: compiled again, from the same sources."""

from __future__ import annotations

from pathlib import Path

from hybrid.errors import InputError
from hybrid.frontend.c.clang import check_written_flags
from hybrid.frontend.c.provenance import COMPILER, hash_of, sources_of
from hybrid.frontend.compiler_options import CompilerOptions, is_compiled
from hybrid.frontend.load import load_program
from hybrid.program.program import Program
from hybrid.witness.as_json import CompiledRecord

_SHOWN = 12  # digits of a hash


def compiled_again(record: CompiledRecord, options: CompilerOptions) -> tuple[Program, str]:
    """The program, and a note where another compiler made it. InputError if the sources are not
    those of the witness."""
    first, *others = map(Path, record.files)
    for file in (first, *others):
        if not is_compiled(file):
            raise InputError(f"the witness is of {file}, which is not a C program")
    for name, value in record.sources:
        _check(name, value)
    flags = options.flags
    if not flags:
        check_written_flags(record.flags, "a witness")
        flags = record.flags
    program = load_program(first, CompilerOptions(options.clang, flags, tuple(others)))
    then, now = dict(record.sources), dict(sources_of(program.meta))
    if then != now:
        names = sorted(name for name in then.keys() | now.keys() if then.get(name) != now.get(name))
        raise InputError(
            f"{first} is compiled from other files than when the witness was made: "
            f"{', '.join(names)}"
        )
    compiler = program.meta.get(COMPILER, "")
    if compiler == record.compiler:
        return program, ""
    return program, f"the witness was made with {record.compiler}, this is {compiler}"


def _check(name: str, value: str) -> None:
    try:
        found = hash_of(name)
    except InputError as error:
        error.hint = "a witness of a C program is replayed in the folder where it was made"
        raise
    if found != value:
        raise InputError(
            f"{name} has changed since the witness was made: its SHA-256 was "
            f"{value[:_SHOWN]}… and is {found[:_SHOWN]}…",
            hint="verify the program again, with --witness",
        )
