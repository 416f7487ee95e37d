"""Programs from files: .prog, .litmus of the architectures in ARCHITECTURES, C and C++. What reads
one kind is loaded with the first file of that kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from hybrid.errors import InputError
from hybrid.files import is_file
from hybrid.frontend.compiler_options import (
    COMPILED_SUFFIXES,
    NO_OPTIONS,
    CompilerOptions,
    is_compiled,
)
from hybrid.parsing import check_length, read_source
from hybrid.program.c11 import C_SOURCE, C, annotated
from hybrid.program.program import Program
from hybrid.source import Source

if TYPE_CHECKING:
    from hybrid.frontend.litmus.syntax import LitmusTest

DEFAULT_MODEL = "power"  # for a program of no machine
C_MODEL = "rc20"  # for a compiled one


@dataclass(frozen=True, slots=True)
class LitmusArchitecture:
    """How tests of an architecture are read, and under which model they are meant to run."""

    # in hybrid.frontend.litmus, loaded when needed; has `compile(test: LitmusTest) -> Program`
    module: str
    model: str

    @property
    def compile(self) -> Callable[[LitmusTest], Program]:
        module = import_module(f"hybrid.frontend.litmus.{self.module}")
        compiler: Callable[[LitmusTest], Program] = module.compile
        return compiler


# By the first word of a test.
ARCHITECTURES: Mapping[str, LitmusArchitecture] = {
    "PPC": LitmusArchitecture("ppc", "power"),
    "X86": LitmusArchitecture("x86", "tso"),
    "X86_64": LitmusArchitecture("x86", "tso"),
    "AArch64": LitmusArchitecture("aarch64", "aarch64"),
    "ARM": LitmusArchitecture("arm", "armv7"),
    "RISCV": LitmusArchitecture("riscv", "riscv"),
    "C": LitmusArchitecture("c.frontend", "rc11"),
}


def default_model(program: Program) -> str | None:
    """The model of the program's architecture, for one with C11's orders that of C; None for a
    program of no machine."""
    if program.arch == C_SOURCE:
        return C_MODEL
    known = ARCHITECTURES.get(program.arch)
    if known is None and not program.arch and annotated(program):
        known = ARCHITECTURES[C]
    return None if known is None else known.model


def model_of(program: Program) -> str:
    """The model that a program runs under unless the user says otherwise."""
    return default_model(program) or DEFAULT_MODEL


def load_program(path: str | Path, options: CompilerOptions = NO_OPTIONS) -> Program:
    """The program in a file, read as its extension says."""
    path = Path(path)
    suffix = path.suffix
    if is_compiled(path):
        from hybrid.frontend.c.compiled import load_compiled

        return load_compiled(path, options)
    if suffix not in LOADERS:
        if not is_file(path):
            read_source(path)  # complains of a file that is not there, or of a folder
        kind = f"of type '{suffix}'" if suffix else "without an extension"
        known = ", ".join(SUFFIXES)
        raise InputError(f"cannot read {path}: a file {kind}", hint=f"known: {known}")
    # Old litmus tests have names of people in Latin-1 in their comments.
    return LOADERS[suffix](read_source(path, latin=suffix == ".litmus"))


def parse_litmus(source: Source) -> Program:
    """The program of a litmus test."""
    from hybrid.frontend.litmus.reader import read_litmus

    check_length(source)
    test = read_litmus(source, tuple(ARCHITECTURES))
    return replace(ARCHITECTURES[test.arch].compile(test), meta=test.meta)


def _parse_prog(source: Source) -> Program:
    from hybrid.frontend.prog import parse_program

    return parse_program(source)


LOADERS: Mapping[str, Callable[[Source], Program]] = {
    ".litmus": parse_litmus,
    ".prog": _parse_prog,
}
SUFFIXES = (*sorted(LOADERS), *COMPILED_SUFFIXES)  # of all files that are programs
