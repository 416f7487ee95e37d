"""Threads that stop where a round of a loop has left them as they were: examples in all engines,
random programs as they are and with `--loops dynamic`, and a walk along each run that finds
repeated states by itself. HYBRID_SOUNDNESS says how many random programs there are for each model.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from test_soundness import (
    COUNT,
    MODELS,
    READ_AGAIN,
    TooLarge,
    can_stay,
    difference,
    observed,
    outcomes,
    programs,
)

from hybrid.catalogue.engines import make
from hybrid.catalogue.spelling import not_applicable, parse_configuration
from hybrid.crosscheck.random_programs import random_program
from hybrid.crosscheck.shape import PROFILES
from hybrid.engine.api import Limits
from hybrid.engine.prepare import prepared, setting_for
from hybrid.execution.trace import Status, Trace, TraceData
from hybrid.frontend.prog import parse_program
from hybrid.frontend.prog_print import print_program
from hybrid.model.core import RACE, Model
from hybrid.model.load import load_model
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import values
from hybrid.program.condition import RegisterTerm
from hybrid.program.passes.cfg import ControlFlow
from hybrid.program.passes.effects import NEVER, Effects
from hybrid.program.passes.pipeline import _ThreadElimination, eliminate
from hybrid.program.passes.repeated_states import _LoopWatch
from hybrid.program.passes.setting import setting_of
from hybrid.program.program import Program
from hybrid.source import Source
from hybrid.witness.recheck import recheck

ENGINES = ("enumerate", "rsmc", "trust", "trust-linear", "revisit", "stateful", "odpor", "bmc:sat")


def program_of(text: str) -> Program:
    return parse_program(Source("<test>", text))


def runs(program: Program, model: Model, engine: str, unroll: int = 4) -> list[Trace]:
    return list(make(parse_configuration(engine)).explore(program, model, Limits(unroll)))


# ---- examples: complete runs, runs that wait for ever, runs that are cut; with --loops keep, await
# and dynamic, each loop at most four times


EXAMPLES = {
    # what was read last is used in the next round: static purity does not hold
    "carried": (
        "thread P: P0: b := a; P1: a := x; P2: if a = 0 goto P0; P3: y := b;\n"
        "thread Q: Q0: x := 1;",
        {"keep": (5, 0, 1), "await": (5, 0, 1), "dynamic": (1, 0, 0)},
    ),
    "carried, in vain": (
        "thread P: P0: b := a; P1: a := x; P2: if a = 0 goto P0; P3: y := b;",
        {"keep": (0, 0, 1), "await": (0, 0, 1), "dynamic": (0, 1, 0)},
    ),
    # until two loads in a row give the same
    "stable": (
        "thread P: P0: a := x; P1: b := a; P2: a := x; P3: if a != b goto P1;\n"
        "thread Q: Q0: x := 1; Q1: x := 2;",
        {"keep": (7, 0, 0), "await": (7, 0, 0), "dynamic": (7, 0, 0)},
    ),
    # only the way without the store leaves everything as it was
    "one way": (
        "thread P: P0: a := x; P1: if a = 1 goto P3; P2: b := a; P3: if a = 0 goto P5; P4: z := b; "
        "P5: c := y; P6: if c = 0 goto P0;\nthread Q: Q0: y := 1;",
        {"keep": (5, 0, 1), "await": (5, 0, 1), "dynamic": (1, 0, 0)},
    ),
    # an exchange that finds what it stores
    "exchange": (
        "thread P: P0: b := a; P1: a := xchg(x, 1); P2: if a = 1 goto P0; P3: y := b;\n"
        "thread Q: Q0: x := 1;",
        {"keep": (1, 0, 1), "await": (1, 0, 1), "dynamic": (1, 1, 0)},
    ),
    # each round stores
    "effects": (
        "thread P: P0: b := a; P1: a := x; P2: y := 1; P3: if a = 0 goto P0;\n"
        "thread Q: Q0: x := 1;",
        {"keep": (5, 0, 1), "await": (5, 0, 1), "dynamic": (5, 0, 1)},
    ),
}


@pytest.mark.large
@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_in_all_engines(name: str) -> None:
    text, expected = EXAMPLES[name]
    program, model = program_of("x = 0; y = 0; z = 0\n" + text), load_model("sc")
    for loops, counts in expected.items():
        without = prepared(program, model, loops)
        for engine in ENGINES:
            met = Counter(run.status for run in runs(without, model, engine))
            found = (met[Status.COMPLETE], met[Status.WAITING], met[Status.CUT])
            assert found == counts, (loops, engine)


def test_witnesses_are_replayed() -> None:
    text, _ = EXAMPLES["carried, in vain"]
    model = load_model("sc")
    program = prepared(program_of("x = 0; y = 0\n" + text), model, "dynamic")
    (run,) = runs(program, model, "trust")
    assert run.status is Status.WAITING
    assert not recheck(run.data(), model, "trust", Limits(4))


def test_the_setting_is_kept_in_words() -> None:
    for name in MODELS:
        setting = setting_for(load_model(name), "dynamic")
        assert setting.dynamic
        assert setting_of(setting.words) == setting


# ---- random programs


@pytest.mark.large
@pytest.mark.parametrize("name", MODELS)
def test_outcomes_stay(name: str) -> None:
    model = load_model(name)
    more = 0
    for program in programs(model, 13, COUNT):
        dynamic = prepared(program, model, "dynamic")
        more += dynamic.threads != prepared(program, model, "await").threads
        assert not difference(program, model, "dynamic"), print_program(program)
    assert more > COUNT // 6


@pytest.mark.large
def test_threads_that_wait_for_ever_are_those_that_never_end() -> None:
    model = load_model("sc")
    tried: dict[bool, int] = {True: 0, False: 0}
    shape = replace(PROFILES["waits"], exotic=(0.0,))
    for number in range(4 * COUNT):
        program = random_program(6, number, shape)
        if any(each.awaits for thread in program.threads for each in thread.code):
            continue
        try:
            expected = can_stay(program)
        except TooLarge:
            continue
        without = prepared(program, model, "dynamic")
        found = list(make(parse_configuration("trust")).explore(without, model, Limits(6)))
        if not any(run.status is Status.CUT for run in found):
            waiting = any(run.status is Status.WAITING for run in found)
            assert waiting == expected, print_program(program)
            tried[expected] += 1
    assert min(tried.values()) > COUNT // 4, tried


def races(program: Program, model: Model) -> bool:
    for name in ("trust", "rsmc", "bmc:sat"):
        configuration = parse_configuration(name)
        if not not_applicable(configuration, model, program):
            break
    found = make(configuration).explore(program, model, Limits(3, None, 60))
    return any(RACE in run.flags for run in found)


@pytest.mark.large
@pytest.mark.parametrize("loops", ["await", "dynamic"])
def test_races_stay(loops: str) -> None:
    model = load_model("rc11")
    met: dict[bool, int] = {True: 0, False: 0}
    for program in programs(model, 14, COUNT):
        without = prepared(program, model, loops)
        if without.threads != program.threads:
            expected = races(program, model)
            assert races(without, model) == expected, print_program(program)
            met[expected] += 1
    assert min(met.values()) > COUNT // 6


ONE_ROUND_RACES = """x = 0; f = 0; g = 0
thread P: P0: c := g @rlx; P1: if c = 1 goto P4; P2: d := x; P3: goto P0; P4: f := 1 @rlx;
thread Q: Q0: e := f @rlx; Q1: if e = 0 goto Q3; Q2: x := 1; Q3:
thread R: R0: g := 1 @rlx;"""


@pytest.mark.parametrize("loops", ["assume", "await", "dynamic"])
def test_a_race_of_a_round_that_changes_nothing(
    loops: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Q races with P's second access only if P has gone on; the last round does not have it."""
    from hybrid.program.passes import effects, elimination

    program, model = program_of(ONE_ROUND_RACES), load_model("rc11")
    assert races(prepared(program, model, loops), model)
    for module in (effects, elimination):
        monkeypatch.setattr(module, "happens_again", lambda *_: True)
    assert not races(prepared(program, model, loops), model)


