"""SARIF 2.1.0: one JSON document about all programs, for tools that show findings in the source.

A violation has its file and line, of a C program also the calls that lead there and the execution,
step by step, as a code flow. A program without an answer is a finding too: nothing that went wrong
is left out. An answer that is as it should be gives none; a violation that is expected is a note.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from urllib.parse import quote

from hybrid.engine.races import Races
from hybrid.execution.trace import Trace
from hybrid.report.meaning import meaning
from hybrid.report.output_format import OutputFormat
from hybrid.report.result import Result
from hybrid.report.row import Row
from hybrid.report.sightings import Violation
from hybrid.report.source_paths import SourcePaths
from hybrid.report.violations import beside_text
from hybrid.source import Span, nowhere
from hybrid.verdict import Verdict
from hybrid.versions import __version__
from hybrid.witness.faults import Fault, race_faults, waiting_fault

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
ERROR, WARNING, NOTE = "error", "warning", "note"  # how bad a finding is
UNEXPECTED, NO_ANSWER = "unexpected answer", "no answer"
UNSUPPORTED, FAULTY, BUG = "unsupported", "input error", "internal error"

# A program of these rules was not looked at, or not to the end for another reason than a limit.
_FAILED = frozenset({rule.replace(" ", "-") for rule in (UNSUPPORTED, FAULTY, BUG)})
_FRAME = re.compile(r"(.*) \((.*):([0-9]+)\)")
Json = dict[str, object]


class SarifFormat(OutputFormat):
    name = "sarif"
    document = True

    def result(self, result: Result, path: str, row: Row) -> str:
        found = _Findings(row, path, SourcePaths(result.program)).of(result)
        return json.dumps(list(found), ensure_ascii=False)

    def stopped(self, row: Row, path: str) -> str:
        told = f"{_head(row)}: {row.word}, {row.partial}"
        return json.dumps([_finding(NO_ANSWER, WARNING, told, row, _place(path))])

    def failure(
        self, row: Row, path: str, message: str, hint: str = "", span: Span | None = None
    ) -> str:
        rule = BUG if row.bug else UNSUPPORTED if row.refused else FAULTY
        told = f"{message} ({hint})" if hint else message
        place = _place(path) if span is None else _place_of(span, path)
        return json.dumps([_finding(rule, ERROR, told, row, place)], ensure_ascii=False)

    def whole(self, texts: Sequence[str], finished: bool) -> str:
        results = [found for text in texts for found in json.loads(text)]
        rules = sorted({found["ruleId"] for found in results})
        driver: Json = {
            "name": "hybrid",
            "version": __version__,
            "rules": [
                {"id": rule, "shortDescription": {"text": rule.replace("-", " ")}} for rule in rules
            ],
        }
        for found in results:
            found["ruleIndex"] = rules.index(found["ruleId"])
        done = finished and not _FAILED.intersection(rules)
        run: Json = {
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "invocations": [{"executionSuccessful": done}],
            "results": results,
        }
        document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
        return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


class _Findings:
    """Those of one program under one model."""

    def __init__(self, row: Row, file: str, paths: SourcePaths) -> None:
        self.row = row
        self.file = file  # that was read
        self.paths = paths

    def of(self, result: Result) -> Iterator[Json]:
        row, place = self.row, _place(self.file)
        bad = row.counted is Verdict.VIOLATED
        for violation in result.violations:
            yield self._violation(violation, ERROR if bad else NOTE)
        if bad and not result.violations:
            differences = "; ".join((row.word, *row.differences))
            told = f"{_head(row)}: {differences}. {_differs(result)}"
            yield _finding(UNEXPECTED, ERROR, told, row, place)
        if result.unsupported:
            yield _finding(UNSUPPORTED, ERROR, result.unsupported, row, place)
        elif row.counted in (Verdict.BOUNDED, Verdict.INCONCLUSIVE):
            why = "; ".join(filter(None, (row.partial, *result.messages)))
            told = f"{_head(row)}: {row.word}" + (f", {why}" if why else "")
            yield _finding(NO_ANSWER, WARNING, told, row, place)
        yield from self._notes(result)

    def _notes(self, result: Result) -> Iterator[Json]:
        """What was seen and violates nothing."""
        for each in result.beside:
            place = self._place_at(each.fault)
            yield _finding(each.fault.kind, NOTE, beside_text(each), self.row, place)
        told = {str(violation.fault) for violation in result.violations}
        faults: list[Fault] = []
        if result.race is not None and result.races is not Races.IGNORE:
            faults += race_faults(result.race)
        if result.waiting is not None:
            faults.append(waiting_fault(result.waiting.data()))
        for fault in faults:
            if str(fault) not in told:
                yield self._fault(fault, NOTE)

    def _violation(self, violation: Violation, level: str) -> Json:
        found = self._fault(violation.fault, level)
        if violation.executions is not None:
            found["occurrenceCount"] = max(violation.executions, 1)
        flow = [] if violation.witness is None else list(self._steps(violation.witness))
        if flow:
            found["codeFlows"] = [{"threadFlows": [{"locations": flow}]}]
        return found

    def _fault(self, fault: Fault, level: str) -> Json:
        told = fault.message or fault.kind
        where = f" in {fault.thread}" if fault.thread else ""
        text = f"{fault.kind}{where}: {told} ({_head(self.row)})"
        found = _finding(fault.kind, level, text, self.row, self._place_at(fault))
        if fault.stack:
            frames = [{"location": self._frame(frame)} for frame in fault.stack]
            found["stacks"] = [{"message": {"text": "the calls that lead there"}, "frames": frames}]
        return found

    def _place_at(self, fault: Fault) -> Json:
        """Where a fault is; of one without a place, the file that was read."""
        file = self.paths.path(fault.file or self.file)
        place = _place(file, startLine=fault.line) if fault.line else _place(file)
        if fault.thread:
            place["logicalLocations"] = [{"name": fault.thread, "kind": "thread"}]
        return place

    def _frame(self, text: str) -> Json:
        match = _FRAME.fullmatch(text)
        if match is None:
            return {"message": {"text": text}}
        place = _place(self.paths.path(match[2]), startLine=int(match[3]))
        return {**place, "message": {"text": match[1]}}

    def _steps(self, trace: Trace) -> Iterable[Json]:
        """The execution of a compiled program, in its order."""
        from hybrid.witness.run import commits, source_row

        data = trace.data()
        if not data.program.compiled:
            return
        for order, commit in enumerate(commits(data) or (), 1):
            origin = commit.step.origin
            if origin is None or not origin.line:
                continue
            row = source_row(data, commit)
            place = _place(self.paths.path(origin.file), startLine=origin.line)
            place["message"] = {"text": f"{row.thread}: {row.text}: {row.effect}"}
            yield {"location": place, "executionOrder": order}


def _differs(result: Result) -> str:
    expected = result.expected
    if expected is None or result.demanded:
        return meaning(result)
    traces = "" if expected.traces is None else f" with {expected.traces} traces"
    return f"The file expects {expected.verdict}{traces}."


def _finding(rule: str, level: str, text: str, row: Row, place: Json) -> Json:
    return {
        "ruleId": rule.replace(" ", "-"),
        "level": level,
        "message": {"text": text},
        "locations": [place],
        "properties": {"program": row.program, "model": row.model},
    }


def _head(row: Row) -> str:
    return row.program if row.model == "-" else f"{row.program} under {row.model}"


def _uri(file: str) -> str:
    path = PurePath(file)
    text = quote(path.as_posix(), safe="/", errors="surrogateescape")  # names need not be UTF-8
    return f"file://{text}" if path.is_absolute() else text


def _place(file: str, **region: int) -> Json:
    physical: Json = {"artifactLocation": {"uri": _uri(file)}}
    if region:
        physical["region"] = region
    return {"physicalLocation": physical}


def _place_of(span: Span, path: str) -> Json:
    if span == nowhere(span.source.name):
        return _place(path)
    region = {"startLine": span.line, "startColumn": span.column, "endLine": span.end_line}
    return _place(span.source.name, **region, endColumn=span.end_column)
