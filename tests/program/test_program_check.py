"""What check_program refuses, on programs built by hand as a front end might."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hybrid.errors import InputError
from hybrid.parsing import MAX_DEPTH
from hybrid.program import condition as cond
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import tags as tg
from hybrid.program.check import check_program, register_names
from hybrid.program.program import Expectation, Location, Program, Thread
from hybrid.source import nowhere

HERE = nowhere()
X = ex.Const(HERE, 16, "&x")
ONE = ex.Const(HERE, 1)
R = ex.Register(HERE, "r")
NA = frozenset({"NA"})
LOAD = ins.Load(HERE, "A", "r", X, NA)
STORE = ins.Store(HERE, "B", X, ONE, NA)
RMW = ins.Rmw(HERE, "C", "s", "+", X, ONE, None, NA)
PAIR = ins.StoreConditional(HERE, "D", "t", X, R, frozenset({"NA", "X"}))
FENCE = ins.Fence(HERE, "E", frozenset({"SYNC"}))


def program(*code: ins.Instruction) -> Program:
    return Program("p", (Location(HERE, "x", 16, 0),), (Thread(HERE, "P", code),))


GOOD = program(LOAD, STORE, RMW, PAIR, FENCE, ins.Branch(HERE, "F", R, 7), ins.Goto(HERE, "G", 0))


def test_good_program() -> None:
    check_program(GOOD)
    assert register_names(GOOD.threads[0]) == {"r", "s", "t"}


def deep(levels: int) -> ex.Expr:
    found: ex.Expr = R
    for _ in range(levels - 1):
        found = ex.Unary(HERE, "-", found)
    return found


def asking(formula: cond.Formula) -> Program:
    return replace(GOOD, condition=cond.Condition(HERE, cond.Quantifier.EXISTS, formula))


def about(term: cond.Term) -> Program:
    return asking(cond.Compare(HERE, "==", term, cond.Value(HERE, 0)))


def deep_formula(levels: int) -> cond.Formula:
    found: cond.Formula = cond.And(HERE, ())
    for _ in range(levels - 1):
        found = cond.Not(HERE, found)
    return found


def test_depth_up_to_the_limit() -> None:
    check_program(program(replace(STORE, value=deep(MAX_DEPTH))))
    check_program(asking(deep_formula(MAX_DEPTH)))


BAD = [
    ("has no threads", replace(GOOD, threads=())),
    ("thread `P` is defined twice", replace(GOOD, threads=(*GOOD.threads, Thread(HERE, "P", ())))),
    (
        "`x` is declared twice",
        replace(GOOD, locations=(*GOOD.locations, Location(HERE, "x", 1, 0))),
    ),
    (
        "`x` already has address 16",
        replace(GOOD, locations=(*GOOD.locations, Location(HERE, "y", 16, 0))),
    ),
    (
        "`x` cannot have address 0, which is null",
        replace(GOOD, locations=(Location(HERE, "x", 0, 0),)),
    ),
    ("does not fit 64 bits", replace(GOOD, locations=(Location(HERE, "x", 16, 2**63),))),
    ("does not fit 64 bits", replace(GOOD, threads=(Thread(HERE, "P", (), {"r": 2**63}),))),
    ("does not fit 64 bits", program(replace(STORE, value=ex.Const(HERE, -(2**63) - 1)))),
    ("without a label", program(replace(LOAD, label=""))),
    ("label `A` is defined twice", program(LOAD, LOAD)),
    ("a jump out of", program(ins.Goto(HERE, "A", 2))),
    ("a jump out of", program(ins.Branch(HERE, "A", R, -1))),
    (
        "access to address 9, which is not a location",
        program(replace(LOAD, address=ex.Const(HERE, 9))),
    ),
    ("unknown read-modify-write `\\*\\*`", program(replace(RMW, op="**"))),
    ("a cas, and nothing else", program(replace(RMW, expected=ONE))),
    ("a cas, and nothing else", program(replace(RMW, op="cas"))),
    ("`\\+` is not a comparison", program(replace(LOAD, guard=ins.Guard(HERE, "+", ONE)))),
    ("unknown operator `\\?`", program(replace(STORE, value=ex.Unary(HERE, "?", ONE)))),
    ("unknown operator `=`", program(replace(STORE, value=ex.Binary(HERE, "=", ONE, ONE)))),
    ("nested too deeply", program(replace(STORE, value=deep(5000)))),
    ("nested too deeply", program(replace(STORE, value=deep(MAX_DEPTH + 1)))),
    ("no access has the tag SYNC", program(replace(LOAD, tags=frozenset({"SYNC"})))),
    ("an access without a tag", program(replace(LOAD, tags=frozenset()))),
    ("exclude each other: ACQ and NA", program(replace(LOAD, tags=frozenset({"NA", "ACQ"})))),
    ("exclude each other: A and NA", program(replace(LOAD, tags=frozenset({"NA", "A"})))),
    ("a load cannot be `@rel`", program(replace(LOAD, tags=frozenset({"REL"})))),
    ("a store cannot be `@acqrel`", program(replace(STORE, tags=frozenset({"ACQ_REL"})))),
    ("a store cannot be `@A`", program(replace(STORE, tags=frozenset({"A"})))),
    ("without the tag X", program(replace(LOAD, exclusive=True))),
    ("without the tag X", program(replace(PAIR, tags=NA))),
    ("a fence without a kind", program(replace(FENCE, tags=frozenset()))),
    ("no fence has the tag NA", program(replace(FENCE, tags=NA))),
    ("exclude each other: ACQ and SC", program(replace(FENCE, tags=frozenset({"ACQ", "SC"})))),
    ("unknown location `y`", about(cond.LocationTerm(HERE, 5, "y"))),
    ("there is no thread 1", about(cond.RegisterTerm(HERE, 1, "r", "Q:r"))),
    ("thread P has no register `u`", about(cond.RegisterTerm(HERE, 0, "u", "P:u"))),
    ("no register `u`", replace(GOOD, observed=(cond.RegisterTerm(HERE, 0, "u", "P:u"),))),
    ("`=` is not a comparison", asking(cond.Compare(HERE, "=", *(cond.Value(HERE, 0),) * 2))),
    ("nested too deeply", asking(deep_formula(MAX_DEPTH + 1))),
    ("never answered ALLOWED", replace(GOOD, expectations=(Expectation(HERE, "sc", "ALLOWED"),))),
    ("a negative number", replace(GOOD, expectations=(Expectation(HERE, "sc", "HOLDS", -1),))),
    ("two expectations", replace(GOOD, expectations=(Expectation(HERE, "sc", "HOLDS"),) * 2)),
]


@pytest.mark.parametrize(("message", "bad"), BAD)
def test_bad_program(message: str, bad: Program) -> None:
    with pytest.raises(InputError, match=message):
        check_program(bad)


def test_tag_tables_agree() -> None:
    assert tg.ACCESS_TAGS | tg.FENCE_TAGS == tg.TAGS
    assert set(tg.ORDERS) | tg.LOAD_ONLY | tg.STORE_ONLY | tg.BOTH_ONLY <= tg.ACCESS_TAGS
    assert set(tg.FENCE_ORDERS) <= tg.ANNOTATIONS.keys()
    assert len(set(tg.FENCES.values())) == len(tg.FENCES)  # each fence has one spelling
