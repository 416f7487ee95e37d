"""Where objects lie, and which values are shown as addresses."""

from __future__ import annotations

import random

import pytest
from support import program

from hybrid.frontend.load import parse_litmus
from hybrid.program.memory import FIRST, GAP, MemoryLayout, addresses, objects
from hybrid.program.program import Program
from hybrid.source import Source


def shown(source: Program, text: str, value: int) -> str:
    """A value in a register (`P:r`) or location, as text shows it."""
    thread, _, register = text.rpartition(":")
    if thread:
        number = [t.name for t in source.threads].index(thread)
        return source.addresses.show_in_register(number, register, value)
    address = next(p.address for p in source.locations if p.name == text)
    return source.addresses.show_in_cell(address, value)


# Layout


@pytest.mark.parametrize("seed", range(30))
def test_objects_lie_apart(seed: int) -> None:
    """Whatever is placed by hand: the others are clear of it, of each other and of null."""
    rng = random.Random(seed)
    layout = MemoryLayout()
    taken: list[range] = []
    for _ in range(rng.randint(0, 6)):
        start, size = rng.randint(-50, FIRST + 600), rng.randint(1, 90)
        here = range(start, start + size)
        expected = min((a for a in here if any(a in other for other in taken)), default=None)
        assert layout.clash(start, size) == expected
        if expected is None and 0 not in here:
            layout.put(start, size)
            taken.append(here)
    for _ in range(8):
        size = rng.choice((1, 1, 4, 63, 64, 65, 200))
        start = layout.place(size)
        assert start >= FIRST
        around = range(start - GAP, start + size + GAP)
        assert not any(other.start < around.stop and around.start < other.stop for other in taken)
        taken.append(range(start, start + size))


def test_the_usual_addresses() -> None:
    assert addresses([1, 1, 64, 65, 1]) == (0x1000, 0x1080, 0x1100, 0x1180, 0x1240)


def test_objects() -> None:
    source = program("x = 0; a[3] = 0; b[1] = 0; c at 7 = 0 thread P: skip;")
    found = [(each.name, each.cells, each.stride) for each in objects(source.locations)]
    assert found == [("c", None, 1), ("x", None, 1), ("a", 3, 1), ("b", 1, 1)]


# Names


@pytest.mark.parametrize(
    ("start", "offset", "name"),
    [
        ("x", 0, "&x"),
        ("x", 1, "&x+1"),
        ("x", -3, "&x-3"),
        ("a", 0, "&a[0]"),
        ("a", 1, "&a[1]"),
        ("a", 2, "&a+2"),
        ("a", 9, "&a+9"),
        ("a", -1, "&a-1"),
        ("a", 4000, None),
        ("y", GAP - 1, "&y+63"),
        ("y", GAP, None),
    ],
)
def test_names(start: str, offset: int, name: str | None) -> None:
    source = program("x = 0; a[2] = 0; y = 0 thread P: skip;")
    base = next(o.address for o in source.addresses.objects.all if o.name == start)
    assert source.addresses.name(base + offset) == name
    if name is not None:
        assert source.addresses.split(base + offset) == (start, offset)


@pytest.mark.parametrize("number", [0, 1, -1, 2, 9, 900])
def test_small_numbers_have_no_names(number: int) -> None:
    source = program("x = 0; y at 5 = 0 thread P: skip;")
    assert source.addresses.name(number) is None
    assert source.addresses.name(5) == "&y"


def test_cells_of_bytes() -> None:
    """In a litmus test addresses are those of bytes."""
    text = (
        "PPC t\n{ int a[2]; x; 0:r1=a; 0:r2=x; int *p=&a[1]; }\n P0 ;\n lwz r3,0(r1) ;\n"
        "exists (0:r3=0)"
    )
    source = parse_litmus(Source("t.litmus", text))
    a = next(o.address for o in source.addresses.objects.all if o.name == "a")
    names = [source.addresses.name(a + offset) for offset in (0, 4, 2, 8)]
    assert names == ["&a[0]", "&a[1]", "&a+2", "&a+8"]
    assert source.addresses.stray(a + 2) == "&a+2, which is within a, but not where a cell begins"
    assert shown(source, "p", a + 4) == "&a[1]"
    assert shown(source, "P0:r1", a) == "&a[0]"
    assert shown(source, "P0:r3", a) == str(a)


# Which values are addresses


@pytest.mark.parametrize(
    ("code", "holds"),
    [
        ("r := &x;", {"P:r"}),
        ("r := 4096;", set()),
        ("s := &x; r := s + 4;", {"P:r", "P:s"}),
        ("s := &x; r := (s | 1) & -2;", {"P:r", "P:s"}),
        ("s := &x; r := s = &y;", {"P:s"}),
        ("s := &x; r := !s;", {"P:s"}),
        ("s := &x; r := s && 1;", {"P:s"}),
        ("p := &x; r := p;", {"P:r", "p"}),
        ("p := &x; r := y; q := [&a + r];", {"p"}),
        ("p := &x; r := y; [&a + r] := &y; s := a[0];", {"p", "a[0]", "a[1]", "P:s"}),
        ("q := xchg(p, &x);", {"p", "P:q"}),
        ("q := cas(p, 0, &x); r := cas(y, &x, 1);", {"p", "P:q"}),
        ("q := faa(p, &a);", {"p", "P:q"}),
        ("q := faa(p, 1);", set()),
        ("q := lr(p); s := sc(p, &x);", {"p", "P:q"}),
        ("q := p; r := [q];", set()),
        ("p := &x; q := p; [q] := 1; r := x;", {"p", "P:q"}),
        ("p := &x; q := p; [q] := q; r := x;", {"p", "P:q", "P:r", "x"}),
        ("q := &a + 1; [q] := &y; r := a[0];", {"P:q", "P:r", "a[0]", "a[1]"}),
        ("r := y; [r] := &y;", {"P:r", "a[0]", "a[1]", "p", "x", "y"}),
        ("L: r := s; s := t; t := &x; if r = 0 goto L;", {"P:r", "P:s", "P:t"}),
    ],
)
def test_what_is_made_from_an_address(code: str, holds: set[str]) -> None:
    text = f"x = 0; y = 0; p = 0; a[2] = 0 thread P(q = 0, r = 0, s = 0, t = 0): {code}"
    source = program(text)
    x = source.locations[0].address
    places = [p.name for p in source.locations] + ["P:q", "P:r", "P:s", "P:t"]
    assert {place for place in places if shown(source, place, x) == "&x"} == holds
    assert {shown(source, place, x) for place in places} <= {"&x", str(x)}


def test_initial_values_that_are_addresses() -> None:
    source = program("x = 0; p = &x; q = 0 thread P(r = &x, s = 0): t := q;")
    x = source.locations[0].address
    found = {p: shown(source, p, x) for p in ("p", "q", "P:r", "P:s", "P:t")}
    named = {place for place, name in found.items() if name == "&x"}
    assert named == {"p", "P:r"}


def test_null_keeps_its_number() -> None:
    source = program("x = 0; p = &x thread P: p := 0;")
    assert shown(source, "p", 0) == "0"
    assert source.addresses.stray(0) == "address 0 (null)"
