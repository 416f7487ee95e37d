"""What `hybrid crosscheck` does with one file, and how it is shown; the same in this process and in
a worker."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from hybrid import versions
from hybrid.crosscheck.compare import Comparison, crosscheck
from hybrid.crosscheck.configuration import RF, Configuration
from hybrid.crosscheck.found import Found, count
from hybrid.engine.api import Engine, Limits
from hybrid.errors import InputError, Stopped
from hybrid.frontend.load import load_program, model_of
from hybrid.memory import memory_limit
from hybrid.model import orders
from hybrid.model.core import Model
from hybrid.model.load import builtin_models, load_model
from hybrid.printable import joined
from hybrid.program.program import Program
from hybrid.report.as_json import json_error_line
from hybrid.report.disagreement import disagreement_json, disagreement_text
from hybrid.report.progress import Progress
from hybrid.verdict import Verdict

Reason = TypeVar("Reason", bound=Hashable)

TEXT, TABLE, JSON = "text", "table", "json"  # how a comparison is written
EQUAL = "EQUAL"  # what HOLDS is called here


@dataclass(slots=True)
class Compared:
    """What came of one program under one model."""

    path: Path
    name: str
    model_name: str  # - where the program could not be read
    verdict: Verdict
    text: str = ""  # in full, or of a table its line
    fields: dict[str, object] | None = None  # of JSON
    complaint: str = ""  # for standard error
    disagreement: str = ""  # empty: there is none
    left_out: list[tuple[str, str]] = field(default_factory=list)
    comparison: Comparison | None = None  # None: it was made in another process
    bug: str = ""  # what left the program without an answer


class Checker:
    """Compares the configurations on a file under its models. A worker process has one of its own."""

    def __init__(
        self,
        args: argparse.Namespace,
        configurations: tuple[Configuration, ...],
        models: list[str] | None,
        style: str,
        width: int,
    ) -> None:
        self.args = args
        self.configurations = configurations
        self.style = style
        self.width = width  # of names
        self.at = ""  # what is being compared
        self._names = models  # None: the model of the architecture, or all
        self._models: dict[str, Model] = {}

    def model(self, name: str) -> Model:
        if name not in self._models:
            self._models[name] = load_model(name)
        return self._models[name]

    def __call__(self, path: Path) -> list[Compared]:
        return [replace(found, comparison=None) for found in self.each(path)]

    def each(self, path: Path, progress: bool = False) -> Iterator[Compared]:
        self.at = path.stem
        try:
            program = load_program(path)
        except InputError as error:
            yield self._failed(path, path.stem, "-", error)
            return
        for name in self._names or self._default(program):
            self.at = f"{program.name} under {name}"
            try:
                model = self.model(name)
                with memory_limit(self.args.max_memory):
                    mapped = self.mapped(program, model)
                    comparison = self.compare(mapped, model, progress)
            except InputError as error:
                yield self._failed(path, program.name, name, error)
            except Stopped as stop:  # outside of all explorations
                yield self._stopped(path, program.name, name, stop.told)
            else:
                yield self._found(path, comparison)

    def _default(self, program: Program) -> list[str]:
        return [model_of(program)] if program.arch else builtin_models()

    def mapped(self, program: Program, model: Model) -> Program:
        return orders.mapped(self.args.map, program, model)[0]

    def compare(self, program: Program, model: Model, progress: bool) -> Comparison:
        shown: list[Progress] = []

        def started(configuration: Configuration, engine: Engine) -> None:
            ended()
            shown.append(Progress(engine, f"{program.name} {configuration}", sys.stderr, progress))
            shown[-1].__enter__()

        def ended() -> None:
            while shown:
                shown.pop().__exit__(None, None, None)

        try:
            return crosscheck(
                program,
                model,
                self.configurations,
                Limits(self.args.unroll, max_steps=self.args.max_steps),
                seconds=self.args.timeout,
                seed=self.args.seed,
                complete=self.args.complete,
                on_start=started,
            )
        finally:
            ended()

    def _found(self, path: Path, comparison: Comparison) -> Compared:
        found = Compared(path, comparison.program.name, comparison.model.name, comparison.verdict)
        found.left_out = comparison.left_out
        found.comparison = comparison
        if comparison.differences:
            found.disagreement = disagreement_text(comparison)
        if self.style == JSON:
            found.fields = _as_json(comparison, str(path))
        else:
            found.text = self._row(comparison) if self.style == TABLE else full_text(comparison)
        return found

    def _failed(self, path: Path, name: str, model: str, error: InputError) -> Compared:
        found = Compared(path, name, model, Verdict.ERROR, complaint=error.render())
        if self.style == JSON:
            found.fields = json.loads(json_error_line(error, str(path), None))
            found.fields["version"] = versions.COMPARISON
        elif self.style == TABLE:
            found.text = self.line(name, model, Verdict.ERROR.value, "-", "-", "-")
        return found

    def _stopped(self, path: Path, name: str, model: str, why: str) -> Compared:
        found = Compared(path, name, model, Verdict.INCONCLUSIVE, complaint=f"{path}: {why}")
        if self.style == JSON:
            found.fields = {
                "version": versions.COMPARISON,
                "program": name,
                "file": str(path),
                "model": model,
                "verdict": Verdict.INCONCLUSIVE.value,
                "open": [why],
            }
        elif self.style == TABLE:
            found.text = self.line(name, model, Verdict.INCONCLUSIVE.value, "-", "-", "-")
        return found

    def lost(self, path: Path, reason: str) -> list[Compared]:
        """The file of a worker that is gone."""
        found = self._failed(path, path.stem, "-", InputError(f"internal error: {reason}"))
        found.complaint = f"{path}: internal error (a bug in hybrid, please report it): {reason}"
        found.bug = reason
        return [found]

    def line(self, name: str, model: str, result: str, *numbers: str) -> str:
        traces, compared, seconds = numbers
        return (
            f"{name:<{self.width}}  {model:<8}  {result:<12}  "
            f"{traces:>8}  {compared:>8}  {seconds:>9}\n"
        )

    def _row(self, comparison: Comparison) -> str:
        traces = [str(len(f.traces)) for f in comparison.findings if f.equivalence != RF]
        return self.line(
            comparison.program.name,
            comparison.model.name,
            result_name(comparison),
            traces[0] if traces else "-",
            str(len(comparison.findings)),
            f"{sum(found.seconds for found in comparison.findings):.2f} s",
        ) + "".join(f"  not finished: {reason}\n" for reason in comparison.open)


def result_name(comparison: Comparison) -> str:
    verdict = comparison.verdict
    return EQUAL if verdict is Verdict.HOLDS else verdict.value


def full_text(comparison: Comparison) -> str:
    """The result, then a line a configuration."""
    rows = [(found.name, _counts(found)) for found in comparison.findings]
    width = max((len(name) for name, _ in rows), default=0)
    lines = [f"{comparison.program.name} under {comparison.model.name}: {result_name(comparison)}"]
    lines += [f"  {name:<{width}}  {text}" for name, text in rows]
    lines += [
        f"  not applicable: {names}: {reason}"
        for reason, names in by_reason(comparison.left_out).items()
    ]
    if comparison.completeness:
        lines.append(f"  complete: {comparison.completeness}")
    lines += [f"  not finished: {reason}" for reason in comparison.open]
    return joined(lines)


def by_reason(left_out: Iterable[tuple[str, Reason]]) -> dict[Reason, str]:
    """The configurations that each reason leaves out, with commas between."""
    names: dict[Reason, list[str]] = {}
    for name, reason in left_out:
        names.setdefault(reason, []).append(name)
    return {reason: ", ".join(found) for reason, found in names.items()}


def _counts(found: Found) -> str:
    if found.crash:
        return f"fails: {found.crash}"
    what = "class" if found.equivalence == RF else "trace"
    counters = found.counters
    parts = [count(len(found.traces), what)]
    for number, word in (
        (len(found.duplicates), "met again"),
        (len(found.waiting), "waiting"),
        (counters.blocked, "blocked"),
        (counters.cut, "cut"),
        (counters.errors, "erring"),
        (counters.stuck, "stuck"),
    ):
        if number:
            parts.append(f"{number} {word}")
    return f"{', '.join(parts)}  {found.seconds:.2f} s"


def _as_json(comparison: Comparison, path: str) -> dict[str, object]:
    return {
        "version": versions.COMPARISON,
        "program": comparison.program.name,
        "file": path,
        "model": comparison.model.name,
        "verdict": result_name(comparison),
        "unroll": comparison.limits.unroll,
        "max_steps": comparison.limits.max_steps,
        "configurations": [
            {
                "name": found.name,
                "equivalence": found.equivalence,
                "traces": len(found.traces),
                "duplicates": len(found.duplicates),
                "blocked": found.counters.blocked,
                "deadlocks": found.counters.deadlocks,
                "livelocks": found.counters.livelocks,
                "cut": found.counters.cut,
                "errors": found.counters.errors,
                "stuck": found.counters.stuck,
                "seconds": round(found.seconds, 6),
                "unfinished": found.unfinished,
                "crash": found.crash,
            }
            for found in comparison.findings
        ],
        "not_applicable": [{"name": n, "reason": r} for n, r in comparison.left_out],
        "complete": comparison.complete,
        "completeness": comparison.completeness,
        "open": comparison.open,
        "differences": disagreement_json(comparison),
        "shrunk": None,
    }
