"""Numbers of threads, locations and events, and locations that are declared and never touched."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from support import make_engine, model, model_of, program

from hybrid.crosscheck.random_programs import random_program
from hybrid.crosscheck.shape import PROFILES
from hybrid.engine.api import Limits
from hybrid.errors import InternalError
from hybrid.execution import numbering as numbering_module
from hybrid.execution.execution import Execution
from hybrid.execution.numbering import RESERVED, Numbering, numbering_for, numbering_of
from hybrid.execution.step import Step
from hybrid.execution.trace import Key, Status, TraceData
from hybrid.execution.unfolding import Unfolding
from hybrid.model.core import Model
from hybrid.oracle.graph import GraphOracle
from hybrid.program.condition import LocationTerm
from hybrid.program.expr import Const
from hybrid.program.program import Program

THREE = """
    thread P: r0 := x; y := 1;
    thread Q: r1 := y; x := 2; r2 := x;
    thread R: y := 2; r3 := x;
"""
UNUSED = " ".join(f"c{i} = {i}" for i in range(40))


def test_without_additions_numbers_follow_the_formula() -> None:
    source = program(f"x = 0 y = 0 {THREE}")
    numbering = numbering_of(source, range(2))
    first, threads = RESERVED + 2, 3
    asked = [(t, s) for t in range(threads) for s in range(7)]
    random.Random(1).shuffle(asked)  # the order of questions does not matter
    for thread, slot in asked:
        event = numbering.event(thread, slot)
        assert event == first + slot * threads + thread
        assert numbering.slot_of(event) == (thread, slot)
    assert [numbering.initial_write(n) for n in range(2)] == [RESERVED, RESERVED + 1]
    assert numbering.initial_writes == 0b11 << RESERVED


def test_a_thread_at_its_end_takes_no_more_numbers() -> None:
    """The order of the others is as if it did; and a slot too many is an error."""
    numbering, usual = Numbering(), Numbering()
    most = [2, 30, 0, 5]
    for each in most:
        numbering.add_thread(most=each)
        usual.add_thread()
    asked = [(thread, slot) for thread, slots in enumerate(most) for slot in range(slots)]
    random.Random(1).shuffle(asked)
    numbers = {(t, s): numbering.event(t, s) for t, s in asked}
    assert sorted(numbers.values()) == list(range(RESERVED, RESERVED + sum(most)))
    assert sorted(asked, key=lambda at: numbers[at]) == sorted(
        asked, key=lambda at: usual.event(*at)
    )
    for thread, slots in enumerate(most):
        with pytest.raises(InternalError, match="more events than its code"):
            numbering.event(thread, slots)


@pytest.mark.parametrize("guess", [False, True])
@pytest.mark.parametrize("apart", [False, True])
def test_a_thread_without_loops_has_slots_for_all_its_paths(guess: bool, apart: bool) -> None:
    """And no more than the longest of them needs, where that has all of the code."""
    source = program("""
        x = 0 y = 0
        thread P: r0 := cas(x, 0, 1); r1 := faa(x, 1); r2 := xchg(y, 2); sync;
        thread Q: r3 := lr(x); r4 := sc(x, r3 + 1); if r4 != 0 goto L; y := 1;
                  L: r5 := y; assume r5 != 0;
        thread R: x := 3;
        thread S: r6 := x; M: r6 := r6 - 1; if r6 > 0 goto M;
    """)
    numbering = numbering_for(source, model("power"))
    unfolding = Unfolding(source, 3, guess, apart, numbering=numbering)
    todo = [root for root in unfolding.roots if isinstance(root, Step)]
    slots = [set[int]() for _ in source.threads]
    while todo:
        step = todo.pop()
        for event in (step.event, step.second):
            if event >= 0:
                slots[step.thread].add(numbering.slot_of(event)[1])
        for outcome in (0, 1) if step.decides else (0,):
            following = unfolding.follow(step, outcome)
            if isinstance(following, Step):
                todo.append(following)
    chosen = 1 if guess else 0
    assert [max(each) + 1 for each in slots[:3]] == [7 + chosen, 6 + chosen, 1]
    for thread, most in enumerate((8, 7, 1)):
        numbering.event(thread, most - 1)
        with pytest.raises(InternalError, match="more events than its code"):
            numbering.event(thread, most)
    numbering.event(3, 100)


def test_locations_and_threads_can_be_added_at_any_time() -> None:
    """Whatever the order: numbers keep their meaning, are distinct and without gaps, and grow with
    the slots of a thread."""
    places = program(f"x = 0 {UNUSED} thread P: x := 1;").locations
    for seed in range(30):
        rng = random.Random(seed)
        numbering = Numbering()
        meaning: dict[int, tuple[int, int]] = {}
        initial: dict[int, int] = {}  # from events to indices of locations
        for _ in range(60):
            what = rng.randrange(4)
            if what == 0 and len(numbering.locations) < len(places):
                index = len(numbering.locations)
                number = numbering.add_location(places[index], index)
                initial[numbering.initial_write(number)] = index
            elif what == 1:
                numbering.add_thread(rng.randrange(3), rng.choice((8, 9, 100)))
            elif numbering.threads:
                thread, slot = rng.randrange(numbering.threads), rng.randrange(8)
                meaning[numbering.event(thread, slot)] = (thread, slot)
        for event, (thread, slot) in meaning.items():
            assert numbering.event(thread, slot) == event
            assert numbering.slot_of(event) == (thread, slot)
        for event, index in initial.items():
            assert numbering.initial_id(event) == (-1, index)
            assert numbering.initial_writes >> event & 1
        everything = [numbering.event(t, s) for t in range(numbering.threads) for s in range(8)]
        rows = [everything[at : at + 8] for at in range(0, len(everything), 8)]
        assert all(row == sorted(set(row)) for row in rows)
        assert not set(everything) & set(initial)
        assert len(set(everything)) == len(everything)
        addresses = [numbering.locations[number].address for number in numbering.by_address]
        assert addresses == sorted(addresses)
        assert [numbering.number_of(a) for a in addresses] == numbering.by_address


def test_a_location_has_one_number_only() -> None:
    places = program("x = 0 thread P: x := 1;").locations
    numbering = Numbering()
    numbering.add_location(places[0], 0)
    with pytest.raises(InternalError, match="has a number already"):
        numbering.add_location(places[0], 0)


def data_of(engine: str, source: Program, under: Model) -> list[TraceData]:
    return [trace.data() for trace in make_engine(engine).explore(source, under, Limits())]


@pytest.mark.parametrize("name", ["sc", "rc11", "power", "aarch64"])
def test_unused_locations_have_no_events_and_change_nothing(name: str) -> None:
    """Not the bits that a check goes over, not the traces, nor what these say of memory."""
    few = program(f"x = 0 y = 0 {THREE}")
    many = program(f"{UNUSED} x = 0 y = 0 {THREE} exists (c3 = 3)")
    under = model(name)
    assert numbering_for(many, under).initial_writes == numbering_for(few, under).initial_writes
    for engine in ("rsmc", "rsmc+rf", "rsmc:z3"):
        found = data_of(engine, many, under)
        assert len(found) == len(data_of(engine, few, under)) > 3
        for data in found:
            assert sum(event.thread < 0 for event in data.events) == len(many.locations)
            assert list(data.memory) == [place.address for place in many.locations]
            assert list(data.memory.values())[:40] == list(range(40))
            assert set(data.co) == set(data.memory)
    # the ground truth leaves no location out
    keys = {trace.key() for trace in make_engine("enumerate").explore(many, under, Limits())}
    assert {trace.key() for trace in make_engine("rsmc").explore(many, under, Limits())} == keys


def test_the_cost_of_a_check_does_not_grow_with_unused_locations() -> None:
    """In events, so that no clock is needed: all that a check goes over is committed events and
    locations."""
    sizes = []
    for count in (0, 50, 800):
        unused = " ".join(f"c{i} = 0" for i in range(count))
        source = program(f"x = 0 y = 0 {unused} {THREE}")
        numbering = numbering_for(source, model("rc11"))
        execution = Execution(Unfolding(source, 5, False, numbering=numbering))
        sizes.append((execution.fetched, len(execution.co), len(execution.steps)))
    assert len(set(sizes)) == 1


# Each tells two initial writes from one: `c` is declared and never touched.
TELLING = (
    "empty (IW * IW) \\ id as one",
    "empty [IW \\ domain(co)] as written",
    "acyclic (IW * R) | (R * IW) as round",
    "irreflexive [R] ; ext ; [IW] ; ext as through",
)


@pytest.mark.parametrize("axiom", TELLING)
def test_a_model_that_could_tell_gets_all_initial_writes(axiom: str) -> None:
    under = model_of(f"acyclic po | rf | co | fr as sc\nempty rmw & (fre ; coe) as atomic\n{axiom}")
    source = program("x = 0 c = 0 thread P: x := 1; a := x; thread Q: b := x;")
    assert len(numbering_for(source, under).locations) == 2
    for engine in ("rsmc", "trust"):
        found = sorted(
            trace.key() for trace in make_engine(engine).explore(source, under, Limits())
        )
        truth = make_engine("enumerate").explore(source, under, Limits())
        assert found == sorted(trace.key() for trace in truth)


def test_computed_addresses_find_their_locations() -> None:
    """An access never goes to a location that was taken to be out of reach: that would be an
    InternalError. What other engines find, rsmc finds too."""
    under = model("sc")
    shape = replace(PROFILES["pointers"], threads=(2, 2), locations=(3, 3), candidates=300)
    left_out = computed = 0
    for number in range(60):
        source = random_program(12, number, shape)
        left_out += len(source.locations) - len(source.reached)
        code = [instruction for thread in source.threads for instruction in thread.code]
        computed += any(not isinstance(i.place, Const | None) for i in code)
        found = {trace.key() for trace in make_engine("rsmc").explore(source, under, Limits(2))}
        truth = make_engine("enumerate").explore(source, under, Limits(2))
        assert found == {trace.key() for trace in truth}
    assert left_out > 5
    assert computed > 20


def test_an_access_out_of_reach_is_no_silent_error() -> None:
    source = program("x = 0 y = 0 thread P: x := 1; y := 1;")
    with pytest.raises(InternalError, match="out of reach"):
        Execution(Unfolding(source, 5, False, numbering=numbering_of(source, [0])))


# ---- locations that wait for their numbers

# An array of which each thread touches two cells, by addresses that it computes: no analysis tells
# which of them.
CELLS = """
    thread P: i := faa(k, 1) @rlx; a[i] := 1 @rel; r := a[2 - i] @acq;
    thread Q: i := faa(k, 1) @rlx; a[i] := 2 @rel; r := a[2 - i] @acq;
    thread R: i := faa(k, 1) @rlx; a[i] := 3 @rel; r := a[2 - i] @acq; s := a[1] @acq;
