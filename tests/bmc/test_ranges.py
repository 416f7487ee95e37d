"""Ranges contain every value that can come out, and are as small as they should be."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from support import program

from hybrid.bmc import ranges as rg
from hybrid.bmc.ranges import Range, Ranges
from hybrid.bmc.slots import Symbolic
from hybrid.bmc.symbolic import symbolic
from hybrid.engine.api import Limits
from hybrid.program import values

numbers = st.one_of(
    st.integers(-9, 9),
    st.integers(*rg.FULL),
    st.sampled_from((rg.FULL[0], rg.FULL[1], rg.FULL[0] + 1, 2**32, 64, 63)),
)
sets = st.frozensets(numbers, min_size=1, max_size=30)


def interval(members: frozenset[int]) -> Range:
    return rg.hull(members)


@given(st.sampled_from(values.BINARY_OPERATORS), sets, sets, st.booleans(), st.booleans())
def test_binary(
    op: str, left: frozenset[int], right: frozenset[int], wide: bool, wider: bool
) -> None:
    found = rg.binary(op, interval(left) if wide else left, interval(right) if wider else right)
    for a in left:
        for b in right:
            value = values.binary(op, a, b)
            assert rg.contains(found, value)
            assert -(1 << rg.width(found) - 1) <= value < 1 << rg.width(found) - 1


@given(st.sampled_from(values.UNARY_OPERATORS), sets, st.booleans())
def test_unary(op: str, operand: frozenset[int], wide: bool) -> None:
    found = rg.unary(op, interval(operand) if wide else operand)
    assert all(rg.contains(found, values.unary(op, a)) for a in operand)


@given(sets, sets, st.booleans())
def test_join(left: frozenset[int], right: frozenset[int], wide: bool) -> None:
    found = rg.join(interval(left) if wide else left, right)
    assert all(rg.contains(found, n) for n in left | right)
    assert rg.join(left, rg.NOTHING) == left == rg.join(rg.NOTHING, left)


def test_width() -> None:
    sizes = {0: 1, -1: 1, 1: 2, -2: 2, 3: 3, 127: 8, -128: 8, 128: 9, 2**63 - 1: 64}
    for value, size in sizes.items():
        assert rg.width(frozenset((value,))) == size
    assert rg.width((-5, 3)) == 4
    assert rg.width(rg.NOTHING) == 1


def read_ranges(text: str, unroll: int = 2) -> tuple[Symbolic, dict[str, Range]]:
    """By label of a load: what it can read."""
    runs = symbolic(program(text), Limits(unroll))
    found = Ranges(runs, Limits())
    return runs, {s.label: found.of[s.value] for s in runs.slots if s.kind == "R" and s.value}


def test_loads_read_what_is_stored() -> None:
    _, found = read_ranges(
        """x = 0; y = 4; z = 9
        thread P: A: r := x; B: y := r + 1;
        thread Q: C: s := y; E: t := z; D: x := 7;"""
    )
    assert found == {
        "A": frozenset({0, 7}),
        "C": frozenset({4, 1, 8}),
        "E": frozenset({9}),
    }


def test_an_await_reads_what_it_waits_for() -> None:
    _, found = read_ranges(
        "x = 0; thread P: A: x := 1; B: x := 2; thread Q: C: r := await(x >= 2);"
    )
    assert found == {"C": frozenset({2})}


def test_a_store_behind_a_branch_counts_even_where_only_itself_can_lead_to_it() -> None:
    """Some models allow it."""
    _, found = read_ranges(
        """x = 0; y = 0
        thread P: A: r := x; B: if r = 0 goto end; C: y := 1; end: skip;
        thread Q: D: s := y; E: if s = 0 goto fin; F: x := 1; fin: skip;"""
    )
    assert found == {"A": frozenset({0, 1}), "D": frozenset({0, 1})}


def test_counting_stays_within_what_rounds_allow() -> None:
    runs, found = read_ranges("x = 0; thread P: A: r := faa(x, 1); thread Q: B: s := faa(x, 1);")
    assert len([slot for slot in runs.slots if slot.kind == "W"]) == 3
    for label in "AB":
        assert rg.contains(found[label], 0)
        assert rg.contains(found[label], 1)
        assert rg.width(found[label]) <= 4


def slots_at(text: str, unroll: int) -> dict[str, int]:
    """How many slots the instructions of a program have, by label."""
    slots = symbolic(program(text), Limits(unroll)).slots
    return dict(Counter(slot.label for slot in slots if slot.thread >= 0))


def test_rounds_of_a_loop_meet_behind_it() -> None:
    text = """x = 0; y = 0
    thread P: A: r := x; B: if r = 0 goto A; C: s := y; D: if s = 0 goto C; E: x := s;"""
    assert slots_at(text, 3) == {"A": 4, "B": 4, "C": 4, "D": 4, "E": 1}  # C: not 16


def test_two_jumps_of_a_loop_share_its_rounds() -> None:
    text = """x = 0
    thread P: A: r := x; B: if r = 0 goto A; C: r := x; D: if r = 0 goto A; E: x := 2;"""
    assert slots_at(text, 3)["A"] == 7  # 0 to 3 + 3, not 16


def test_ways_with_different_constants_meet_where_no_loop_depends_on_them() -> None:
    text = """x = 0
    thread P: r := x; if r = 0 goto A; i := 2; A: x := 1; i := i + 1; if i < 4 goto A; C: x := 2;"""
    assert slots_at(text, 0) == {"P0": 1, "P1": 1, "A": 6, "C": 1}  # i from 0 and from 2
