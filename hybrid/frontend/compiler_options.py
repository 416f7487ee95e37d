"""What the user says about compiling: the same for all files of a command."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hybrid.errors import InputError

VARIABLE = "HYBRID_CLANG"  # of the environment: a path
C_SUFFIXES = (".c",)
CPP_SUFFIXES = (".cc", ".cpp", ".cxx")
LLVM_SUFFIX = ".ll"  # a text of LLVM's intermediate language, read as it is
SOURCE_BYTES = 20_000_000  # of a text in C, or in LLVM's language
COMPILED_SUFFIXES = (*C_SUFFIXES, *CPP_SUFFIXES, LLVM_SUFFIX)


@dataclass(frozen=True, slots=True)
class CompilerOptions:
    clang: str | None = None  # a path; None: HYBRID_CLANG, or what is found
    flags: tuple[str, ...] = ()  # for the compiler, behind those of the file itself
    linked: tuple[Path, ...] = ()  # files that make one program with the one that is read


NO_OPTIONS = CompilerOptions()


def is_compiled(path: Path) -> bool:
    """Whether a file is C, C++ or LLVM's intermediate language."""
    return path.suffix in COMPILED_SUFFIXES


def needs_compiler(path: Path) -> bool:
    return is_compiled(path) and path.suffix != LLVM_SUFFIX


def is_cpp(path: Path) -> bool:
    return path.suffix in CPP_SUFFIXES


def linked(paths: list[Path], options: CompilerOptions) -> tuple[Path, CompilerOptions]:
    """The first of the files, and options that make one program of it and the others."""
    for path in paths:
        if not is_compiled(path):
            raise InputError(
                f"--link: {path} is not a C program", hint=f"known: {', '.join(COMPILED_SUFFIXES)}"
            )
    return paths[0], CompilerOptions(options.clang, options.flags, tuple(paths[1:]))


def check_flags(paths: list[Path], options: CompilerOptions) -> None:
    """Complains of options for a compiler where there is nothing to compile."""
    if any(map(needs_compiler, paths)):
        return
    if options.flags:
        raise InputError(
            f"what stands after `--` ({options.flags[0]} …) is for the C compiler, "
            "but none of the files is in C or C++",
            hint="files are named before `--`; one whose name begins with `-` as ./-NAME",
        )
    if options.clang is not None:
        raise InputError("--clang: none of the files is in C or C++")