"""


def cells(count: int, more: str = "") -> Program:
    return program(f"k = 0 a[{count}] = 0 {CELLS} {more}")


def test_touching_does_not_change_the_numbers_of_the_threads() -> None:
    """Whatever is touched, and when: other processes know these numbers."""
    source = program(f"x = 0 {UNUSED} {THREE.replace('y', 'x')}")
    slots = [(thread, slot) for slot in range(400) for thread in range(3)]
    numbers = []
    for seed in range(4):
        rng = random.Random(seed)
        numbering = numbering_of(source, [0], waiting=range(1, 41))
        untouched = list(source.locations[1:])
        rng.shuffle(untouched)
        events = []
        for thread, slot in slots:
            events.append(numbering.event(thread, slot))
            if untouched and rng.random() < seed / 10:
                place = untouched.pop()
                assert numbering.is_location(place.address)
                assert numbering.number_of(place.address) == -1
                number = numbering.touch(place.address)
                assert numbering.touch(place.address) == number
                event = numbering.initial_write(number)
                index = source.locations.index(place)
                assert numbering.initial_id(event) == (-1, index)
                assert numbering.initial_writes >> event & 1
        assert len(untouched) < 40 or not seed
        initial = {numbering.initial_write(n) for n in range(len(numbering.locations))}
        assert not initial & set(events)
        assert len(initial) == len(numbering.locations)
        assert [numbering.slot_of(event) for event in events] == slots
        numbers.append(events)
    assert all(events == numbers[0] for events in numbers)


def test_few_numbers_are_passed_over() -> None:
    """Bitsets of few events are hardly longer with locations that wait, others at most thrice as
    long."""
    source = program(f"x = 0 {UNUSED} {THREE.replace('y', 'x')}")
    usual, waiting = numbering_of(source, [0]), numbering_of(source, [0], waiting=range(1, 41))
    assert waiting.event(0, 10) == usual.event(0, 10) + 8
    for slot in range(1, 400):
        assert usual.event(2, slot) < waiting.event(2, slot) <= 3 * usual.event(2, slot)


def test_initial_writes_have_names_that_other_processes_understand() -> None:
    source = cells(60)
    here, there = (numbering_for(source, model("sc"), lazy=True) for _ in range(2))
    places = [place.address for place in source.locations[1:31]]
    for address in places:
        here.touch(address)
    for address in reversed(places):
        there.touch(address)
    differ = 0
    for address in places:
        write = here.initial_write(here.number_of(address))
        found = there.here(here.portable(write))
        assert found == there.initial_write(there.number_of(address))
        differ += found != write
    assert differ
    event = here.event(0, 1)
    assert there.here(here.portable(event)) == event
    with pytest.raises(ValueError):
        numbering_for(source, model("sc"), lazy=True).here(here.portable(write))


@pytest.mark.parametrize("axiom", TELLING)
def test_nothing_waits_where_the_model_could_tell(axiom: str) -> None:
    under = model_of(f"acyclic po | rf | co | fr as sc\n{axiom}")
    assert not numbering_for(cells(60), under, lazy=True).lazy
    assert numbering_for(cells(60), model("sc"), lazy=True).lazy


def test_what_the_text_names_does_not_wait() -> None:
    """Nor what is asked for at the end: reads-from classes tell its last stores apart."""
    source = cells(60, "exists (a[7] = 1)")
    named = numbering_for(source, model("rc11"), lazy=True).locations
    assert [place.name for place in named] == ["k", "a[1]", "a[7]"]
    assert not numbering_for(cells(10), model("rc11"), lazy=True).lazy  # they are too few


GRAPHS = ("rsmc", "rsmc+rf", "trust", "trust+rf", "trust-linear", "revisit", "stateful")


@pytest.mark.parametrize("name", ["sc", "rc11"])
@pytest.mark.parametrize("engine", GRAPHS)
def test_cells_that_nobody_touches_cost_nothing(engine: str, name: str) -> None:
    """In traces, checks, and the events and locations that a check goes over. The solvers' oracle
    knows of all cells from the beginning, and finds the same."""
    found = []
    for explorer in (engine, f"{engine}:pysat", engine):
        source = cells(300 if len(found) == 2 else 30, "locations [a[0]]")
        made = make_engine(explorer)
        traces = list(made.explore(source, model(name), Limits()))
        keys = sorted(trace.key() for trace in traces)
        outcomes = Counter(trace.outcome(source.terms) for trace in traces)
        found.append((keys, outcomes, made.counters.checks))
        data = traces[-1].data()
        assert sum(event.thread < 0 for event in data.events) == len(source.locations)
        assert list(data.memory) == [place.address for place in source.locations]
    assert found[0] == found[1] == found[2]
    assert len(found[0][0]) > 10
    numbering = numbering_for(source, model(name), lazy=True)
    execution = Execution(Unfolding(source, 5, False, numbering=numbering))
    assert len(execution.co) == 3
    assert execution.fetched.bit_length() < 60


# When the load of x is committed nobody has touched a cell. The store that it races with comes with
# stores to cells, in their places.
LATE = """k = 0 x = 0 y = 0 a[60] = 0
    thread P: r := x;
    thread Q: i := faa(k, 1); a[i] := 1; a[i] := 2; j := a[i + 1]; x := 1;
