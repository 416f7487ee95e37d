"""What `hybrid crosscheck` does with one file: the same in this process and in a worker."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hybrid import versions
from hybrid.api.crosscheck import Comparing, crosscheck_loaded
from hybrid.batch.done import read_view
from hybrid.batch.journal import JournalKind
from hybrid.batch.models import Models
from hybrid.crosscheck.compare import Comparison
from hybrid.errors import InputError, Stopped
from hybrid.frontend.c.provenance import Sources, sources_of
from hybrid.frontend.compiler_options import is_compiled
from hybrid.frontend.load import load_program
from hybrid.report.as_json import json_error_line
from hybrid.report.comparison import (
    HEAD,
    JSON,
    TABLE,
    below_cells,
    comparison_json,
    full_text,
    table_cells,
)
from hybrid.report.disagreement import disagreement_text
from hybrid.verdict import Verdict
from hybrid.versions import COMPARISON_JOURNAL

if TYPE_CHECKING:
    from hybrid.report.html.views import AnswerView


@dataclass(slots=True)
class Compared:
    """What came of one program under one model."""

    path: Path
    name: str
    model_name: str  # - where the program could not be read
    verdict: Verdict
    cells: tuple[str, ...] = ()  # of a table
    text: str = ""  # in full, or of a table what stands below the line
    fields: dict[str, object] | None = None  # of JSON
    complaint: str = ""  # for standard error
    disagreement: str = ""  # empty: there is none
    left_out: list[tuple[str, str]] = field(default_factory=list)
    comparison: Comparison | None = None  # None: it was made in another process
    bug: str = ""  # what left the program without an answer
    sources: Sources = ()  # what a C program was compiled from
    view: AnswerView | None = None  # for --html

    @property
    def interrupted(self) -> bool:
        """Ctrl-C leaves no comparison."""
        return False

    @property
    def trouble(self) -> str:
        return "" if self.verdict is Verdict.HOLDS else self.verdict.value


class Checker:
    """Compares the configurations on a file under its models. A worker process has its own."""

    own_progress = True  # of each configuration
    seconds = None  # the configurations have their own limits

    def __init__(
        self, comparing: Comparing, models: Models, form: str, views: bool = False
    ) -> None:
        """`views`: also make what --html shows of each program."""
        self.views = views
        self.comparing = comparing
        self.models = models
        self.form = form  # TEXT, TABLE or JSON
        self.at = ""

    def __call__(self, path: Path) -> list[Compared]:
        return [replace(found, comparison=None) for found in self._each(path, progress=False)]

    def each(self, path: Path) -> Iterator[Compared]:
        return self._each(path, progress=True)

    def _each(self, path: Path, progress: bool) -> Iterator[Compared]:
        self.at = path.stem
        try:
            program = load_program(path, self.comparing.compiling)
        except InputError as error:
            yield self._failed(path, path.stem, "-", error)
            return
        for name in self.models.names_for(program):
            self.at = f"{program.name} under {name}"
            try:
                model = self.models.load(name)
                comparison = crosscheck_loaded(program, model, self.comparing, progress)
            except InputError as error:
                yield self._failed(path, program.name, name, error)
            except Stopped as stop:  # outside of all explorations
                yield self._stopped(path, program.name, name, stop.told)
            else:
                yield self._found(path, comparison)

    def again(self, found: Compared) -> Comparison:
        """The comparison of a result that comes from another process."""
        if found.comparison is not None:
            return found.comparison
        model = self.models.load(found.model_name)
        program = load_program(found.path, self.comparing.compiling)
        return crosscheck_loaded(program, model, self.comparing)

    def _found(self, path: Path, comparison: Comparison) -> Compared:
        found = Compared(path, comparison.program.name, comparison.model.name, comparison.verdict)
        found.left_out = comparison.left_out
        found.comparison = comparison
        found.sources = sources_of(comparison.program.meta)
        if comparison.differences:
            found.disagreement = disagreement_text(comparison)
        if self.views:
            from hybrid.batch.html_report import source_texts
            from hybrid.explain.other_views import comparison_view

            found.view = comparison_view(comparison, source_texts(comparison.program))
        if self.form == JSON:
            found.fields = comparison_json(comparison, str(path))
        elif self.form == TABLE:
            found.cells, found.text = table_cells(comparison), below_cells(comparison)
        else:
            found.text = full_text(comparison)
        return found

    def _failed(self, path: Path, name: str, model: str, error: InputError) -> Compared:
        found = Compared(path, name, model, Verdict.ERROR, complaint=error.render())
        if self.form == JSON:
            found.fields = json.loads(json_error_line(error, str(path), None))
            found.fields["version"] = versions.COMPARISON
        elif self.form == TABLE:
            found.cells = _cells(name, model, Verdict.ERROR)
        return found

    def _stopped(self, path: Path, name: str, model: str, why: str) -> Compared:
        found = Compared(path, name, model, Verdict.INCONCLUSIVE, complaint=f"{path}: {why}")
        if self.form == JSON:
            found.fields = {
                "version": versions.COMPARISON,
                "program": name,
                "file": str(path),
                "model": model,
                "verdict": Verdict.INCONCLUSIVE.value,
                "open": [why],
            }
        elif self.form == TABLE:
            found.cells = _cells(name, model, Verdict.INCONCLUSIVE)
        return found

    def lost(self, path: Path, reason: str) -> list[Compared]:
        """The file of a worker that is gone."""
        found = self._failed(path, path.stem, "-", InputError(f"internal error: {reason}"))
        found.complaint = f"{path}: internal error (a bug in hybrid, please report it): {reason}"
        found.bug = reason
        return [found]


def _cells(name: str, model: str, verdict: Verdict) -> tuple[str, ...]:
    return (name, model, verdict.value, "-", "-", "-")


# ---- the journal

_TEXTS = ("name", "model_name", "text", "complaint", "disagreement")


def _written(found: Compared) -> dict[str, object]:
    kept: dict[str, object] = {name: getattr(found, name) for name in _TEXTS}
    kept |= {"verdict": found.verdict.value, "cells": found.cells, "fields": found.fields}
    view = None if found.view is None else asdict(found.view)
    return {**kept, "left_out": found.left_out, "sources": found.sources, "view": view}


def _read(path: str, found: dict[str, Any]) -> Compared:
    """Raises TypeError, KeyError or ValueError where `found` is not such a result."""
    texts = {name: found[name] for name in _TEXTS}
    cells, left_out, fields = found["cells"], found["left_out"], found["fields"]
    if not all(isinstance(text, str) for text in (*texts.values(), *cells)):
        raise TypeError
    if len(cells) not in (0, len(HEAD)) or not (fields is None or isinstance(fields, dict)):
        raise TypeError
    return Compared(
        Path(path),
        verdict=Verdict(found["verdict"]),
        cells=tuple(cells),
        fields=fields,
        left_out=[(str(name), str(reason)) for name, reason in left_out],
        sources=tuple((str(name), str(value)) for name, value in found.get("sources", ())),
        view=read_view(found.get("view")),
        **texts,
    )


def _lasting(found: Compared) -> bool:
    """Of a C program that cannot be read, what it includes is not known, and may be at fault."""
    return not found.bug and not (found.verdict is Verdict.ERROR and is_compiled(found.path))


CROSSCHECK_JOURNAL: JournalKind[Compared] = JournalKind(
    "hybrid crosscheck", COMPARISON_JOURNAL, _written, _read, _lasting, lambda found: found.sources
)
