"""Random programs as hypothesis strategies, and programs without their spans, for comparing."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from hypothesis import strategies as st

from hybrid.program import condition as cond
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import memory, values
from hybrid.program import tags as tg
from hybrid.program.program import Expectation, Location, Program, Thread
from hybrid.source import nowhere

HERE = nowhere()
NUMBERS = st.one_of(
    st.integers(-3, 5), st.sampled_from([2**63 - 1, -(2**63)]), st.integers(-(2**63), 2**63 - 1)
)
LOAD_ORDERS = ["NA", "RLX", "ACQ", "SC", "CON", "A", "Q", "X", "Acq"]
STORE_ORDERS = ["NA", "RLX", "REL", "SC", "L", "X", "Rel"]


def shape(node: Any) -> Any:
    """`node` with every dataclass as a tuple of its type and its fields, spans left out."""
    if dataclasses.is_dataclass(node) and not isinstance(node, type):
        fields = [f.name for f in dataclasses.fields(node) if f.name != "span"]
        return (type(node).__name__, *((name, shape(getattr(node, name))) for name in fields))
    if isinstance(node, tuple):
        return tuple(shape(child) for child in node)
    if isinstance(node, Mapping):
        return dict(node)
    return node


@st.composite
def locations(draw: st.DrawFn) -> tuple[Location, ...]:
    placed = draw(st.booleans())
    address = draw(st.integers(1, 40))
    layout = memory.MemoryLayout()
    found = []
    for name in draw(st.lists(st.sampled_from("xyzab"), unique=True, max_size=4)):
        size = draw(st.sampled_from([None, None, 1, 2, 3]))
        if not placed:
            address = layout.place(size or 1)
        for index in range(size or 1):
            cell = name if size is None else f"{name}[{index}]"
            found.append(Location(HERE, cell, address, draw(st.sampled_from([0, 0, 1, -7]))))
            address += 1
        address += draw(st.integers(0, 3))
    return tuple(_pointing(draw, found, place) for place in found)


def _pointing(draw: st.DrawFn, places: list[Location], place: Location) -> Location:
    """The location as it is, or with the address of one as its initial value."""
    if draw(st.integers(0, 4)):
        return place
    other = draw(st.sampled_from(places))
    return dataclasses.replace(place, initial=other.address, initial_name=f"&{other.name}")


def constants(places: tuple[Location, ...]) -> st.SearchStrategy[ex.Const]:
    literals = NUMBERS.map(lambda n: ex.Const(HERE, n))
    if not places:
        return literals
    named = [ex.Const(HERE, p.address, f"&{p.name}") for p in places]
    bases = [ex.Const(HERE, p.address, f"&{p.name[:-3]}") for p in places if p.name.endswith("[0]")]
    return st.one_of(literals, st.sampled_from(named + bases))


@lru_cache(64)
def expressions(places: tuple[Location, ...]) -> st.SearchStrategy[ex.Expr]:
    leaves = st.one_of(
        constants(places), st.sampled_from(["r0", "r1", "r2"]).map(lambda r: ex.Register(HERE, r))
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(
                lambda o, e: ex.Unary(HERE, o, e), st.sampled_from(values.UNARY_OPERATORS), inner
            ),
            st.builds(
                lambda o, a, b: ex.Binary(HERE, o, a, b),
                st.sampled_from(values.BINARY_OPERATORS),
                inner,
                inner,
            ),
        ),
        max_leaves=6,
    )


@st.composite
def instruction(
    draw: st.DrawFn, places: tuple[Location, ...], label: str, end: int
) -> ins.Instruction:
    value = expressions(places)
    kinds = ["assign", "fence", "branch", "goto", "assume", "assert"]
    kinds += ["load", "store", "rmw", "sc"] * 2 if places else []
    kind = draw(st.sampled_from(kinds))
    register = draw(st.sampled_from(["r0", "r1", "r2"]))
    if kind == "assign":
        return ins.Assign(HERE, label, register, draw(value))
    if kind == "fence":
        some = st.sets(st.sampled_from(sorted(tg.FENCE_TAGS)), min_size=1, max_size=2)
        tags = some.filter(lambda s: len(s & set(tg.ORDERS)) < 2)
        return ins.Fence(HERE, label, frozenset(draw(tags)))
    if kind == "branch":
        return ins.Branch(HERE, label, draw(value), draw(st.integers(0, end)))
    if kind == "goto":
        return ins.Goto(HERE, label, draw(st.integers(0, end)))
    if kind == "assume":
        return ins.Assume(HERE, label, draw(value))
    if kind == "assert":
        return ins.Assert(HERE, label, draw(value))
    place = draw(st.sampled_from(places))
    address: ex.Expr = ex.Const(HERE, place.address, f"&{place.name}")
    if draw(st.booleans()):
        computed = draw(value.filter(ex.registers))
        address = draw(st.sampled_from([computed, ex.Binary(HERE, "+", address, computed)]))
    dropped = draw(st.sampled_from([register, None]))
    guard = None
    if draw(st.booleans()):
        guard = ins.Guard(HERE, draw(st.sampled_from(values.COMPARISONS)), draw(value))
    if kind == "load":
        exclusive = draw(st.booleans())
        tags = {draw(st.sampled_from(LOAD_ORDERS))} | ({"X"} if exclusive else set())
        return ins.Load(HERE, label, dropped, address, frozenset(tags), guard, exclusive)
    if kind == "store":
        tags = {draw(st.sampled_from(STORE_ORDERS))}
        return ins.Store(HERE, label, address, draw(value), frozenset(tags))
    if kind == "sc":
        tags = {draw(st.sampled_from(STORE_ORDERS)), "X"}
        return ins.StoreConditional(
            HERE, label, dropped, address, draw(value), frozenset(tags), draw(st.booleans())
        )
    op = draw(st.sampled_from(sorted({op for op, _ in tg.RMWS.values()})))
    expected = draw(value) if op == "cas" else None
    tags = {draw(st.sampled_from(sorted(tg.ACCESS_TAGS)))}
    bits = 64
    if op not in ("cas", "xchg"):
        bits = draw(st.sampled_from((8, 16, 32, 64)))
    operand = draw(value)
    rmw = ins.Rmw(
        HERE, label, dropped, op, address, operand, expected, frozenset(tags), guard, bits
    )
    if op != "cas":
        return rmw
    failed = draw(st.none() | st.sampled_from(LOAD_ORDERS).map(lambda order: frozenset({order})))
    success = draw(st.sampled_from([None, f"{register}s"]))
    return dataclasses.replace(rmw, failed_tags=failed, weak=draw(st.booleans()), success=success)


def formulas(terms: list[cond.Operand]) -> st.SearchStrategy[cond.Formula]:
    operand = st.one_of(NUMBERS.map(lambda n: cond.Value(HERE, n)), st.sampled_from(terms))
    leaf = st.one_of(
        st.sampled_from([cond.And(HERE, ()), cond.Or(HERE, ())]),
        st.builds(
            lambda o, a, b: cond.Compare(HERE, o, a, b),
            st.sampled_from(values.COMPARISONS),
            operand,
            operand,
        ),
    )
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            inner.map(lambda f: cond.Not(HERE, f)),
            st.lists(inner, min_size=2, max_size=3).map(lambda fs: cond.And(HERE, tuple(fs))),
            st.lists(inner, min_size=2, max_size=3).map(lambda fs: cond.Or(HERE, tuple(fs))),
        ),
        max_leaves=6,
    )


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Programs whose registers all have initial values, so that any may be read."""
    places = draw(locations())
    threads = []
    for name in draw(st.sampled_from([["P"], ["P", "Q"], ["0", "1", "T"]])):
        length = draw(st.integers(0, 5))
        code = [draw(instruction(places, f"L{name}_{i}", length)) for i in range(length)]
        initial = {r: draw(st.sampled_from([0, 3, -(2**63)])) for r in ("r0", "r1", "r2")}
        threads.append(Thread(HERE, name, tuple(code), initial))
    terms: list[Any] = [
        cond.RegisterTerm(HERE, i, "r0", f"{t.name}:r0") for i, t in enumerate(threads)
    ]
    terms += [cond.LocationTerm(HERE, p.address, p.name) for p in places]
    operands = terms + [cond.Value(HERE, p.address, f"&{p.name}") for p in places]
    quantifier = draw(st.sampled_from([None, *cond.Quantifier]))
    condition = None
    if quantifier is not None:
        condition = cond.Condition(HERE, quantifier, draw(formulas(operands)))
    answer = "ALLOWED" if quantifier is cond.Quantifier.EXISTS else "HOLDS"
    expectations = [
        Expectation(HERE, model, answer, draw(st.sampled_from([None, 0, 4])))
        for model in draw(
            st.lists(st.sampled_from(["sc", "power", "a/b.cat", "if.cat"]), unique=True)
        )
    ]
    return Program(
        draw(st.sampled_from(["LB", "2+2W", 'a "b"\\', "thread"])),
        places,
        tuple(threads),
        condition,
        tuple(draw(st.lists(st.sampled_from(terms), max_size=3))),
        tuple(expectations),
        draw(st.text(max_size=8)),
    )
