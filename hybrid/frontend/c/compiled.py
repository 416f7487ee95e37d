"""Programs from files in C, C++ or LLVM's language: compiled, read, linked, made into ours."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from hybrid.errors import InputError
from hybrid.files import TEXT_BYTES, read_bytes
from hybrid.frontend.c.clang import compile_file, find_compiler
from hybrid.frontend.c.directives import Directives, read_directives
from hybrid.frontend.c.lower import lower
from hybrid.frontend.c.provenance import FILES, FLAGS, sources_of, unchanged, written
from hybrid.frontend.c.world import RECURSION
from hybrid.frontend.compiler_options import SOURCE_BYTES, CompilerOptions, needs_compiler
from hybrid.frontend.llvm.link import link
from hybrid.frontend.llvm.module import Module
from hybrid.frontend.llvm.read import read_module
from hybrid.parsing import read_source
from hybrid.program.c11 import C_SOURCE
from hybrid.program.check import check_expectations
from hybrid.program.program import Program
from hybrid.source import Source


@dataclass(frozen=True, slots=True)
class LlvmProgram:
    """A program in LLVM's language, with what else its meaning depends on."""

    name: str
    texts: tuple[str, ...]  # one per file that was compiled; what they make together is linked
    recursion: int = RECURSION


@dataclass(frozen=True, slots=True)
class _Unit:
    """One file of a program."""

    text: str  # in LLVM's language
    module: Module
    directives: Directives
    sources: tuple[str, ...]


def load_compiled(path: Path, options: CompilerOptions) -> Program:
    """The program that a file, with those that are linked to it, makes. What it expects, and its
    bounds, the first file says."""
    files = [path, *options.linked]
    units = [_unit(file, options) for file in files]
    modules = [unit.module for unit in units]
    module = modules[0] if len(modules) == 1 else link(modules)
    directives = units[0].directives
    program = lower(module, path.stem, _texts(modules), directives.recursion or RECURSION)
    program = replace(
        program,
        arch=C_SOURCE,
        meta={**program.meta, **_meta(files, units, options)},
        expectations=() if _redefines(options) else directives.expectations,
        unroll=directives.unroll,
    )
    check_expectations(program)
    return program


def compile_again(program: Program, clang: str | None = None) -> LlvmProgram:
    """The same program in LLVM's language, compiled once more from its files. InputError if a
    source has changed meanwhile."""
    meta = program.meta
    if not unchanged(sources_of(meta)):
        raise InputError(f"{program.name}: a source file has changed since it was compiled")
    options = CompilerOptions(clang, tuple(shlex.split(meta[FLAGS])))
    units = [_unit(Path(file), options) for file in shlex.split(meta[FILES])]
    recursion = units[0].directives.recursion or RECURSION
    return LlvmProgram(program.name, tuple(unit.text for unit in units), recursion)


def program_of_llvm(given: LlvmProgram, sources: Mapping[str, Source]) -> Program:
    """The program that texts of LLVM's language make; `sources` has what they were compiled from,
    by the names in these texts."""
    modules = [read_module(Source(f"{given.name}.ll", text, shown=False)) for text in given.texts]
    module = modules[0] if len(modules) == 1 else link(modules)
    program = lower(module, given.name, sources, given.recursion)
    return replace(program, arch=C_SOURCE)


def _redefines(options: CompilerOptions) -> bool:
    """Whether the user's flags make another program of it than the one that the file speaks of."""
    return any(flag.startswith(("-D", "-U")) for flag in options.flags)


def _unit(path: Path, options: CompilerOptions) -> _Unit:
    source = read_source(path, latin=True, most=SOURCE_BYTES)
    directives = read_directives(source)
    if not needs_compiler(path):
        return _Unit(source.text, read_module(source), directives, (str(path),))
    flags = (*directives.flags, *options.flags)
    made = compile_file(path, find_compiler(options), flags)
    # Messages about LLVM's text do not show its lines: the user has not seen it.
    text = Source(f"{path} (in LLVM's language)", made.text, shown=False)
    return _Unit(made.text, read_module(text), directives, made.sources)


def _texts(modules: Iterable[Module]) -> dict[str, Source]:
    """The files that places in the modules name, as far as they can be read here."""
    found: dict[str, Source] = {}
    for module in modules:
        for file, folder in module.files:
            if file in found:
                continue
            try:
                data = read_bytes(os.path.join(folder, file), TEXT_BYTES)
            except InputError:
                continue
            found[file] = Source(file, data.decode("utf-8", "replace"))
    return found


def _meta(files: list[Path], units: list[_Unit], options: CompilerOptions) -> dict[str, str]:
    compiler = find_compiler(options).version if any(map(needs_compiler, files)) else ""
    return written(compiler, options, files, {name for unit in units for name in unit.sources})
