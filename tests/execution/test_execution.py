"""The growing execution and the unfolding below it: fetching, dependencies, numbering, undoing."""

from __future__ import annotations

import random

import pytest
from support import program

from hybrid.crosscheck.random_programs import random_program
from hybrid.execution.execution import FAIL, Execution
from hybrid.execution.step import CHOICE, CONDITIONAL, LOAD, RMW, Step
from hybrid.execution.trace import Status
from hybrid.execution.unfolding import Unfolding


def start(text: str, guess: bool = False, unroll: int = 5) -> Execution:
    return Execution(Unfolding(program(text), unroll, guess))


def step(execution: Execution, label: str) -> Step:
    return next(s for s in execution.steps if s is not None and s.label == label)


def ids(execution: Execution, bits: int) -> set[tuple[int, int]]:
    return {execution.event_id(i) for i in range(bits.bit_length()) if bits >> i & 1}


def test_threads_are_fetched_up_to_a_branch() -> None:
    text = "x = 0 thread P: A: r := x; B: x := 1; C: if r = 1 goto E; D: x := 2; E: x := 3;"
    execution = start(text)
    assert {s.label for s in execution.steps if s is not None} == {"A", "B", "C"}
    execution.commit(step(execution, "A").event, execution.co[0][0])
    assert {s.label for s in execution.steps if s is not None} == {"A", "B", "C", "D", "E"}
    execution.rollback()
    assert ids(execution, execution.fetched & ~execution.numbering.initial_writes) == {
        (0, 0),
        (0, 1),
        (0, 2),
    }


def test_dependencies_of_every_kind() -> None:
    text = """
    x = 0 y = 0
    thread P:
      A: r := x; B: s := y; t := r + 1;
      C: [&x + (s ^ s)] := t;
      D: if r = s goto E;
      E: sync;
      F: u := xchg(y, t);
      G: v := fetch_add(y, s);
      H: w := lr(x); I: q := sc(x, u); J: y := q;
    """
    execution = start(text, guess=True)
    for label in ("A", "B"):
        event = step(execution, label).event
        execution.commit(event, execution.co[execution.location[event]][0])
    execution.commit(
        next(s for s in execution.steps if s is not None and s.kind == CHOICE).event, 1
    )
    a, b = (0, 0), (0, 1)
    assert ids(execution, step(execution, "C").depends.addr) == {b}
    assert ids(execution, step(execution, "C").depends.data) == {a}
    assert not step(execution, "C").depends.ctrl
    for label in ("E", "F", "G", "H", "J"):
        assert ids(execution, step(execution, label).depends.ctrl) == {a, b}
    assert ids(execution, step(execution, "F").depends.data) == {a}
    assert ids(execution, step(execution, "G").depends.data) == {b}
    # the store of an xchg does not depend on its load, that of a fetch-and-op does
    assert ids(execution, step(execution, "F").second_depends.data) == {a}
    assert ids(execution, step(execution, "G").second_depends.data) == {b, (0, 7)}
    load, first = execution.event_id(step(execution, "H").event), (0, 5)
    assert ids(execution, step(execution, "J").depends.data) == {load, first}
    # numbering: an rmw takes two, a branch and a fence one each
    assert (step(execution, "F").index, step(execution, "G").index) == (5, 7)
    assert load == (0, 9)
    assert execution.event_id(step(execution, "J").event) == (0, 11)


def test_addresses_become_known() -> None:
    execution = start("x = &y y = 0 thread P: A: r := x; B: [r] := 5; C: y := 1;")
    second = step(execution, "B").event
    assert not execution.resolved >> second & 1
    execution.commit(step(execution, "A").event, execution.co[0][0])
    assert execution.resolved >> second & 1
    assert execution.location[second] == 1


def test_a_bad_address_stops_its_thread() -> None:
    execution = start(
        "x = 9 y = 0 thread P: A: r := x; B: [r] := 5; C: y := 1; thread Q: D: y := 2;"
    )
    execution.commit(step(execution, "A").event, execution.co[0][0])
    assert execution.errors[0][1] == 9
    assert ids(execution, execution.pending) == {(1, 0)}
    assert execution.status() is Status.ERROR
    execution.rollback()
    assert not execution.errors
    assert len(ids(execution, execution.pending)) == 4


def test_places_in_coherence() -> None:
    execution = start("x = 0 thread P: A: x := 1; thread Q: B: x := 2; thread R: C: x := 3;")
    a, b, c = (step(execution, label).event for label in "ABC")
    execution.commit(a, 1)
    execution.commit(b, 1)
    execution.commit(c, 2)
    assert execution.co[0][1:] == [b, c, a]
    execution.rollback()
    assert execution.co[0][1:] == [b, a]


def test_the_store_of_an_rmw_follows_its_source() -> None:
    execution = start(
        "x = 0 thread P: A: x := 1; thread Q: B: x := 2; thread R: C: r := faa(x, 5);"
    )
    a, b = (step(execution, label).event for label in "AB")
    rmw = step(execution, "C")
    execution.commit(a, 1)
    execution.commit(b, 2)
    execution.commit(rmw.event, a)
    assert execution.co[0][1:] == [a, rmw.second, b]
    assert (execution.result[rmw.event], execution.stored[rmw.second]) == (1, 6)
    execution.rollback()
    assert execution.co[0][1:] == [a, b]


@pytest.mark.parametrize("guess", [False, True])
def test_loops_are_cut_at_the_bound(guess: bool) -> None:
    execution = start("x = 0 thread P: L: r := x; if r = 0 goto L;", guess, unroll=2)
    for _ in range(3):
        assert execution.pending
        event = execution.pending.bit_length() - 1
        execution.commit(event, execution.co[0][0])
    assert not execution.pending
    assert execution.status() is Status.CUT


def test_a_loop_without_events_is_cut_too() -> None:
    assert start("x = 0 thread P: L: goto L;").status() is Status.CUT


def snapshot(execution: Execution) -> tuple[object, ...]:
    return (
        execution.fetched,
        execution.committed,
        execution.pending,
        execution.resolved,
        [list(order) for order in execution.co],
        list(execution.accesses),
        list(execution.next),
        list(execution.errors),
        list(execution.run),
        {
            e: execution.readers[e]
            for e in range(len(execution.steps))
            if execution.committed >> e & 1
        },
    )


@pytest.mark.parametrize("number", range(25))
def test_rollback_restores_everything(number: int) -> None:
    rng = random.Random(number)
    execution = Execution(Unfolding(random_program(8, number), 2, bool(number % 2)))
    kept: list[tuple[object, ...]] = []
    for _ in range(60):
        ready = [
            s
            for s in execution.steps
            if s is not None
            and execution.pending >> s.event & 1
            and execution.steps[s.event] is s
            and execution.known(s.needs)
            and execution.resolved >> s.event & 1
        ]
        if kept and (not ready or rng.random() < 0.3):
            execution.rollback()
            assert snapshot(execution) == kept.pop()
            continue
        if not ready:
            break
        chosen = rng.choice(ready)
        if chosen.kind == CHOICE:
            parameter = rng.choice((0, 1))
        else:
            order = execution.co[execution.location[chosen.event]]
            if chosen.kind in (LOAD, RMW):
                parameter = rng.choice(order)
            elif chosen.kind == CONDITIONAL and chosen.decides and rng.random() < 0.5:
                parameter = FAIL
            else:
                parameter = rng.randint(1, len(order))
        kept.append(snapshot(execution))
        execution.commit(chosen.event, parameter)
    while kept:
        execution.rollback()
        assert snapshot(execution) == kept.pop()
