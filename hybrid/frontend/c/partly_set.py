"""Loads that are right though what they read was never written, or only in part: of a struct that
is read as one number, to be passed or copied, and of the bits around a bit field that is set.
"""

from __future__ import annotations

from hybrid.frontend.c import private
from hybrid.frontend.c.flow import Flow
from hybrid.frontend.c.operands import scalar
from hybrid.frontend.c.space import CObject
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import LlvmValue
from hybrid.frontend.llvm import module as ll
from hybrid.frontend.llvm.layout import TypeLayout

_BITWISE = ("and", "or")
_MOST_STEPS = 8  # from the load to the store


def is_part_of_struct(t: CThread, found: CObject, pointer: int, size: int) -> bool:
    """Whether so many bytes are in a struct and are not one of its fields: what is not set in them
    counts as 0, as padding does."""
    layout = t.world.layout
    offset = (pointer - found.address) % found.stride if found.stride else 0
    if found.type is not None:
        return _is_part(layout, found.type, offset, size, False)
    shapes = [(at, type) for at, type in found.shapes if _is_struct(layout, type)]
    if not shapes:
        return _is_padded(private.pieces_in(t.state.memory, pointer, size), size)
    return any(
        _is_part(layout, type, (offset - at) % max(1, layout.stride(type)), size, False)
        for at, type in shapes
        if at <= offset
    )


def _is_padded(pieces: list[tuple[int, int, LlvmValue]], size: int) -> bool:
    """Of an object whose type is not known: whether the bytes that are not set are such as a
    compiler leaves, to put the next field, or the next struct, where its size divides the
    offset."""
    end = 0
    for offset, length, _ in [*pieces, (size, max(length for _, length, _ in pieces), 0)]:
        if offset != -(-end // length) * length:
            return False
        end = offset + length
    return True


def _is_part(layout: TypeLayout, type: ll.Type, offset: int, size: int, inside: bool) -> bool:
    """The same of bytes in a type. `inside`: the type is part of a struct."""
    resolved = layout.resolve(type)
    if isinstance(resolved, ll.ArrayType):
        stride = layout.stride(resolved.element)
        if not stride:
            return inside
        if offset % stride + size > stride:
            return inside
        return _is_part(layout, resolved.element, offset % stride, size, inside)
    if not isinstance(resolved, ll.StructType):
        return inside and (offset, size) != (0, layout.size(resolved))
    for at, kind in enumerate(resolved.fields):
        start = layout.offset(resolved, at)
        if start <= offset and offset + size <= start + layout.size(kind):
            return _is_part(layout, kind, offset - start, size, True)
    return True


def sets_bits(t: CThread, each: ll.LoadInst) -> bool:
    """Whether a load is of the bits that stay as they are when a bit field is set: they are masked,
    joined with others and stored again, and not used for anything else."""
    if each.order or not _is_stored_again(t.state.top.flow, each):
        return False
    pointer = scalar(t, each.pointer)
    found = t.world.space.find(pointer) if isinstance(pointer, int) else None
    return found is None or _may_be_struct(t.world.layout, found)


def _may_be_struct(layout: TypeLayout, found: CObject) -> bool:
    types = [found.type] if found.type is not None else [type for _, type in found.shapes]
    return not types or any(_is_struct(layout, type) for type in types)


def _is_struct(layout: TypeLayout, type: ll.Type) -> bool:
    """Whether a type is a struct, or an array of them."""
    resolved = layout.resolve(type)
    while isinstance(resolved, ll.ArrayType):
        resolved = layout.resolve(resolved.element)
    return isinstance(resolved, ll.StructType)


def _is_stored_again(flow: Flow, each: ll.LoadInst) -> bool:
    name, masked = each.result, False
    for _ in range(_MOST_STEPS):
        users = flow.users.get(name, [])
        if len(users) != 1:
            return False
        (user,) = users
        if isinstance(user, ll.StoreInst):
            same = user.value.value == ll.Local(name) and user.pointer == each.pointer
            return same and masked and user.order == ""
        if not isinstance(user, ll.BinaryInst) or user.op not in _BITWISE:
            return False
        masked |= user.op == "and" and isinstance(user.right.value, ll.IntConst)
        name = user.result
    return False
