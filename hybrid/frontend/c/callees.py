"""Which functions a pointer that is not known may call.

A function is called through such a pointer only if its address got into memory. Addresses in
constant tables (virtual functions, structs of operations) count only if the address of the table
did; and where a call reads the pointer at a fixed place of a table, only those at this place.
"""

from __future__ import annotations

from hybrid.frontend.c import private
from hybrid.frontend.c.operands import scalar
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import Scalar, binary, compare
from hybrid.frontend.llvm import module as ll
from hybrid.program.origin import FUNCTION, WILD


def candidates(t: CThread, call: ll.CallInst) -> list[int]:
    """The addresses of the functions that a call may mean."""
    world = t.world
    found = {
        address
        for address, function in world.functions.items()
        if function.name in world.learnt.taken
    }
    for place in _places(t, call.callee):
        value = private.read(world.image, place, 8, zeroed=True)
        if isinstance(value, int) and value in world.functions:
            found.add(value)
    count = len(call.arguments)
    return sorted(each for each in found if len(world.functions[each].parameters) == count)


def _places(t: CThread, callee: ll.Value) -> list[int]:
    """Where in constant tables the pointer may come from."""
    world = t.world
    load = _definition(t, callee)
    if isinstance(load, ll.LoadInst):
        source = _definition(t, load.pointer.value)
        if isinstance(source, ll.LoadInst):
            return sorted(world.learnt.tables)
        if isinstance(source, ll.Gep):
            offset = _offset(t, source)
            if isinstance(_definition(t, source.pointer.value), ll.LoadInst) and offset is not None:
                return sorted(table + offset for table in world.learnt.tables)
            base = scalar(t, source.pointer)
            if isinstance(base, int):
                return _whole(t, base)
    return [place for table in sorted(world.learnt.tables) for place in _whole(t, table)]


def _definition(t: CThread, value: ll.Value) -> ll.LlvmInstruction | None:
    """The instruction of the function that makes a value."""
    if not isinstance(value, ll.Local):
        return None
    for block in t.state.top.flow.function.blocks.values():
        for each in block:
            if getattr(each, "result", "") == value.name:
                return each
    return None


def _offset(t: CThread, gep: ll.Gep) -> int | None:
    """By how much a pointer is moved, where the code says it."""
    layout = t.world.layout
    numbers = [each.value.value for each in gep.indices if isinstance(each.value, ll.IntConst)]
    if len(numbers) != len(gep.indices) or not numbers:
        return None
    kind = gep.type
    found = numbers[0] * layout.stride(kind)
    for number in numbers[1:]:
        resolved = layout.resolve(kind)
        if isinstance(resolved, ll.StructType):
            found += layout.offset(resolved, number)
            kind = resolved.fields[number]
        elif isinstance(resolved, ll.ArrayType):
            found += number * layout.stride(resolved.element)
            kind = resolved.element
    return found


def _whole(t: CThread, address: int) -> list[int]:
    table = t.world.space.find(address)
    if table is None or table.kind == FUNCTION or not table.constant:
        return []
    return list(range(table.address, table.end, 8))


def no_candidate(t: CThread, callee: Scalar) -> None:
    """A call of none of them. If it is a function after all, its address was not followed."""
    addresses = sorted(t.world.functions)
    if t.state.top.choice[-1:] == ("missed",):
        t.cut("a call of a function whose address was not followed")
    if t.state.top.choice[-1:] != ("wild",):
        inside = binary(
            "&",
            compare("sge", callee, addresses[0], 64),
            compare("sle", callee, addresses[-1], 64),
        )
        t.fork(inside, "missed", "wild")
        return
    t.fail(WILD, "a call through a pointer that is not the address of a function")
