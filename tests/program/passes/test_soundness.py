"""Taking out iterations that change nothing loses no outcome and adds none: random programs with
loops, kept as they are and without those iterations. HYBRID_SOUNDNESS in the environment says how
many there are for each model.

What ends a run under sc without an end of its threads is compared with all states that a program
can reach, one by one.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from hybrid.catalogue.engines import make
from hybrid.catalogue.spelling import not_applicable, parse_configuration
from hybrid.crosscheck.kept_loops import LONGER
from hybrid.crosscheck.random_programs import random_program
from hybrid.crosscheck.shape import PROFILES
from hybrid.crosscheck.vocabulary import vocabulary
from hybrid.engine.api import Limits
from hybrid.engine.prepare import prepared, setting_for
from hybrid.execution.trace import Status
from hybrid.frontend.prog import parse_program
from hybrid.frontend.prog_print import print_program
from hybrid.model.core import Model
from hybrid.model.load import load_model
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import values
from hybrid.program.check import check_program
from hybrid.program.condition import LocationTerm, RegisterTerm, Term
from hybrid.program.passes import elimination, placing
from hybrid.program.passes.pipeline import eliminate
from hybrid.program.passes.placing import Placed, Placing
from hybrid.program.passes.purity import Disjunct
from hybrid.program.program import Program
from hybrid.source import Source, nowhere

HERE = nowhere("<test>")
COUNT = int(os.environ.get("HYBRID_SOUNDNESS", "60"))
BOUND = 4
MODELS = ("sc", "tso", "rc11", "power", "aarch64")
Outcomes = set[tuple[tuple[int, ...], tuple[str, ...]]]  # final values, failed asserts


def observed(program: Program, rng: random.Random) -> Program:
    """Outcomes show all locations and some registers."""
    terms: list[Term] = [LocationTerm(HERE, p.address, p.name) for p in program.locations]
    for number, thread in enumerate(program.threads):
        registers = sorted({r for each in thread.code for r in each.sets})
        terms += [
            RegisterTerm(HERE, number, register, f"{thread.name}:{register}")
            for register in registers
            if rng.random() < 0.4
        ]
    return replace(program, observed=tuple(terms))


def programs(model: Model, seed: int, count: int) -> Iterator[Program]:
    shape = replace(PROFILES["waits"], words=vocabulary(model))
    for number in range(count):
        rng = random.Random(f"{seed}/{number}/observed")
        yield observed(random_program(seed, number, shape), rng)


def outcomes(program: Program, model: Model, unroll: int, max_steps: int = 60) -> Outcomes:
    """Of complete runs."""
    for name in ("trust", "rsmc", "bmc:sat"):
        configuration = parse_configuration(name)
        if not not_applicable(configuration, model, program):
            break
    runs = make(configuration).explore(program, model, Limits(unroll, None, max_steps))
    return {(t.outcome(program.terms), t.failed) for t in runs if t.status is Status.COMPLETE}


def difference(program: Program, model: Model, loops: str = "await") -> str:
    """How outcomes without pure iterations differ from those with them, in words."""
    without = prepared(program, model, loops)
    check_program(without)
    if without.threads == program.threads:
        return ""
    for unroll in range(1, BOUND + 1):
        kept, left = outcomes(program, model, unroll), outcomes(without, model, unroll)
        if left - kept:
            return f"new with {unroll} rounds: {sorted(left - kept)}"
    lost = kept - left  # those of fewer rounds are among them
    if lost:
        lost -= outcomes(without, model, BOUND, 60 * LONGER)
    return f"lost: {sorted(lost)}" if lost else ""


@pytest.mark.large
@pytest.mark.parametrize("name", MODELS)
def test_outcomes_stay(name: str) -> None:
    model = load_model(name)
    changed = 0
    for number, program in enumerate(programs(model, 11, COUNT)):
        loops = "assume" if number % 5 == 0 else "await"
        changed += prepared(program, model, loops).threads != program.threads
        assert not difference(program, model, loops), print_program(program)
    assert changed > COUNT // 2


# ---- where dependencies matter


NO_DEPENDENCY = """x = 0; z = 0; w = 1
thread P: P0: c := w; P1: a := x; P2: if c = 0 goto P4; P3: z := 1; P4: if a = 7 goto P1;
thread Q: Q0: q := z; Q1: x := q;
exists (P:a = 1)"""
READ_AGAIN = """x = 0; y = 0; z = 0
thread P: P0: r := x; P1: s := [&y + (r ^ r)]; P2: t := z; P3: if t = 5 goto P6;
  P4: a := xchg(x, 1); P5: if a = 1 goto P0; P6:
