"""Printing a program and reading it again gives the same program."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from prog_samples import HERE, programs, shape

from hybrid.frontend.load import parse_litmus
from hybrid.frontend.prog import parse_program
from hybrid.frontend.prog_print import print_program
from hybrid.program import condition as cond
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.check import check_program
from hybrid.program.program import Location, Program, Thread
from hybrid.source import Source


@pytest.mark.large
@settings(max_examples=200, deadline=None, derandomize=True)
@given(programs())
def test_round_trip(program: Program) -> None:
    check_program(program)
    text = print_program(program)
    again = parse_program(Source("<printed>", text))
    assert shape(again) == shape(program), text
    assert print_program(again) == text


PROGRAM = """program LB
"load buffering"
x = 0
a[2] = {1, 2}

thread P(p = 0):
  L0: r0 := x @acq;
  P1: a[r0 & 1] := r0 + 1;
  P2: [p] := (r0 * 2) + -(1);
  P3: if r0 = 1 goto P_end;
  P4: lwsync;
  P5: s := cas(x, 0, &a[1]) @acqrel;
  P6: r1 := xchgawait(x != 0, := 1);
  P7: _ := a[1];
  P_end:

thread Q:
  L1: r0 := lr(x);
  Q1: s := sc(x, min(r0, 2)) @rel;
  Q2: if s goto L1;

~exists (P:r0 = 1 /\\ (x = 2 \\/ ~(a[1] != &a[0])))
locations [Q:s]
expect sc: HOLDS 3 traces
expect "my model.cat": VIOLATED
"""


def test_printed_form() -> None:
    assert print_program(parse_program(Source("t", PROGRAM))) == PROGRAM


def test_names_that_cannot_be_written() -> None:
    """Names of other languages are replaced, registers that are only read get their 0."""
    x = Location(HERE, "a[5]", 4, 0)
    y = Location(HERE, "if", 8, 0)
    code = (
        ins.Load(HERE, "P:0", "%eax", ex.Const(HERE, 4, "a[5]"), frozenset({"NA"})),
        ins.Store(HERE, "P:1", ex.Const(HERE, 8), ex.Register(HERE, "W0"), frozenset({"NA"})),
        ins.Goto(HERE, "P_0", 0),
    )
    term = cond.RegisterTerm(HERE, 0, "%eax", "0:%eax")
    condition = cond.Condition(
        HERE, cond.Quantifier.EXISTS, cond.Compare(HERE, "==", term, cond.Value(HERE, 4, "a[5]"))
    )
    text = print_program(Program("p", (x, y), (Thread(HERE, "0", code),), condition))
    assert text == (
        "program p\na_5 at 4 = 0\nif_ at 8 = 0\n\nthread 0(W0 = 0):\n  P_0_: eax := a_5;\n"
        "  P_1: if_ := W0;\n  P_0: goto P_0_;\n\nexists (0:eax = &a_5)\n"
    )
    again = parse_program(Source("t", text))
    assert [type(i) for i in again.threads[0].code] == [type(i) for i in code]


def test_what_a_litmus_test_expects_of_models_of_others_is_left_out() -> None:
    text = "X86 one\n{}\n P0 ;\n MOV [x],$1 ;\nfinal (x=1)\nwith tso: exists; other: exists;\n"
    program = parse_litmus(Source("one.litmus", text))
    assert [each.model for each in program.expectations] == ["tso", "other"]
    printed = parse_program(Source("one.prog", print_program(program)))
    assert [each.model for each in printed.expectations] == ["tso"]
