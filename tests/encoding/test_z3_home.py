"""Contexts of Z3: used again by the next who needs one, never by two at once, and errors of its C
interface are seen."""

from __future__ import annotations

import gc
import threading

import pytest
import z3  # type: ignore[import-untyped]

from hybrid.encoding.z3_home import ASSERT, Z3Home, Z3Lease
from hybrid.encoding.z3_logic import Z3Logic


@pytest.mark.large
def test_homes_are_used_again() -> None:
    gc.collect()
    held = [Z3Lease(False, False) for _ in range(50)]  # what other tests have left
    first = Z3Lease(False, False)
    second = Z3Lease(False, False)
    home = first.home
    assert second.home is not home
    del first
    gc.collect()
    third = Z3Lease(False, False)
    assert third.home is home
    assert third.home.pointer
    assert all(each.home is not home for each in held)


def test_a_home_of_ones_own_is_not_used_again() -> None:
    lease = Z3Lease(False, True)
    home = lease.home
    del lease
    gc.collect()
    assert Z3Lease(False, False).home is not home


def test_homes_stay_in_their_thread() -> None:
    lease: list[Z3Lease] = []
    thread = threading.Thread(target=lambda: lease.append(Z3Lease(False, False)))
    thread.start()
    thread.join()
    home = lease[0].home
    lease.clear()
    gc.collect()
    assert Z3Lease(False, False).home is not home


def test_garbage_in_a_cycle() -> None:
    """The collector of garbage ends objects in any order; the context must outlive it."""
    for _ in range(30):
        logic = Z3Logic()
        x, y = logic.variable("x"), logic.variable("y")
        assert logic.solve([x, y]) is not False
        knot: list[object] = [logic]
        knot.append(knot)
        del logic, knot
        gc.collect()


def test_nothing_is_left_from_before() -> None:
    before = Z3Logic()
    x = before.variable("x")
    before.add((-x,))
    assert before.solve([x]) is False
    del before
    gc.collect()
    after = Z3Logic()
    y = after.variable("y")
    assert y == x
    assert after.solve([y]) is True
    assert after.name_of(y) == "y"


def test_errors_are_seen() -> None:
    home, other = Z3Home(), Z3Home()
    home.grow()
    solver = z3.SolverFor("QF_FD", ctx=home.context)
    ASSERT(home.pointer, solver.solver.value, home.sort)
    with pytest.raises(z3.Z3Exception):
        home.raise_errors()
    other.raise_errors()
