"""Instructions as text: what is shown parses to the same instruction."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import pytest

from hybrid.frontend.prog import parse_program
from hybrid.program.instructions import Instruction
from hybrid.program.show import show_instruction
from hybrid.program.tags import FENCES
from hybrid.source import Source

SPELLINGS = [
    "r0 := r1 + 2 * r2",
    "r0 := -r1",
    "r0 := min(r1, 3)",
    "r0 := &x",
    "r0 := x",
    "r0 := x @acq",
    "r0 := a[1]",
    "r0 := [&a + r1]",
    "x := r1 ^ r1",
    "x := 1 @rel",
    "[r1] := 3 @rlx",
    "r0 := lr(x)",
    "r0 := lr(x) @acq",
    "r0 := sc(x, r1 + 1)",
    "sc(x, 1) @rel",
    "r0 := cas(x, 0, r1 + 1) @acqrel",
    "cas(x, 0, 1)",
    "r0 := xchg(x, 1) @sc",
    "r0 := xchg(x, 1) await = 0",
    "r0 := faa(x, 1)",
    "r0 := fetch_sub(x, 1)",
    "r0 := fetch_and(x, 1)",
    "r0 := fetch_or(x, 1)",
    "r0 := fetch_xor(x, 1)",
    "r0 := fetch_min(x, 1)",
    "r0 := fetch_max(x, 1)",
    "await(x = 1)",
    "r0 := await(x != r1) @acq",
    "r0 := lr(x) await >= 2",
    "assume r1 = 1",
    "assert r1 != 1 && r2 <= 3",
    "if r1 = 0 goto L0",
    "goto L0",
    "fence @sc",
    "fence @acq",
    *FENCES,
]


def parsed(text: str) -> tuple[Instruction, tuple[Instruction, ...]]:
    source = f"x = 0; a[2] = 0\nthread P: L0: r1 := 0; r2 := 0; L1: {text};\n"
    code = parse_program(Source("<test>", source)).threads[0].code
    return next(i for i in code if i.label == "L1"), code


def plain(value: object) -> object:
    """A node without its spans."""
    if is_dataclass(value) and not isinstance(value, type):
        return (
            type(value).__name__,
            *((f.name, plain(getattr(value, f.name))) for f in fields(value) if f.name != "span"),
        )
    return value


@pytest.mark.parametrize("text", SPELLINGS)
def test_what_is_shown_parses_back(text: str) -> None:
    instruction, code = parsed(text)
    shown = show_instruction(instruction, code)
    assert plain(parsed(shown)[0]) == plain(instruction)


@pytest.mark.parametrize("text", [s for s in SPELLINGS if "*" not in s and "&&" not in s])
def test_common_spellings_stay(text: str) -> None:
    assert show_instruction(*parsed(text)) == text


def test_targets() -> None:
    instruction, code = parsed("if r1 = 0 goto L0")
    assert show_instruction(instruction) == "if r1 = 0 goto #0"
    assert show_instruction(instruction, code) == "if r1 = 0 goto L0"