# ---- a walk along each run


def test_complete_runs_are_those_that_repeat_no_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without static purity, so that nothing else leaves runs out."""
    monkeypatch.setattr(_ThreadElimination, "_loop", lambda *_: None)
    model = load_model("sc")
    left_out = 0
    for number in range(80):
        program = random_program(15, number, replace(PROFILES["waits"], exotic=(0.0,)))
        program = observed(program, random.Random(number))
        limits = Limits(3, None, 400)
        trust = make(parse_configuration("trust"))
        kept = [r for r in trust.explore(program, model, limits) if r.status is Status.COMPLETE]
        expected = [r for r in kept if not repeats(program, r.data())]
        without = prepared(program, model, "dynamic")
        found = [r for r in trust.explore(without, model, limits) if r.status is Status.COMPLETE]
        met, wanted = (
            Counter((r.outcome(program.terms), r.failed) for r in each)
            for each in (found, expected)
        )
        assert met == wanted, print_program(program)
        left_out += len(kept) - len(expected)
    assert left_out > 100


def repeats(program: Program, data: TraceData) -> bool:
    return any(
        thread_repeats(program, number, [e.value or 0 for e in data.events if _reads(e, number)])
        for number in range(len(program.threads))
    )


def _reads(event: object, thread: int) -> bool:
    return getattr(event, "thread", -1) == thread and getattr(event, "kind", "") == "R"


def thread_repeats(program: Program, number: int, given: list[int]) -> bool:
    """Whether a thread comes to the head of a loop as it was there last, with nothing done."""
    thread = program.threads[number]
    flow, read = ControlFlow(thread.code), iter(given)
    live = flow.live(
        frozenset(
            t.register for t in program.asked if isinstance(t, RegisterTerm) and t.thread == number
        )
    )
    bodies = {loop.header: loop.body for loop in flow.loops}
    held: dict[str, int] = dict(thread.initial)
    last: dict[int, dict[str, int]] = {}  # by header: what registers held
    seen: dict[int, dict[int, tuple[int, int]]] = {}  # by header: what was read where, this round
    dirty: set[int] = set()  # headers of loops in whose round something was done
    at = 0
    while at < len(thread.code):
        for header in [h for h in last if at not in bodies[h]]:
            del last[header]
        if at in bodies:
            now = {r: held.get(r, 0) for r in live[at]}
            if last.get(at) == now and at not in dirty and seen[at]:
                return True
            last[at], seen[at] = now, {}
            dirty.discard(at)
        following, effect, place = walked(thread.code[at], at, held, read)
        for header in last:
            if place is not None and seen[header].setdefault(at, place) != place:
                dirty.add(header)
            if effect:
                dirty.add(header)
        at = following
    return False


def walked(
    each: ins.Instruction, at: int, held: dict[str, int], read: Iterator[int]
) -> tuple[int, bool, tuple[int, int] | None]:
    """Where a thread goes on, whether something was done, and what was read where."""
    value: Callable[[ex.Expr], int] = lambda e: ex.evaluate(  # noqa: E731
        e, {**dict.fromkeys(ex.registers(e), 0), **held}
    )
    match each:
        case ins.Assign():
            held[each.register] = value(each.value)
        case ins.Select():
            held[each.register] = value(each.yes if value(each.condition) else each.no)
        case ins.Goto():
            return each.target, False, None
        case ins.Branch():
            return (each.target if value(each.condition) else at + 1), False, None
        case ins.Assert():
            return at + 1, not value(each.condition), None
        case ins.Store():
            return at + 1, True, None
        case ins.Load():
            place = (value(each.address), next(read))
            if each.register is not None:
                held[each.register] = place[1]
            return at + 1, False, place
        case ins.Rmw():
            place, operand = (value(each.address), next(read)), value(each.operand)
            stores = each.expected is None or place[1] == value(each.expected)
            assert not each.weak
            new = operand
            if each.op not in ("xchg", "cas"):
                new = values.binary(each.op, place[1], operand)
            unused = each.register is None and each.op != "xchg" and each.op != "cas"
            if each.success is not None:
                held[each.success] = int(stores)
            if each.register is not None:
                held[each.register] = place[1]
            return at + 1, (stores and new != place[1]) or unused, place
    return at + 1, False, None


# ---- where dependencies matter


UNTESTED_CAS = """x = 0; z = 0; w = 0
thread P: P0: c := w; P1: if c = 1 goto P4; P2: a, s := cas(x, 1, 6); P3: goto P0; P4: z := 1;
thread Q: Q0: q := z; Q1: x := q;
thread R: R0: w := 1;
exists (x = 6)"""
OTHER_LOAD = """x = 0; u = 1; z = 0; v = 0; y = 0
thread P: P0: c := y; P1: if c = 1 goto P10; P2: if f = 1 goto P8; P3: t := v; P4: x := t;
  P5: a := x; P6: f := 1; P7: goto P0; P8: a := u; P9: goto P0; P10: z := a;
