"""Numbers of threads, locations and events, and locations that are declared and never touched."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from support import make_engine, model, model_of, program

from hybrid.crosscheck.random_programs import random_program
from hybrid.crosscheck.shape import PROFILES
from hybrid.engine.api import Limits
from hybrid.errors import InternalError
from hybrid.execution.execution import Execution
from hybrid.execution.numbering import RESERVED, Numbering, numbering_for, numbering_of
from hybrid.execution.trace import TraceData
from hybrid.execution.unfolding import Unfolding
from hybrid.model.core import Model
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
                numbering.add_thread(rng.randrange(3))
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
