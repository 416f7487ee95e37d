"""Loops in which threads wait for ever, and loops in which they have only read too early: every
engine finds the same ones when the loops have become awaits, and one formula tells whether there
are some."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest
from support import model, program

from hybrid.bmc.engine import Witnesses
from hybrid.catalogue.engines import make
from hybrid.catalogue.spelling import not_applicable, parse_configuration, parse_configurations
from hybrid.crosscheck.compare import crosscheck
from hybrid.crosscheck.random_programs import random_program
from hybrid.crosscheck.shape import PROFILES
from hybrid.crosscheck.vocabulary import vocabulary
from hybrid.engine.api import Limits
from hybrid.engine.prepare import prepared
from hybrid.execution.trace import Status, TraceData, is_deadlock, key_of
from hybrid.execution.wait_text import place_of, until
from hybrid.frontend.prog_print import print_program
from hybrid.program import instructions as ins
from hybrid.program.program import Program
from hybrid.witness.as_json import from_json, to_json
from hybrid.witness.replay import replay

MODELS = ("sc", "tso", "rc11", "power", "aarch64")
ENGINES = (
    "enumerate", "bmc:sat", "bmc:z3", "rsmc", "rsmc/last", "trust", "trust-linear", "revisit",
    "stateful", "odpor", "odpor/last", "odpor-source",
)  # fmt: skip
BOUNDS = Limits(2)
# random programs at least in which threads wait, and in which they do not
COUNT = int(os.environ.get("HYBRID_SOUNDNESS", "60")) // 2

EACH_OTHER = """x = 0 y = 0
thread P: A: a := y; if a = 0 goto A; x := 1;
thread Q: B: b := x; if b = 0 goto B; y := 1;"""
# The waiter clears the flag after the waker has set it.
LOST_WAKE_UP = """f = 0
thread P: f := 0; A: a := f; if a != 1 goto A;
thread Q: f := 1;"""
# Under weak models both may miss that the other has come, and then nobody says `go`.
MISSED = """x = 0 y = 0 go = 0
thread P: x := 1; r := y; if r = 0 goto A; go := 1; A: a := go; if a != 1 goto A;
thread Q: y := 1; r := x; if r = 0 goto B; go := 1; B: b := go; if b != 1 goto B;"""
# P keeps the lock: by test-and-set, by test and test-and-set, by compare-and-swap.
KEPT = """l = 0
thread P: p := xchg(l, 1); if p != 0 goto E; skip; E: skip;
thread Q: B: b := xchg(l, 1); if b != 0 goto B; l := 0;"""
KEPT_LOOKED_AT = """l = 0
thread P: A: a := xchg(l, 1); if a != 0 goto A;
thread Q: B: r := l; if r != 0 goto B; C: b := xchg(l, 1); if b != 0 goto B; l := 0;"""
KEPT_BY_CAS = """l = 0
thread P: A: a, s := cas(l, 0, 1); if s = 0 goto A;
thread Q: B: b, t := cas(l, 0, 2); if t = 0 goto B; l := 0;"""
# A ticket that is never called.
TICKET = """next = 0 turn = 0
thread P: p := faa(next, 1); A: a := turn; if a != p goto A;
thread Q: q := faa(next, 1); B: b := turn; if b != q goto B; turn := q + 1;"""
# Another load of the loop leaves it: what was read of it was read too early.
WAY_OUT = """x = 0 y = 0
thread P: do { A: a := x; if a = 1 goto E; B: b := y; } while b != 1; E: skip;
thread Q: x := 1;"""
NO_WAY_OUT = WAY_OUT.replace("x := 1", "x := 2")
TOO_EARLY = "x = 0 thread P: A: a := x; if a != 1 goto A; thread Q: x := 2; x := 1;"
GONE_AGAIN = "x = 0 thread P: A: a := x; if a != 1 goto A; thread Q: x := 1; x := 2;"
ODD = "x = 0 thread P: do { A: a := x; b := a & 1; } while b = 0; thread Q: x := 2; x := 3;"
NEVER_ODD = ODD.replace("x := 3", "x := 4")
UNEQUAL = """x = 0 y = 1
thread P: do { A: a := x; B: b := y; } while a != b;
thread Q: x := 2; y := 3;"""
EQUAL = UNEQUAL.replace("y := 3", "y := 2")
FOR_EVER = "x = 0 thread P: A: goto A; thread Q: x := 1;"
# Q waits for what P would store only later: the loop of P stores on its way round.
STORES = """x = 0 y = 0
thread P: A: a := x; if a = 1 goto E; y := 1; goto A; E: skip;
thread Q: B: b := y; if b != 1 goto B; x := 1;"""

# by name: the text, who waits where and what for, under which of the models nobody does
Waiting = tuple[tuple[int, str, str], ...]
CASES: dict[str, tuple[str, set[Waiting], tuple[str, ...]]] = {
    "for each other": (EACH_OTHER, {((0, "A", "y != 0"), (1, "B", "x != 0"))}, ()),
    "a lost wake-up": (LOST_WAKE_UP, {((0, "A", "f = 1"),)}, ()),
    "both missed": (MISSED, {((0, "A", "go = 1"), (1, "B", "go = 1"))}, ("sc",)),
    "test and set": (KEPT, {((1, "B", "l != 1"),)}, ()),
    "a look, then test and set": (KEPT_LOOKED_AT, {((1, "B", "l = 0"),)}, ()),
    "compare and swap": (KEPT_BY_CAS, {((1, "B", "l = 0"),)}, ()),
    "a ticket": (TICKET, {((1, "B", "turn = 1"),)}, ()),
    "a way out": (WAY_OUT, set(), MODELS),
    "no way out": (NO_WAY_OUT, {((0, "B", "y = 1"),)}, ()),
    "read too early": (TOO_EARLY, set(), MODELS),
    "gone again": (GONE_AGAIN, {((0, "A", "x = 1"),)}, ()),
    "odd in the end": (ODD, set(), MODELS),
    "never odd": (NEVER_ODD, {((0, "A", "x satisfies _ & 1"),)}, ()),
    "equal in the end": (EQUAL, set(), MODELS),
    "never equal": (UNEQUAL, {((0, "B", "y = 2"),)}, ()),
    "for ever": (FOR_EVER, {((0, "A_pure", "0"),)}, ()),
    "stores on its way": (STORES, set(), MODELS),
}


def treated(text: str, under: str) -> Program:
    """Without the iterations that change nothing. Accesses are atomic where races count."""
    source = program(text)
    if model(under).races:
        threads = (replace(t, code=tuple(map(atomic, t.code))) for t in source.threads)
        source = replace(source, threads=tuple(threads))
    return prepared(source, model(under), "")


def atomic(each: ins.Instruction) -> ins.Instruction:
    if isinstance(each, ins.Load | ins.Store | ins.Rmw):
        return replace(each, tags=frozenset({"rlx"}))
    return each


def waiting(
    engine: str, source: Program, under: str, limits: Limits = BOUNDS
) -> list[TraceData] | None:
    """The runs in which threads wait for ever; None: not for this engine."""
    configuration = parse_configuration(engine)
    if not_applicable(configuration, model(under), source):
        return None
    found = make(configuration, 0).explore(source, model(under), limits)
    return [trace.data() for trace in found if trace.status is Status.WAITING]


def told(data: TraceData) -> Waiting:
    return tuple(
        (wait.thread, wait.label, f"{place_of(data.program, wait)} {until(wait)}".strip())
        for wait in data.waiting
    )


@pytest.mark.parametrize("under", MODELS)
@pytest.mark.parametrize("name", CASES)
def test_who_waits_where_for_what(name: str, under: str) -> None:
    text, expected, without = CASES[name]
    source, asked = treated(text, under), 0
    for engine in ENGINES:
        found = waiting(engine, source, under)
        if found is not None:
            asked += 1
            assert {told(data) for data in found} == (set() if under in without else expected)
            assert len(found) == len({key_of(data) for data in found}), engine
    assert asked >= 4


def formula_finds(source: Program, under: str, limits: Limits) -> set[bool]:
    """The kinds of waiting runs that `bmc --first` is shown, at most one of each: whether it is a
    deadlock."""
    found = Witnesses("sat").explore(source, model(under), limits)
    return {is_deadlock(trace.data().waiting) for trace in found if trace.status is Status.WAITING}


@pytest.mark.parametrize("under", MODELS)
def test_one_formula_tells_whether_threads_wait_for_ever(under: str) -> None:
    for name, (text, _, _) in CASES.items():
        source = treated(text, under)
        every = waiting("enumerate", source, under) or []
        kinds = {is_deadlock(data.waiting) for data in every}
        assert formula_finds(source, under, Limits(2)) == kinds, name


@pytest.mark.large
@pytest.mark.parametrize("under", MODELS)
def test_random_loops(under: str) -> None:
    """All engines agree on complete, waiting, cut and erring runs, the formula has no others, and
    it is asked for those in which threads wait."""
    chosen = parse_configurations(
        "enumerate,rsmc,rsmc/random,trust,trust/random,stateful,odpor,odpor/last,odpor-source"
    )
    shape = replace(PROFILES["waits"], words=vocabulary(model(under)), candidates=400)
    number = met = others = 0
    limits = Limits(1, max_steps=60)
    while min(met, others) < COUNT:
        written = random_program(13, number, shape)
        source = prepared(written, model(under), "")
        number += 1
        if source.threads == written.threads:
            continue
        result = crosscheck(source, model(under), chosen, limits, complete=True)
        assert result.agree, f"{print_program(source)}{result.differences[0]}"
        assert result.complete, result.completeness
        found = waiting("enumerate", source, under, limits) or []
        kinds = {is_deadlock(data.waiting) for data in found}
        assert formula_finds(source, under, limits) == kinds, print_program(source)
        met += bool(kinds)
        others += not kinds


@pytest.mark.parametrize("engine", ENGINES)
def test_replay_confirms_who_waits(engine: str) -> None:
    for name in ("a lost wake-up", "no way out", "never odd", "a look, then test and set"):
        text = CASES[name][0]
        for data in waiting(engine, treated(text, "tso"), "tso") or []:
            written = json.dumps(to_json(data, "tso", engine, text, 2))
            assert replay(from_json(written), model("tso")).agrees, name
            kept = written.replace('"loops": ["await"', '"loops": ["assume"')
            assert kept != written
            assert not replay(from_json(kept), model("tso")).agrees, name