thread Q: Q0: k := z; Q1: v := k;
thread R: R0: y := 1;
exists (P:t = 1)"""


@pytest.mark.parametrize("name", ["power", "aarch64"])
@pytest.mark.parametrize("text", [UNTESTED_CAS, OTHER_LOAD, READ_AGAIN])
def test_what_a_model_with_dependencies_needs(name: str, text: str) -> None:
    """A test of a cas that the program does not test, a register that another load has set to the
    same, and a store of the same: each loses an outcome, where the pass is not told that the model
    knows dependencies."""
    program, model = program_of(text), load_model(name)
    assert not difference(program, model, "dynamic")
    if text is READ_AGAIN and name == "power":
        return  # which does not have the outcome
    setting = replace(setting_for(model, "dynamic"), dependencies=False)
    careless = eliminate(program, setting).program
    assert outcomes(program, model, 3) - outcomes(careless, model, 3)


# ---- planted faults


def no_effect(monkeypatch: pytest.MonkeyPatch, kind: type) -> None:
    right = Effects.of
    monkeypatch.setattr(
        Effects,
        "of",
        lambda self, at: NEVER if isinstance(self.flow.code[at], kind) else right(self, at),
    )


def nothing_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    right = _LoopWatch.__init__

    def init(self: _LoopWatch, *given: object) -> None:
        right(self, *given)  # type: ignore[arg-type]
        self.noted = []

    monkeypatch.setattr(_LoopWatch, "__init__", init)


@pytest.mark.large
@pytest.mark.parametrize("fault", ["a store", "a register"])
def test_faults_are_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if fault == "a store":
        no_effect(monkeypatch, ins.Store)
    else:
        nothing_noted(monkeypatch)
    model = load_model("sc")
    assert any(difference(each, model, "dynamic") for each in programs(model, 11, 120))


@pytest.mark.parametrize("kind", [ins.Rmw, ins.Assert])
def test_effects_that_are_not_seen_lose_outcomes(
    kind: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """x = 0; y = 0
