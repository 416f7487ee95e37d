"""Where the files are that people are told of by their names alone: for tools, which open them."""

from __future__ import annotations

from pathlib import PurePath

from hybrid.frontend.c.provenance import sources_of
from hybrid.program.program import Program


class SourcePaths:
    """The sources of a compiled program, by name; of others a fault has the path already."""

    def __init__(self, program: Program | None) -> None:
        self._paths: dict[str, str] = {}
        sources = () if program is None else sources_of(program.meta)
        names = [PurePath(path).name for path, _ in sources]
        for name, (path, _) in zip(names, sources, strict=True):
            if names.count(name) == 1:  # of two with the same name it is not known which is meant
                self._paths[name] = path

    def path(self, file: str) -> str:
        return self._paths.get(file, file)
