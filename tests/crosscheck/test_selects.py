"""Random programs with selects: configurations agree on them, under every model."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from support import MODELS, model

from hybrid.catalogue.spelling import CONFIGURATIONS, parse_configurations
from hybrid.crosscheck.compare import crosscheck
from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.crosscheck.vocabulary import vocabulary
from hybrid.engine.api import Limits
from hybrid.frontend.prog import parse_program
from hybrid.frontend.prog_print import print_program
from hybrid.program import instructions as ins
from hybrid.program.check import check_program
from hybrid.program.expr import Binary, Const, Expr, Register
from hybrid.program.program import Program, Thread
from hybrid.source import Source, nowhere

_HERE = nowhere("<random>")


def _operand(rng: random.Random, held: list[str]) -> Expr:
    register = Register(_HERE, rng.choice(held))
    zero = Binary(_HERE, "^", register, register)
    return rng.choice((register, zero, Const(_HERE, rng.randint(0, 2))))


def _select(rng: random.Random, label: str, held: list[str]) -> ins.Select:
    """A select into a register that holds what was read, so that later instructions use it."""
    tested = Register(_HERE, rng.choice(held))
    condition = Binary(_HERE, rng.choice(("==", "!=")), tested, Const(_HERE, rng.randint(0, 1)))
    yes, no = _operand(rng, held), _operand(rng, held)
    return ins.Select(_HERE, label, rng.choice(held), condition, yes, no)


def _with_selects(rng: random.Random, thread: Thread) -> Thread:
    code: list[ins.Instruction] = []
    moved: list[int] = []
    held: list[str] = []
    for instruction in thread.code:
        moved.append(len(code))
        code.append(instruction)
        if isinstance(instruction, ins.Load | ins.Rmw) and instruction.register is not None:
            held.append(instruction.register)
        if held and rng.random() < 0.5:
            code.append(_select(rng, f"{thread.name}s{len(code)}", held))
    moved.append(len(code))
    return replace(
        thread,
        code=tuple(
            replace(i, target=moved[i.target]) if isinstance(i, ins.Branch | ins.Goto) else i
            for i in code
        ),
    )


def program_with_selects(name: str, number: int, candidates: int) -> Program:
    """Number `number` of a sequence for a model."""
    rng = random.Random(f"selects/{name}/{number}")
    cycles = rng.choice((0.0, 1.0))
    words = vocabulary(model(name))
    program = random_program(71, number, Shape(candidates=candidates, cycles=cycles, words=words))
    program = replace(program, threads=tuple(_with_selects(rng, t) for t in program.threads))
    check_program(program)
    return program


@pytest.mark.large
@pytest.mark.parametrize("name", MODELS)
def test_rsmc_equals_brute_force(name: str) -> None:
    configurations = parse_configurations("enumerate,rsmc,rsmc+rf,bmc:sat")
    selects = 0
    for number in range(40):
        program = program_with_selects(name, number, 400)
        selects += any(isinstance(i, ins.Select) for t in program.threads for i in t.code)
        result = crosscheck(program, model(name), configurations, Limits(unroll=2))
        assert result.agree and not result.open, f"{result.differences}\n{print_program(program)}"
    assert selects > 20


@pytest.mark.large
@pytest.mark.parametrize("name", ("power", "aarch64", "tso"))
def test_all_configurations_are_equal(name: str) -> None:
    for number in range(1000, 1008):
        program = program_with_selects(name, number, 150)
        result = crosscheck(program, model(name), CONFIGURATIONS, Limits(unroll=2), complete=True)
        assert result.agree and not result.open, f"{result.differences}\n{print_program(program)}"


def test_selects_are_printed_and_read_back() -> None:
    for number in range(20):
        program = program_with_selects("aarch64", number, 400)
        text = print_program(program)
        again = parse_program(Source("printed.prog", text))
        assert print_program(again) == text