thread P: P0: b := a; P1: a := x; P2: c := faa(y, 1); P3: if a = 0 goto P0;
thread Q: Q0: x := 1;
exists (y = 2)"""
    if kind is ins.Assert:
        text = text.replace("c := faa(y, 1)", "assert a = 1")
    program, model = program_of(text), load_model("sc")
    assert not difference(program, model, "dynamic")
    no_effect(monkeypatch, kind)
    assert difference(program, model, "dynamic")


WEAK = """x = 1
thread P: P0: b := a; P1: a, s := cas_weak(x, 1, 2); P2: c := b; P3: if s = 0 goto P0;"""
INNER = """x = 0; y = 0
thread P: P0: b := a; P1: i := 0; P2: c := x; P3: i := i + 1; P4: if i < 2 goto P2; P5: a := y;
  P6: if a = 0 goto P0;
thread Q: Q0: x := 1; Q1: y := 1;"""


def test_a_cas_that_failed_for_no_reason_does_not_wait_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program, model = program_of(WEAK), load_model("sc")

    def waits() -> bool:
        found = runs(prepared(program, model, "dynamic"), model, "trust")
        return any(run.status is Status.WAITING for run in found)

    assert not waits()
    monkeypatch.setattr(_LoopWatch, "_fails_for_no_reason", lambda _: False)
    assert waits()


def test_what_an_inner_loop_has_read_in_turn() -> None:
    """A round that has read two values at one place is not like the next one."""
    program, model = program_of(INNER), load_model("sc")
    assert not difference(program, model, "dynamic")
    for engine in ENGINES:
        found = runs(prepared(program, model, "dynamic"), model, engine)
        assert not any(run.status is Status.WAITING for run in found), engine
