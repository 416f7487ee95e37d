"""JUnit's XML: one test case per program and model, for tools that show how a batch went.

A test case fails where the exit code of its program alone would be 1, and has an error where it
would be another one but 0: no answer, or input that could not be used.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath
from xml.sax.saxutils import escape, quoteattr

from hybrid.printable import escaped
from hybrid.report.output_format import OutputFormat
from hybrid.report.result import Result
from hybrid.report.row import Row
from hybrid.report.text import TextFormat
from hybrid.source import Span
from hybrid.verdict import Verdict

_TIME = re.compile(r'^<testcase .*? time="([0-9.]+)"', re.MULTILINE)
_SURROGATE = re.compile("[\ud800-\udfff\ufffe\uffff]")  # what XML cannot have


class JunitFormat(OutputFormat):
    name = "junit"
    document = True

    def result(self, result: Result, path: str, row: Row) -> str:
        return _case(row, path, TextFormat().result(result, path, row))

    def stopped(self, row: Row, path: str) -> str:
        return _case(row, path, TextFormat().stopped(row, path))

    def failure(
        self, row: Row, path: str, message: str, hint: str = "", span: Span | None = None
    ) -> str:
        place = path if span is None else str(span)
        return _case(row, path, f"{place}: {message}\n{hint}".rstrip("\n") + "\n", message)

    def whole(self, texts: Sequence[str], finished: bool) -> str:
        body = "".join(texts)
        seconds = sum(float(time) for time in _TIME.findall(body))
        counts = {
            "tests": body.count("<testcase "),
            "failures": body.count("<failure "),
            "errors": body.count("<error ") + (not finished),
        }
        if not finished:
            case = '<testcase classname="hybrid" name="the rest of the batch" time="0.000">'
            told = '<error type="INCONCLUSIVE" message="interrupted: what follows was not run"/>'
            body += f"{case}{told}</testcase>\n"
            counts["tests"] += 1
        numbers = " ".join(f'{name}="{number}"' for name, number in counts.items())
        suite = f'name="hybrid verify" {numbers} time="{seconds:.3f}"'
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f"<testsuites {suite}>\n<testsuite {suite}>\n{body}</testsuite>\n</testsuites>\n"
        )


def _case(row: Row, path: str, text: str, message: str = "") -> str:
    name = row.program if row.model == "-" else f"{row.program} ({row.model})"
    folder = ".".join(part for part in PurePath(path).parent.parts if part not in ("/", ".", ".."))
    attributes = {
        "classname": folder or "hybrid",
        "name": name,
        "file": path,
        "time": f"{row.seconds or 0.0:.3f}",
    }
    head = " ".join(f"{word}={quoteattr(_clean(value))}" for word, value in attributes.items())
    told = escape(_clean(text))
    if row.counted.exit_code == 0:
        return f"<testcase {head}><system-out>{told}</system-out></testcase>\n"
    kind = "failure" if row.counted is Verdict.VIOLATED else "error"
    why = message or "; ".join(filter(None, (row.word, row.partial, *row.differences)))
    tag = f"{kind} type={quoteattr(row.word)} message={quoteattr(_clean(why))}"
    return f"<testcase {head}><{tag}>{told}</{kind}></testcase>\n"


def _clean(text: str) -> str:
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", escaped(text))