thread Q: Q0: y := 1; Q1: dmb; Q2: x := 1;
thread R: R0: z := 5;
exists (P:r = 1 /\\ P:s = 0 /\\ P:t = 5)"""


@pytest.mark.parametrize("name, text", [("power", NO_DEPENDENCY), ("aarch64", READ_AGAIN)])
def test_what_a_model_with_dependencies_needs(name: str, text: str) -> None:
    """A test that comes too early makes a store depend on a load, and a store that is taken out
    lets a load come after another thread's: both lose an outcome, where the pass is not told that
    the model knows dependencies."""
    program, model = parse_program(Source("<test>", text)), load_model(name)
    assert not difference(program, model)
    setting = replace(setting_for(model, "await"), dependencies=False)
    careless = eliminate(program, setting).program
    assert outcomes(program, model, 3) - outcomes(careless, model, 3)


# ---- planted faults


def too_early(self: Placing, disjunct: Disjunct) -> Placed | str:
    """One statement before the right place."""
    found = RIGHT_PLACE(self, disjunct)
    if isinstance(found, str) or found.at - 1 not in self.iteration.loop.body:
        return found
    return replace(found, at=found.at - 1)


def half(self: Placing, disjunct: Disjunct) -> Placed | str:
    """Without one of the conjuncts."""
    found = RIGHT_PLACE(self, disjunct)
    if isinstance(found, str) or len(found.condition) < 2:
        return found
    return replace(found, condition=dict(list(found.condition.items())[1:]))


def not_before(self: Placing, disjunct: Disjunct) -> Placed | str:
    """Whatever may still fail."""
    return RIGHT_PLACE(self, replace(disjunct, after=-1))


RIGHT_PLACE = placing.Placing.place


@pytest.mark.parametrize("fault", [too_early, half])
def test_faults_in_placing_are_found(fault: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Placing, "place", fault)
    model = load_model("sc")
    assert any(difference(program, model, "assume") for program in programs(model, 11, 120))


def test_a_failing_access_that_is_not_waited_for_is_missed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "x = 0; p = &x\nthread P: P0: a := x; P1: q := p; P2: b := [q]; P3: if a = 0 goto P0;\n"
    program, model = (
        parse_program(Source("<test>", text + "thread Q: Q0: p := 0;")),
        load_model("sc"),
    )

    def erring() -> bool:
        runs = make(parse_configuration("trust")).explore(
            prepared(program, model, "await"), model, Limits(2)
        )
        return any(run.status is Status.ERROR for run in runs)

    assert erring()
    monkeypatch.setattr(Placing, "place", not_before)
    assert not erring()


@pytest.mark.large
def test_a_store_taken_for_pure_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from hybrid.program.passes import purity

    right = purity.ForwardPurity._impure
    monkeypatch.setattr(
        purity.ForwardPurity,
        "_impure",
        lambda self, at, behind, why: behind if why == "stores" else right(self, at, behind, why),
    )
    model = load_model("sc")
    assert any(difference(program, model) for program in programs(model, 11, 120))


@pytest.mark.large
def test_a_register_taken_for_dead_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from hybrid.program.passes.cfg import ControlFlow

    monkeypatch.setattr(ControlFlow, "live", lambda self, _: [frozenset()] * (len(self.code) + 1))
    model = load_model("sc")
    assert any(difference(program, model) for program in programs(model, 11, 120))


# ---- all states of a program, one by one


State = tuple[tuple[tuple[int, tuple[tuple[str, int], ...]], ...], tuple[tuple[int, int], ...]]
MOST_STATES = 700


class TooLarge(Exception):
    pass


def step(program: Program, state: State, thread: int) -> list[State]:
    """The states after one instruction of a thread under sc; none where it has ended. A
    store-conditional has no place here."""
    threads, cells = state
    at, registers = threads[thread]
    code = program.threads[thread].code
    if at == len(code):
        return []
    held, memory = dict(registers), dict(cells)
    each = code[at]
    value: Callable[[ex.Expr], int] = lambda e: ex.evaluate(  # noqa: E731
        e, {**dict.fromkeys(ex.registers(e), 0), **held}
    )
    following = [(at + 1, held, memory)]
    if isinstance(each, ins.Assign):
        held[each.register] = value(each.value)
    elif isinstance(each, ins.Select):
        held[each.register] = value(each.yes if value(each.condition) else each.no)
    elif isinstance(each, ins.Store):
        memory[value(each.address)] = value(each.value)
    elif isinstance(each, ins.Load):
        if each.register is not None:
            held[each.register] = memory[value(each.address)]
    elif isinstance(each, ins.Branch):
        following = [(each.target if value(each.condition) else at + 1, held, memory)]
    elif isinstance(each, ins.Goto):
        following = [(each.target, held, memory)]
    elif isinstance(each, ins.Rmw):
        following = list(rmw(each, at, held, memory, value))
    elif not isinstance(each, ins.Fence | ins.Assert):
        raise TooLarge
    found = []
    for place, now, cells_now in following:
        if any(abs(v) > 50 for v in (*now.values(), *cells_now.values()) if v < 4000):
            raise TooLarge  # it counts without end
        moved = (place, tuple(sorted(now.items())))
        whole = (*threads[:thread], moved, *threads[thread + 1 :])
        found.append((whole, tuple(sorted(cells_now.items()))))
    return found


def rmw(
    each: ins.Rmw,
    at: int,
    held: dict[str, int],
    memory: dict[int, int],
    value: Callable[[ex.Expr], int],
) -> Iterator[tuple[int, dict[str, int], dict[int, int]]]:
    place = value(each.address)
    old, operand = memory[place], value(each.operand)
    ways = [True]
    if each.expected is not None:
        ways = (
            [True, False]
            if each.weak and old == value(each.expected)
            else [old == value(each.expected)]
        )
    for stores in ways:
        new = operand if each.op in ("xchg", "cas") else values.binary(each.op, old, operand)
        now = dict(held)
        if each.register is not None:
            now[each.register] = old
        if each.success is not None:
            now[each.success] = int(stores)
        yield at + 1, now, {**memory, place: new} if stores else dict(memory)


def can_stay(program: Program) -> bool:
    """Whether a program can come to a state from which memory never changes again, and some thread
    never ends, whoever goes on: a set of states that lead to each other and nowhere else."""
    start: State = (
        tuple((0, tuple(sorted(t.initial.items()))) for t in program.threads),
        tuple(sorted((p.address, p.initial) for p in program.locations)),
    )
    after: dict[State, set[State]] = {}
    todo = [start]
    while todo:
        state = todo.pop()
        if state in after:
            continue
        after[state] = {n for t in range(len(program.threads)) for n in step(program, state, t)}
        if len(after) > MOST_STATES:
            raise TooLarge
        todo += after[state]
    seen: dict[State, frozenset[State]] = {}
    for state in after:
        reach, work = {state}, [state]
        while work:
            new = after[work.pop()] - reach
            reach |= new
            work += new
        seen[state] = frozenset(reach)
    return any(
        after[state]
        and len({cells for _, cells in reach}) == 1
        and all(state in seen[other] for other in reach)
        for state, reach in seen.items()
    )


@pytest.mark.large
def test_threads_that_wait_for_ever_are_those_that_never_end() -> None:
    model = load_model("sc")
    tried: dict[bool, int] = {True: 0, False: 0}
    shape = replace(PROFILES["waits"], exotic=(0.0,))
    for number in range(4 * COUNT):
        program = random_program(5, number, shape)
        if any(each.awaits for thread in program.threads for each in thread.code):
            continue
        without = prepared(program, model, "assume" if number % 3 == 0 else "await")
        try:
            expected = can_stay(program)
        except TooLarge:
            continue
        waiting = cut = False
        for run in make(parse_configuration("trust")).explore(without, model, Limits(6, None, 200)):
            waiting |= run.status is Status.WAITING
            cut |= run.status is Status.CUT
        if cut:
            continue  # a loop that changes something may as well have no end
        assert waiting == expected, print_program(program)
        tried[expected] += 1
    assert min(tried.values()) > COUNT // 4, tried


# ---- nothing is left


def test_no_pure_iteration_is_left() -> None:
    """Where nothing stands in the way, no run goes back to where it was with nothing changed."""
    model = load_model("sc")
    seen = 0
    for program in programs(model, 12, 80):
        found = eliminate(program, setting_for(model, "await"))
        if not found.changed or any(report.reasons for report in found.reports):
            continue
        seen += 1
        for run in make(parse_configuration("trust")).explore(found.program, model, Limits(3)):
            if run.status is Status.COMPLETE:
                assert not pure_iterations(found.program, run.data()), print_program(program)
    assert seen > 10


def pure_iterations(program: Program, data: object) -> list[str]:
    from hybrid.execution.trace import TraceData
    from hybrid.program.passes.cfg import ControlFlow

    assert isinstance(data, TraceData)
    found: list[str] = []
    for number, thread in enumerate(program.threads):
        flow = ControlFlow(thread.code)
        asked = {
            t.register for t in program.asked if isinstance(t, RegisterTerm) and t.thread == number
        }
        live = flow.live(frozenset(asked))
        headers = {loop.header: loop for loop in flow.loops}
        read = iter([e.value for e in data.events if e.thread == number and e.kind == "R"])
        held = dict(thread.initial)
        at, last = 0, dict[int, tuple[dict[str, int], int]]()
        effects = 0
        while at < len(thread.code):
            if at in headers:
                now = {r: held.get(r, 0) for r in live[at]}
                if last.get(at) == (now, effects):
                    found.append(thread.code[at].label)
                last = {h: known for h, known in last.items() if at in headers[h].body}
                last[at] = (now, effects)
            at, effect = followed(thread.code[at], at, held, read)
            effects += effect
    return found


def followed(
    each: ins.Instruction, at: int, held: dict[str, int], read: Iterator[int | None]
) -> tuple[int, bool]:
    """Where a thread goes on, and whether it has changed memory."""
    value: Callable[[ex.Expr], int] = lambda e: ex.evaluate(  # noqa: E731
        e, {**dict.fromkeys(ex.registers(e), 0), **held}
    )
    effect = isinstance(each, ins.Store)
    if isinstance(each, ins.Assign):
        held[each.register] = value(each.value)
    elif isinstance(each, ins.Select):
        held[each.register] = value(each.yes if value(each.condition) else each.no)
    elif isinstance(each, ins.Load | ins.Rmw):
        old = next(read) or 0
        if isinstance(each, ins.Rmw):
            operand = value(each.operand)
            stores = each.expected is None or old == value(each.expected)
            new = operand if each.op in ("xchg", "cas") else values.binary(each.op, old, operand)
            effect = stores and new != old
            if each.success is not None:
                held[each.success] = int(stores)
        if each.register is not None:
            held[each.register] = old
    elif isinstance(each, ins.Goto) or (isinstance(each, ins.Branch) and value(each.condition)):
        return each.target, False
    return at + 1, effect


def test_a_dropped_disjunct_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = elimination.LoopElimination._placed
    monkeypatch.setattr(
        elimination.LoopElimination, "_placed", lambda self, pure: right(self, pure[1:])
    )
    with pytest.raises(AssertionError):
        test_no_pure_iteration_is_left()
