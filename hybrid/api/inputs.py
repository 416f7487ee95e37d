"""What a caller may name as a program or a model, and how it is read."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hybrid.errors import InputError, Stopped
from hybrid.frontend.compiler_options import CompilerOptions, check_flags, linked
from hybrid.frontend.load import LOADERS, load_program, model_of
from hybrid.memory import memory_limit
from hybrid.model.core import Model
from hybrid.model.load import load_model, parse_model
from hybrid.parsing import check_length, did_you_mean
from hybrid.program.program import Program
from hybrid.source import Source
from hybrid.time_limit import time_limit

FileName = str | os.PathLike[str]
LANGUAGES = tuple(suffix.removeprefix(".") for suffix in LOADERS)  # of texts


@dataclass(frozen=True, slots=True)
class CatModel:
    """A memory model: `hybrid.Model`."""

    core: Model = field(repr=False)
    name: str = field(init=False)
    title: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.core.name)
        object.__setattr__(self, "title", self.core.title)

    @classmethod
    def load(cls, name_or_path: FileName) -> CatModel:
        """A built-in model by its name, or the one in a .cat file."""
        return cls(load_model(os.fspath(name_or_path)))

    @classmethod
    def from_text(cls, text: str, name: str = "model", folder: FileName | None = None) -> CatModel:
        """The model that a text in cat spells. Files that it includes are looked for in `folder`,
        if one is given, then among hybrid's own; no other file can be included."""
        source = Source(f"<{name}>", text)
        check_length(source)
        search = None if folder is None else [Path(folder)]
        return cls(parse_model(source, name, search, confined=True))

    @property
    def axioms(self) -> tuple[str, ...]:
        """The names of what every execution must satisfy."""
        return tuple(axiom.name for axiom in self.core.constraints)

    @property
    def flags(self) -> tuple[str, ...]:
        """The names of what is reported of executions: `race`, …"""
        return tuple(axiom.name for axiom in self.core.flags)


ProgramSource = FileName | Program  # a path, or a program that is there already
ModelSource = FileName | CatModel | Model  # a name, a path, or a model that is there already


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are read."""

    compiling: CompilerOptions
    seconds: float | None = None
    max_memory: int | None = None

    def program(self, path: FileName, start: float) -> Program:
        """The program in a file; the time began at `start`. Raises Stopped or MemoryError where a
        limit is reached."""
        seconds = self.seconds
        left = None if seconds is None else max(seconds - (time.monotonic() - start), 0.001)
        with time_limit(left), memory_limit(self.max_memory):
            return load_program(Path(path), self.compiling)


def compiling_of(
    program: ProgramSource, clang: FileName | None, flags: Sequence[str], link: Sequence[FileName]
) -> CompilerOptions:
    """What the caller says about compiling, which is about a file in C."""
    if isinstance(flags, str):
        raise InputError("flags: a list of strings, not a string", hint=f"flags={flags.split()}")
    if isinstance(link, str):
        raise InputError("link: a list of files, not a string", hint=f"link=[{link!r}]")
    how = CompilerOptions(None if clang is None else os.fspath(clang), tuple(flags))
    if isinstance(program, Program):
        if link or how != CompilerOptions():
            raise InputError(
                "clang, flags and link are for a file in C, and this program is read already"
            )
        return how
    paths = [Path(program), *map(Path, link)]
    check_flags(paths, how)
    return linked(paths, how)[1] if link else how


def load(
    path: FileName,
    *,
    timeout: float | None = None,
    clang: FileName | None = None,
    flags: Sequence[str] = (),
    link: Sequence[FileName] = (),
) -> Program:
    """The program in a file: .prog, .litmus, C, C++ or LLVM's .ll, as its name says. `flags` are
    for the compiler; `link` are more files of the same program. Raises TimeoutError after `timeout`
    seconds."""
    compiling = compiling_of(path, clang, flags, link)
    with timeouts(f"reading {path}"):
        return Reading(compiling, timeout).program(path, time.monotonic())


def parse(text: str, language: str = "prog", name: str = "program") -> Program:
    """The program that a text spells: `language` is `prog` or `litmus`. `name` stands for the
    file's."""
    if language not in LANGUAGES:
        hint = did_you_mean(language, LANGUAGES) or f"known: {', '.join(LANGUAGES)}"
        raise InputError(f"no language is called '{language}'", hint=hint)
    source = Source(f"<{name}>", text)
    if language == "prog":
        from hybrid.frontend.prog import parse_program

        return parse_program(source, name)
    return LOADERS[f".{language}"](source)


@contextmanager
def timeouts(what: str) -> Iterator[None]:
    """Turns a limit that is reached in the block into TimeoutError or MemoryError."""
    try:
        yield
    except Stopped as stop:
        if stop.told:
            raise MemoryError(f"{what}: {stop.told}") from None
        raise TimeoutError(f"{what}: the time is up") from None


def model_for(program: Program, model: ModelSource | None) -> Model:
    """The model that is asked for; None: that of the program's architecture."""
    if model is None:
        return load_model(model_of(program))
    if isinstance(model, CatModel):
        return model.core
    return model if isinstance(model, Model) else load_model(os.fspath(model))
