"""Printing a program and reading it again gives the same program."""

from __future__ import annotations

from hypothesis import given, settings
from prog_samples import programs, shape

from hybrid.frontend.prog import parse_program
from hybrid.frontend.prog_print import print_program
from hybrid.program.check import check_program
from hybrid.program.program import Program
from hybrid.source import Source


@settings(max_examples=200, deadline=None, derandomize=True)
@given(programs())
def test_round_trip(program: Program) -> None:
    check_program(program)
    text = print_program(program)
    again = parse_program(Source("<printed>", text))
    assert shape(again) == shape(program), text
    assert print_program(again) == text
