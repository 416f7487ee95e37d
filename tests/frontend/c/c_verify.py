"""C texts in tests: compiled by the real driver, and explored."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import pytest
from support import model

from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError
from hybrid.frontend.compiler_options import CompilerOptions
from hybrid.frontend.load import load_program
from hybrid.program.program import Program
from hybrid.report.explored import explore
from hybrid.report.result import Result
from hybrid.verdict import Verdict

ENGINES = ("rsmc", "trust", "enumerate", "bmc")
FILE = "p.c"
HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
"""
LINES = HEAD.count("\n")  # the text of a test begins at the line after


@cache
def compiled(text: str, flags: tuple[str, ...] = ()) -> Program:
    """The program that a text makes, with the usual headers."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, FILE)
        path.write_text(HEAD + text, encoding="utf-8")
        return load_program(str(path), CompilerOptions(flags=flags))


def verify(
    text: str, engine: str = "rsmc", under: str = "rc20", flags: tuple[str, ...] = ()
) -> Result:
    program = compiled(text, flags)
    configuration = Configuration(engine).suiting(program)
    return explore(configuration, program, model(under))


def told(result: Result) -> list[str]:
    """The faults: `kind at line: message`, the lines counted from the text of the test."""
    return [
        f"{each.fault.kind} at {each.fault.line - LINES}: {each.fault.message}"
        for each in (*result.violations, *result.beside)
    ]


def holds(
    text: str, traces: int | None = None, engine: str = "rsmc", flags: tuple[str, ...] = ()
) -> Result:
    """Checks that a program holds, and has so many traces."""
    result = verify(text, engine, flags=flags)
    assert result.answer is Verdict.HOLDS, (told(result), result.messages, result.offence)
    if traces is not None:
        assert result.traces == traces
    return result


def violates(text: str, *faults: str, engine: str = "rsmc", flags: tuple[str, ...] = ()) -> Result:
    """Checks that these are the faults of a program: beginnings of what is told of them."""
    result = verify(text, engine, flags=flags)
    found = told(result)
    assert result.answer is Verdict.VIOLATED, (found, result.messages)
    assert len(found) == len(faults), found
    for each, fault in zip(found, faults, strict=True):
        assert each.startswith(fault), found
    return result


def refused(text: str, message: str, flags: tuple[str, ...] = ()) -> None:
    """Checks that a program is refused, at a line: `3: what is said`."""
    with pytest.raises(InputError) as caught:
        compiled(text, flags)
    line, _, words = message.partition(": ")
    assert words in caught.value.message, caught.value.message
    span = caught.value.span
    assert span is not None and span.line - LINES == int(line), (span, caught.value.message)


def calculates(text: str, flags: tuple[str, ...] = ()) -> None:
    """Checks that a program with one thread has nothing left to do: all of it was computed."""
    program = compiled(text, flags)
    lengths = [len(thread.code) for thread in program.threads]
    assert lengths == [0], [str(each.label) for each in program.threads[0].code[:5]]
