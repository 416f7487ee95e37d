"""How a program was compiled, which its `meta` remembers: the compiler, the user's flags, the files
that were named, and the SHA-256 of every source but the headers of the system."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Mapping
from pathlib import Path

from hybrid.errors import InputError
from hybrid.files import read_bytes
from hybrid.frontend.compiler_options import SOURCE_BYTES, CompilerOptions

# The words of `Program.meta`.
COMPILER = "Compiler"  # as it calls itself; empty where there was nothing to compile
FLAGS = "Flags"  # the user's, as a shell takes them; those of directives are in the files
FILES = "Files"  # that make the program, as a shell takes them
SOURCES = "Sources"  # as JSON: the SHA-256 of each by its name

Sources = tuple[tuple[str, str], ...]  # names and hashes


def written(
    compiler: str, options: CompilerOptions, files: list[Path], sources: set[str]
) -> dict[str, str]:
    """For the `meta` of a program."""
    return {
        COMPILER: compiler,
        FLAGS: shlex.join(options.flags),
        FILES: shlex.join(map(str, files)),
        SOURCES: json.dumps({name: hash_of(name) for name in sorted(sources)}),
    }


def sources_of(meta: Mapping[str, str]) -> Sources:
    """The files that a program was compiled from; empty for one that was not."""
    found = json.loads(meta.get(SOURCES, "{}"))
    return tuple((str(name), str(value)) for name, value in found.items())


def hash_of(name: str) -> str:
    """The SHA-256 of a file; an InputError where it cannot be read."""
    return hashlib.sha256(read_bytes(name, SOURCE_BYTES)).hexdigest()


def unchanged(sources: Sources) -> bool:
    try:
        return all(hash_of(name) == value for name, value in sources)
    except InputError:
        return False