"""


@pytest.mark.parametrize("engine", GRAPHS)
def test_cells_touched_after_a_load_that_is_raced_with(engine: str) -> None:
    source = program(LATE)
    found = [
        sorted(trace.key() for trace in make_engine(each).explore(source, model("sc"), Limits()))
        for each in (engine, f"{engine}:pysat")
    ]
    assert len(found[0]) == 2
    assert found[0] == found[1]


def test_an_initial_write_comes_with_the_first_access() -> None:
    """In the relations of the graph oracle, and leaves with it."""
    source = program(LATE)
    numbering = numbering_for(source, model("rc11"), lazy=True)
    execution = Execution(Unfolding(source, 5, False, numbering=numbering))
    oracle = GraphOracle(model("rc11"), execution)
    before = oracle.points.committed
    add, store = numbering.event(1, 0), numbering.event(1, 2)
    for event, parameter in ((add, execution.co[0][0]), (store, 1)):
        assert oracle.allowed(execution, event, [parameter]) == [parameter]
        oracle.commit(event, parameter)
        execution.commit(event, parameter)
    write = execution.co[execution.location[store]][0]
    assert numbering.initial_id(write) == (-1, 3)
    assert not before >> write & 1
    assert oracle.points.committed >> write & 1
    assert oracle.points.same_location(store) == 1 << store | 1 << write
    execution.rollback()
    oracle.rollback()
    assert not oracle.points.committed >> write & 1
    for events in (execution.committed, execution.fetched, execution.resolved):
        assert events >> write & 1


@pytest.mark.large
@pytest.mark.interpreted
@pytest.mark.parametrize("name", ["sc", "rc11", "power", "aarch64"])
def test_waiting_locations_change_no_trace(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random programs whose locations all wait, with blocks so short that they are used up."""
    under = model(name)
    monkeypatch.setattr(numbering_module, "_FEW", -1)
    monkeypatch.setattr(numbering_module, "_FIRST_BLOCK", 1)
    monkeypatch.setattr(numbering_module, "_NEXT_BLOCK", 8)
    monkeypatch.setattr(numbering_module, "_named", lambda source: asked_for(source))
    waited = 0
    for number in range(40):
        shape = PROFILES[("pointers", "mixed")[number % 2]]
        source = random_program(23, number, replace(shape, candidates=150))
        waited += numbering_for(source, under, lazy=True).lazy
        truth = complete("enumerate", source, under)
        engines = ("rsmc",) if name in ("power", "aarch64") else ("rsmc", "trust", "revisit")
        for engine in engines:
            assert complete(engine, source, under) == truth, f"program {number}"
    assert waited > 20


def complete(engine: str, source: Program, under: Model) -> set[Key]:
    traces = make_engine(engine).explore(source, under, Limits(2))
    return {trace.key() for trace in traces if trace.status is Status.COMPLETE}


def asked_for(source: Program) -> set[int]:
    return {term.address for term in source.asked if isinstance(term, LocationTerm)}
