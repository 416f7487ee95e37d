"""What awaits wait for: comparisons, predicates, and what a loop reads besides."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from hybrid.catalogue.spelling import parse_configurations
from hybrid.crosscheck.compare import crosscheck
from hybrid.crosscheck.random_programs import random_program
from hybrid.crosscheck.shape import PROFILES
from hybrid.engine.api import Limits
from hybrid.engine.enumerate.engine import Enumerate
from hybrid.execution.trace import Status
from hybrid.execution.wait_text import wait_text
from hybrid.frontend.prog import parse_program
from hybrid.frontend.prog_print import print_program
from hybrid.model.load import load_model
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.check import check_program
from hybrid.program.program import Program
from hybrid.source import Source, nowhere
from hybrid.witness.recheck import recheck

HERE = nowhere("<test>")
EVERY = "rsmc,rsmc+rf,trust,trust+rf,trust-linear,revisit,stateful,odpor,enumerate,bmc:sat"


def program(text: str) -> Program:
    return parse_program(Source("<test>", text))


def guard(text: str) -> ins.Guard:
    found = program(f"x = 0\nthread P(a = 5): L: r := {text};").threads[0].code[0].awaits
    assert found is not None
    return found


def compared(parsed: Program, model: str, engines: str, unroll: int = 2) -> dict[str, object]:
    """What all engines say: complete, waiting and blocked runs are counted by the first."""
    found = crosscheck(
        parsed,
        load_model(model),
        parse_configurations(engines),
        Limits(unroll, max_steps=60),
        recheck=recheck,
    )
    assert not found.differences, (print_program(parsed), list(map(str, found.differences)))
    assert len(found.findings) > 1
    first = found.findings[0]
    return {"complete": len(first.traces), "waiting": len(first.waiting)}


@pytest.mark.parametrize(
    "text, accepted",
    [
        ("await(x = 3)", {3}),
        ("await(x > a)", {6, 7}),
        ("await(x satisfies _ = a)", {5}),
        ("await(x satisfies 2 > _)", {0, 1}),
        ("await(x satisfies (_ & 1) = 0)", {0, 2, 4, 6}),
        ("await(x satisfies _ = 1 || _ = a + 1)", {1, 6}),
        ("await(x satisfies _ ^ 3)", {0, 1, 2, 4, 5, 6, 7}),
        ("xchgawait(x satisfies _ + a < 8, := 1)", {0, 1, 2}),
        ("faa(x, 1) await satisfies _ - a > 0", {6, 7}),
        ("lr(x) await satisfies !_", {0}),
    ],
)
def test_what_is_accepted(text: str, accepted: set[int]) -> None:
    found = guard(text)
    assert {value for value in range(8) if found.accepts(value, {"a": 5})} == accepted
    again = ins.guard_of(ins.test_of(found), found.span)
    assert {value for value in range(8) if again.accepts(value, {"a": 5})} == accepted


def test_a_comparison_stays_one() -> None:
    """Whichever way it is written: a loop that becomes an await is spelled as people would."""
    for text, op in (("_ = a", "=="), ("a < _", ">"), ("_ >= a", ">=")):
        found = guard(f"await(x satisfies {text})")
        assert (found.op, found.of) == (op, None)
    assert guard("await(x satisfies _ + 1 = a)").of is not None
    assert guard("await(x satisfies _ = _)").of is not None
    assert guard("await(x satisfies (_ & 1) = a)").uses == {"a"}


LEAVES_ELSEWHERE = """x = 0; y = 0
thread P: P0: a := x; P1: if a = 1 goto E; P2: b := await(y = 1) while (x = a); E:
thread Q: Q0: x := {value};
"""


@pytest.mark.parametrize("model", ["sc", "power"])
def test_a_run_that_read_too_early_does_not_wait_for_ever(model: str) -> None:
    """`do {a := x; if a = 1 break; b := y} while b != 1`: where x becomes 1, a thread that stands
    at y would go round again and leave."""
    leaves = compared(program(LEAVES_ELSEWHERE.format(value=1)), model, EVERY)
    assert leaves == {"complete": 1, "waiting": 0}
    stays = compared(program(LEAVES_ELSEWHERE.format(value=2)), model, EVERY)
    assert stays == {"complete": 0, "waiting": 1}


@pytest.mark.parametrize("model", ["sc", "power"])
def test_an_assume_that_stands_for_a_loop_waits(model: str) -> None:
    text = (
        "x = 0; y = 0\nthread P: P0: a := x; P1: b := y; "
        "P2: assume a = 1 || b = 1 else wait while (x = a, y = b);\n"
        "thread Q: Q0: x := {value};"
    )
    assert compared(program(text.format(value=1)), model, EVERY) == {"complete": 1, "waiting": 0}
    assert compared(program(text.format(value=2)), model, EVERY) == {"complete": 0, "waiting": 1}
    never = text.format(value=2).replace(" else wait while (x = a, y = b)", "")
    assert compared(program(never), model, EVERY) == {"complete": 0, "waiting": 0}


def test_what_is_told_of_it() -> None:
    text = """x = 0; y = 0
    thread P(a = 2): P0: b := await(y satisfies (_ & a) != 0);
    thread Q: Q0: c := x; Q1: assume c = 1 else wait while (x = c);
    """
    parsed = program(text)
    (run,) = Enumerate().explore(parsed, load_model("sc"), Limits())
    assert run.status is Status.WAITING
    told = [wait_text(parsed, wait) for wait in run.data().waiting]
    assert told == ["P at P0 (line 2) for y satisfies _ & 2", "Q at Q1 (line 3) until c = 1"]


def with_predicates(parsed: Program, rng: random.Random) -> Program:
    """The program with other guards, and with some assumes that wait."""
    read = ex.Register(HERE, ins.READ)
    threads = []
    for thread in parsed.threads:
        code: list[ins.Instruction] = []
        held: list[str] = []

        def value(held: list[str] = held) -> ex.Expr:
            if held and rng.random() < 0.5:
                return ex.Register(HERE, rng.choice(held))
            return ex.Const(HERE, rng.randint(0, 3))

        for instruction in thread.code:
            places = rng.sample(parsed.locations, rng.choice((0, 0, 1, 1, 2)))
            rereads = tuple(
                ins.Reread(ex.Const(HERE, place.address, f"&{place.name}"), value())
                for place in places
            )
            either = (ex.Binary(HERE, "==", read, value()), ex.Binary(HERE, ">", read, value()))
            of = rng.choice(
                (
                    None,
                    ex.Binary(HERE, "&", read, ex.Const(HERE, 1)),
                    ex.Binary(HERE, "+", read, value()),
                    ex.Binary(HERE, "||", *either),
                )
            )
            if isinstance(instruction, ins.Load | ins.Rmw) and instruction.guard is not None:
                guard = replace(instruction.guard, of=of, rereads=rereads)
                instruction = replace(instruction, guard=guard)
            elif isinstance(instruction, ins.Assume) and rng.random() < 0.7:
                instruction = replace(instruction, waits=True, rereads=rereads)
            code.append(instruction)
            held += instruction.sets
        threads.append(replace(thread, code=tuple(code)))
    changed = replace(parsed, threads=tuple(threads))
    check_program(changed)
    return changed


@pytest.mark.large
@pytest.mark.parametrize("model", ["sc", "rc11", "power", "aarch64"])
def test_engines_agree_on_predicates(model: str) -> None:
    odd = replace(PROFILES["mixed"], exotic=(0.6, 0.8), cycles=0.0)
    engines = EVERY if model == "sc" else "rsmc,rsmc+rf,trust,trust+rf,enumerate,bmc:sat"
    if model == "rc11":
        engines = engines.replace("rsmc+rf,", "").replace("trust+rf,", "")
    waiting = 0
    for number in range(60):
        rng = random.Random(f"{model}/{number}")
        shape = rng.choice((odd, PROFILES["locks"]))
        parsed = with_predicates(random_program(7, number, shape), rng)
        waiting += bool(compared(parsed, model, engines)["waiting"])
    assert waiting > 10
