"""sc, tso and pso against machines with store buffers, and ra against rc11, on random small
programs.

A machine's runs give the values that loads read and the order in which stores reach memory: exactly
the executions that the axioms must allow.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations, product

import pytest
from cat_naive import Execution, F, Op, R, U, W, broken, execution

from hybrid.model import load_model

pytestmark = pytest.mark.large

Outcome = tuple[tuple[tuple[int, int, int], ...], tuple[tuple[str, int], ...]]
# loads as (thread, place, value), sorted; stores as (location, value) in memory order a location


def random_program(rng: random.Random, fences: list[str]) -> list[list[Op]]:
    """Two or three threads; loads have no value yet (0); stores have values 1, 2, … a location."""
    count = {"x": 0, "y": 0}
    threads: list[list[Op]] = []
    for _ in range(rng.choice((2, 2, 3))):
        ops: list[Op] = []
        for _ in range(rng.randint(1, 3)):
            loc = rng.choice("xy")
            kind = rng.choices("RWFU", (8, 8, 2, 2))[0]
            if kind in "WU":
                count[loc] += 1
            if kind == "R":
                ops.append(R(loc, 0))
            elif kind == "W":
                ops.append(W(loc, count[loc]))
            elif kind == "U":
                ops.append(U(loc, 0, count[loc]))
            else:
                ops.append(F(rng.choice(fences)))
        threads.append(ops)
    return threads


def candidates(program: list[list[Op]]) -> Iterator[tuple[Outcome, Execution]]:
    """All ways to choose what loads read and how stores are ordered."""
    loads = [(t, p) for t, ops in enumerate(program) for p, op in enumerate(ops) if op.kind in "RU"]
    stored = {
        loc: [
            o.new if o.kind == "U" else o.value
            for ops in program
            for o in ops
            if o.kind in "WU" and o.loc == loc
        ]
        for loc in "xy"
    }  # fmt: skip
    for order_x, order_y in product(permutations(stored["x"]), permutations(stored["y"])):
        order = {"x": list(order_x), "y": list(order_y)}
        for values in product(*([0, *stored[program[t][p].loc]] for t, p in loads)):
            read = dict(zip(loads, values, strict=True))
            threads = [
                [
                    Op(o.kind, o.loc, read.get((t, p), o.value), o.new, o.tags)
                    for p, o in enumerate(ops)
                ]
                for t, ops in enumerate(program)
            ]
            if any(o.kind == "U" and o.value == o.new for ops in threads for o in ops):
                continue  # an rmw that reads from itself
            outcome = (
                tuple(sorted((t, p, v) for (t, p), v in read.items())),
                tuple((loc, v) for loc in "xy" for v in order[loc]),
            )
            yield outcome, execution(*threads, coherence=order)


def machine(program: list[list[Op]], model: str) -> set[Outcome]:
    """All outcomes of a machine whose stores pass through a buffer a thread.

    sc: the buffer is emptied at once. tso: first in, first out. pso: a store may leave when none
    before it in the buffer is to its location and no mark of a store-store fence stands before it.
    """
    outcomes: set[Outcome] = set()
    start = (tuple(0 for _ in program), tuple(() for _ in program), (), ())
    seen = {start}
    todo = [start]
    while todo:
        places, buffers, memory, reads = todo.pop()
        following: list[tuple] = []

        def last(location: str, stores: tuple = memory) -> int:
            return next((v for loc, v in reversed(stores) if loc == location), 0)

        for t, ops in enumerate(program):
            buffer = buffers[t]
            for place, entry in enumerate(buffer):
                before = buffer[:place]
                blocked = (
                    before
                    if model != "pso"
                    else [b for b in before if b is None or entry is None or b[0] == entry[0]]
                )
                if blocked:
                    continue
                rest = (*buffers[:t], (*before, *buffer[place + 1 :]), *buffers[t + 1 :])
                following.append(
                    (places, rest, memory if entry is None else (*memory, entry), reads)
                )
            if places[t] == len(ops):
                continue
            op = ops[places[t]]
            moved = (*places[:t], places[t] + 1, *places[t + 1 :])
            if op.kind == "R":
                value = next((e[1] for e in reversed(buffer) if e and e[0] == op.loc), last(op.loc))
                following.append((moved, buffers, memory, (*reads, (t, places[t], value))))
            elif op.kind == "W":
                entry = (op.loc, op.value)
                if model == "sc":
                    following.append((moved, buffers, (*memory, entry), reads))
                else:
                    following.append(
                        (moved, (*buffers[:t], (*buffer, entry), *buffers[t + 1 :]), memory, reads)
                    )
            elif op.kind == "U":
                if not buffer:
                    new = (*reads, (t, places[t], last(op.loc)))
                    following.append((moved, buffers, (*memory, (op.loc, op.new)), new))
            elif "LWSYNC" in op.tags:  # a mark in the buffer
                mark = (*buffer, None) if buffer else ()
                following.append((moved, (*buffers[:t], mark, *buffers[t + 1 :]), memory, reads))
            elif not buffer:
                following.append((moved, buffers, memory, reads))
        if not following:
            co = tuple((loc, v) for each in "xy" for loc, v in memory if loc == each)
            outcomes.add((tuple(sorted(reads)), co))
        for state in following:
            if state not in seen:
                seen.add(state)
                todo.append(state)
    return outcomes


@pytest.mark.parametrize("name", ["sc", "tso", "pso"])
def test_a_machine_does_what_the_axioms_allow(name: str) -> None:
    model = load_model(name)
    rng = random.Random(name)
    found = 0
    for _ in range(20):
        program = random_program(rng, ["MFENCE", "LWSYNC"])
        runs = list(candidates(program))
        if len(runs) > 300:
            continue
        allowed = {outcome for outcome, run in runs if not broken(model, run)}
        assert allowed == machine(program, name), program
        found += len(allowed)
    assert found > 60


def test_ra_is_rc11_with_all_accesses_annotated() -> None:
    ra, rc11 = load_model("ra"), load_model("rc11")
    rng = random.Random(11)
    tags = {"R": ("ACQ",), "W": ("REL",), "U": ("ACQ_REL",), "F": ("SC",)}
    weak = 0
    for _ in range(20):
        program = [
            [Op(o.kind, o.loc, o.value, o.new, tags[o.kind]) for o in ops]
            for ops in random_program(rng, ["SC"])
        ]
        runs = list(candidates(program))
        if len(runs) > 200:
            continue
        for _, run in runs:
            verdict = not broken(ra, run)
            assert verdict == (not broken(rc11, run)), program
            weak += verdict
    assert weak > 60
