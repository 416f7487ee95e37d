"""The objects of a compiled program: names of pointers, and what is wrong with an access."""

from __future__ import annotations

import pytest
from compiled_programs import HERE, cell

from hybrid.program.blocks import CompiledAddresses
from hybrid.program.check import check_program
from hybrid.program.expr import Const
from hybrid.program.instructions import Load
from hybrid.program.origin import (
    BOUNDS,
    FUNCTION,
    GLOBAL,
    HEAP,
    LEAK,
    MIXED_SIZES,
    NULL,
    RELEASED,
    UNSET,
    WILD,
    MemoryBlock,
    Origin,
    cell_address,
)
from hybrid.program.program import Program, Thread
from hybrid.program.values import wrap

CELLS = (
    cell("x", 0x10000, 4),
    cell("n.next", 0x10100, 8),
    cell("n.a", 0x10108, 4),
    cell("n.b", 0x1010C, 4),
)
BLOCKS = (
    MemoryBlock("x", 0x10000, 4, GLOBAL, "q.c:3"),
    MemoryBlock("malloc q.c:30", 0x10100, 16, HEAP, "q.c:30"),
    MemoryBlock("run", 0x20000, 1, FUNCTION),
    MemoryBlock("malloc q.c:31", 0x30000, 0, HEAP, "q.c:31"),
)
BOTH = "n.a is 4 bytes and n.b is 4 bytes"
ADDRESSES = CompiledAddresses(CELLS, BLOCKS, {"q.c:9#2": Origin("q.c", 9, 1, "*p", ())})


@pytest.mark.parametrize(
    ("byte", "size", "kind", "told"),
    [
        (0, 4, NULL, "4 bytes through a null pointer"),
        (8, 1, NULL, "1 byte at offset 8 from a null pointer"),
        (0xFFF, 8, NULL, "8 bytes at offset 4095 from a null pointer"),
        (0x10000, 8, BOUNDS, "8 bytes at offset 0 of x (q.c:3), across its end (4 bytes)"),
        (0x10004, 4, BOUNDS, "4 bytes at offset 4 of x (q.c:3), past its end (4 bytes)"),
        (0xFFFC, 4, BOUNDS, "4 bytes at offset -4 of x (q.c:3), before its beginning (4 bytes)"),
        (0x1010C, 8, BOUNDS, "8 bytes at offset 12 of malloc q.c:30, across its end (16 bytes)"),
        (0x30000, 4, BOUNDS, "4 bytes at offset 0 of malloc q.c:31, past its end (0 bytes)"),
        (0x10000, 2, MIXED_SIZES, "2 bytes at offset 0 of x (q.c:3), where x is 4 bytes"),
        (0x10104, 4, MIXED_SIZES, "4 bytes at offset 4 of malloc q.c:30, where n.next is 8 bytes"),
        (0x10108, 8, MIXED_SIZES, f"8 bytes at offset 8 of malloc q.c:30, where {BOTH}"),
        (0x20000, 4, WILD, "4 bytes at the function run"),
        (0x20004, 4, WILD, "4 bytes at address 0x20004, where no object is"),
        (0x999999, 4, WILD, "4 bytes at address 0x999999, where no object is"),
        (-4, 4, WILD, "4 bytes at address -0x4, where no object is"),
        (UNSET, 8, WILD, "8 bytes through a pointer that is uninitialised"),
        (UNSET + 8, 4, WILD, "4 bytes at offset 8 from a pointer that is uninitialised"),
        (RELEASED, 1, WILD, "1 byte through a pointer that is freed"),
    ],
)  # fmt: skip
def test_stray_accesses(byte: int, size: int, kind: str, told: str) -> None:
    address = wrap(cell_address(byte, size))
    assert (ADDRESSES.stray_kind(address), ADDRESSES.stray(address)) == (kind, told)
    error = ADDRESSES.error("main", "q.c:9#2", address)
    assert error == f"{kind} at q.c:9 in main: access to {told}"


def test_an_object_without_cells_there() -> None:
    addresses = CompiledAddresses(CELLS[:2], BLOCKS, {})
    told = "4 bytes at offset 8 of malloc q.c:30, where there is no cell"
    assert addresses.stray(cell_address(0x10108, 4)) == told


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (0x10000, "&x"),
        (0x10002, "&x+2"),
        (0x10004, "&x+4"),
        (0x10005, None),
        (0x10110, "&(malloc q.c:30)+16"),
        (0x20000, "&run"),
        (0, None),
        (UNSET, "uninitialised"),
        (RELEASED, "freed"),
    ],
)
def test_pointers(value: int, name: str | None) -> None:
    assert ADDRESSES.name_in_cell(CELLS[1].address, value) == name
    assert ADDRESSES.name_in_register(0, "r", value) == name


def test_a_small_cell_holds_no_pointer() -> None:
    assert ADDRESSES.name_in_cell(CELLS[0].address, 0x10000) is None
    assert ADDRESSES.show_in_cell(CELLS[0].address, UNSET) == "uninitialised"


def test_a_run_finds_an_access_that_is_wrong_by_its_text() -> None:
    load = Load(HERE, "q.c:9", "r", Const(HERE, 2), frozenset({"NA"}))
    program = Program("q", CELLS, (Thread(HERE, "main", (load,)),), blocks=BLOCKS)
    check_program(program)


def test_leaks_are_no_faults() -> None:
    origins = {"a": Origin("q.c", 3, 1, "", (), LEAK), "b": Origin("q.c", 4, 1, "", ())}
    program = Program("q", CELLS, (), origins=origins)
    assert program.compiled and program.faults(("a", "b")) == ("b",)
