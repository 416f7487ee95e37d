"""Finds the programs that a user names: files, folders of them, lists of their paths."""

from __future__ import annotations

import os
from pathlib import Path

from hybrid.errors import InputError
from hybrid.files import DATA_BYTES, is_folder, real, unreadable
from hybrid.frontend.load import SUFFIXES
from hybrid.parsing import read_source

MOST_NESTED = 20  # lists within each other
MOST_LISTS = 10_000  # read for one argument
LOCK = ".#"  # how the names of Emacs's locks begin, which are links to nowhere


def program_paths(arguments: list[str]) -> list[Path]:
    """The files that the arguments name; a folder stands for all programs below it, sorted, and
    `@FILE` for those that the file lists."""
    found: list[Path] = []
    for argument in arguments:
        path = Path(argument)
        if not argument:
            raise InputError("the name of a file is empty", hint="`.` is this folder")
        if argument.startswith("@"):
            found += program_paths(_Lists().read(Path(argument[1:])))
        elif is_folder(path):
            below = _below(path)
            if not below:
                raise InputError(
                    f"no programs in the folder {path}",
                    hint=f"looked for: {', '.join('*' + s for s in SUFFIXES)}",
                )
            found += below
        else:
            found.append(path)
    return found


def _below(folder: Path) -> list[Path]:
    """The programs below a folder, sorted. Links to other folders are not followed; one that leads
    nowhere is reported when it is read."""
    found: list[Path] = []

    def complain(error: OSError) -> None:
        raise unreadable(error.filename, error)

    for place, _, names in os.walk(folder, onerror=complain):
        found += [Path(place, n) for n in names if Path(n).suffix in SUFFIXES and n[:2] != LOCK]
    return sorted(found)


class _Lists:
    """Reads a list of paths, and the lists within it."""

    def __init__(self) -> None:
        self._read = 0  # lists so far

    def read(self, path: Path, within: tuple[Path, ...] = ()) -> list[str]:
        """What a list names, one path per line, as seen from the list; `#` begins a comment,
        `@FILE` is a list in it."""
        self._read += 1
        if real(path) in within:
            raise InputError(f"the list {path} lists itself")
        if len(within) >= MOST_NESTED or self._read > MOST_LISTS:
            most = f"{MOST_NESTED} levels" if self._read <= MOST_LISTS else f"{MOST_LISTS} of them"
            raise InputError(
                f"the list {path} is one list within others too many: more than {most}"
            )
        found: list[str] = []
        text = read_source(path, most=DATA_BYTES, pipes=True).text
        for number, line in enumerate(text.split("\n"), 1):
            name = line.split("#", 1)[0].strip()
            if name.startswith("@"):
                found += self.read(path.parent / name[1:], (*within, real(path)))
            elif name:
                place = path.parent / name
                if place.suffix not in SUFFIXES and not is_folder(place):
                    # The line is not shown: the file may not be a list at all.
                    raise InputError(
                        f"{path}: line {number} names neither a program nor a folder",
                        hint=f"expected one path per line, to {', '.join(SUFFIXES)} or a folder",
                    )
                found.append(str(place))
        if not found:
            raise InputError(f"the list {path} names no program", hint="expected one path per line")
        return found
