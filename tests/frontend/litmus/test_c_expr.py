"""Arithmetic of C: values, precedence, types, against what C says, by a small reference in
Python."""

from __future__ import annotations

import re

import pytest
from c_helpers import compiled, one, runs, values
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.sample(2)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 3 - 2", 5),
        ("-7 / 2", -3),
        ("-7 % 3", -1),
        ("1 << 3 | 1", 9),
        ("6 & 3 == 3", 0),  # == binds tighter
        ("5 ^ 1 | 2", 6),
        ("2 < 1 == 0", 1),
        ("!0 + !5", 1),
        ("~0", -1),
        ("- -3", 3),
        ("1 ? 2 : 3", 2),
        ("0 ? 2 : 1 ? 4 : 5", 4),
        ("1 && 2", 1),
        ("0 || 0", 0),
        ("0x10 + 010", 24),
        ("(1, 2)", 2),
        ("2147483647 + 1", -(1 << 31)),
        ("-2147483647 - 2", (1 << 31) - 1),
        ("65536 * 65536", 0),
        ("1 << 31", -(1 << 31)),
        ("-8 >> 1", -4),
        ("(char)200", -56),
        ("(unsigned char)200", 200),
        ("(short)40000", -25536),
        ("(uint16_t)-1", 65535),
        ("(bool)7", 1),
        ("-1 < 0u", 0),  # unsigned comparison
        ("-1 < 0l", 1),
        ("(long)-1 < 0u", 1),
        ("-1L < 0ul", 0),
        ("4294967295u == -1", 1),
        ("(0u - 1) / 2 == 2147483647", 1),
        ("(0u - 1) >> 31", 1),
        ("(-1ul >> 60) == 15", 1),
        ("3000000000 > 0", 1),  # a long
        ("0xffffffff > 0", 1),  # unsigned
        ("0x7fffffffffffffff == 9223372036854775807", 1),
        ("true + false", 1),
        ("NULL == 0", 1),
    ],
)
def test_constants(expression: str, value: int) -> None:
    assert one(f"int r = {expression};", "r") == (value,)
    # The same with a variable somewhere, so that nothing is folded.
    late = re.sub(r"(?<![\w.])(\d+)(?!\w)", r"(n + \1)", expression, count=1)
    assert one(f"int n = 0; int r = {late};", "r") == (value,)


def s32(value: int) -> int:
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


@pytest.mark.large
@given(
    st.integers(-(1 << 31), (1 << 31) - 1),
    st.integers(-(1 << 31), (1 << 31) - 1),
    st.sampled_from(["+", "-", "*", "&", "|", "^", "<", "<=", "==", "!=", ">", ">="]),
)
@settings(max_examples=60, deadline=None)
def test_int_wraps(left: int, right: int, op: str) -> None:
    text = f"int a = *x; int b = *y; int r = a {op} b; *y = a {op} b;"
    program = compiled(text, initial=f"int x = {left}; int y = {right}")
    (run,) = runs(program, "sc")
    expected = s32(int(eval(f"{left} {op} {right}")))
    assert run.registers[0]["r"] == expected
    assert run.memory[program.locations[1].address] == expected


@pytest.mark.large
@given(
    st.integers(0, (1 << 32) - 1),
    st.integers(0, (1 << 32) - 1),
    st.sampled_from(["+", "-", "*", "&", "|", "^", "<", ">=", "/", "%", ">>"]),
)
@settings(max_examples=60, deadline=None)
def test_unsigned_wraps(left: int, right: int, op: str) -> None:
    if op in ("/", "%"):
        right = right or 1
    if op == ">>":
        right %= 32
    text = f"unsigned a = *x; unsigned b = *y; unsigned r = a {op} b; *y = r;"
    program = compiled(
        text,
        initial=f"unsigned int x = {left}; unsigned int y = {right}",
        parameters="unsigned *x, unsigned *y",
    )
    (run,) = runs(program, "sc")
    op = "//" if op == "/" else op
    expected = int(eval(f"{left} {op} {right}")) % (1 << 32)
    assert run.registers[0]["r"] == expected
    assert run.memory[program.locations[1].address] == s32(expected)  # memory is signed


@pytest.mark.parametrize(
    ("type_", "start", "end"),
    [
        ("int", (1 << 31) - 1, -(1 << 31)),
        ("unsigned", (1 << 32) - 1, 0),
        ("char", 127, -128),
        ("uint8_t", 255, 0),
        ("long", (1 << 63) - 1, -(1 << 63)),
        ("int16_t", 5, 6),
    ],
)
def test_locations_have_the_width_of_their_type(type_: str, start: int, end: int) -> None:
    for add in ("*x = *x + 1;", "(*x)++;", "*x += 1;", "atomic_fetch_add(x, 1);"):
        program = compiled(
            (
                f"{add} {type_} r = *x; int ok = r == "
                f"({type_}){end if end != -(1 << 63) else '(1ul << 63)'};"
            ),
            initial=f"{type_} x = {start}",
            parameters=f"{type_} *x",
        )
        (run,) = runs(program, "sc")
        assert run.registers[0]["r"] == end
        assert run.registers[0]["ok"] == 1


def test_steps_and_changes() -> None:
    body = "int i = 5; int a = i++; int b = ++i; int c = i--; i += 3; i <<= 1; i ^= 1;"
    assert one(body, "i", "a", "b", "c") == (19, 5, 7, 7)


def test_pointers_count_cells() -> None:
    body = """
  int *p = a + 1; *p = 7; p++; *p = a[1] + 1;
  int r = a[2]; int s = *(2 + a); int t = p == a + 2; int u = *&a[1]; int v = (p - 1)[0];"""
    found = one(body, "r", "s", "t", "u", "v", initial="int a[3]", parameters="int *a")
    assert found == (8, 8, 1, 7, 7)


def test_pointers_in_memory() -> None:
    program = compiled(
        "int *r = atomic_load(p); *r = 3; atomic_store(p, x); int s = *p == x; int t = **p;",
        initial="int x = 1; int y = 2; int *p = &y",
        parameters="_Atomic(int *) *p, int *x, int *y",
        final="exists (p=x /\\ y=3)",
    )
    (run,) = runs(program, "sc")
    addresses = {location.name: location.address for location in program.locations}
    assert run.memory[addresses["y"]] == 3
    assert run.memory[addresses["p"]] == addresses["x"]
    assert values([run], "s", "t") == {(1, 1)}
