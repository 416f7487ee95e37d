"""memcpy, memset and their like: bytes that are moved field by field, and texts."""

from __future__ import annotations

from hybrid.frontend.c import access, private
from hybrid.frontend.c.space import CObject
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import (
    Aggregate,
    LlvmValue,
    Scalar,
    Unset,
    binary,
    compare,
    unsigned,
    wrapped,
)
from hybrid.frontend.llvm import module as ll

_MOST = 1 << 20  # bytes that are moved at once
_WORD = 8


def copy(t: CThread, target: Scalar, source: Scalar, size: Scalar, type: ll.Type | None) -> None:
    """Copies bytes, in the pieces that the source or the target is made of."""
    count = _known(t, size)
    values: list[tuple[int, int, LlvmValue]] = []
    for offset, length in fields(t, target, source, count, type):
        value = access.load_cell(t, binary("+", source, offset), length, checked=False)
        values.append((offset, length, value))
    for offset, length, value in values:
        pointer = binary("+", target, offset)
        if isinstance(value, Unset) and access.own_object(t, pointer, length) is not None:
            assert isinstance(pointer, int)
            private.clear(t.state.memory, pointer, length)
            continue
        access.store_cell(t, pointer, length, value)


def fill(t: CThread, target: Scalar, byte: Scalar, size: Scalar) -> None:
    """Sets bytes to a value."""
    count = _known(t, size, "memset")
    low = unsigned(byte, 8)
    for offset, length in fields(t, target, target, count, None):
        pattern = wrapped(binary("*", low, int.from_bytes(b"\1" * length, "little")), 8 * length)
        access.store_cell(t, binary("+", target, offset), length, pattern)


def difference(t: CThread, one: Scalar, other: Scalar, size: int) -> Scalar:
    """Less than 0, 0 or more, as the first bytes that differ are; all of them are read."""
    pairs: list[tuple[Scalar, Scalar]] = []
    for offset, length in fields(t, one, other, size, None):
        cells = []
        for pointer in (one, other):
            value = access.load_cell(t, binary("+", pointer, offset), length)
            assert not isinstance(value, Aggregate)
            cells.append(0 if isinstance(value, Unset) else value)
        for at in range(length):
            parts = [unsigned(binary(">>", cell, 8 * at), 8) for cell in cells]
            pairs.append((parts[0], parts[1]))
    found: Scalar = 0
    for left, right in reversed(pairs):
        first = binary("-", left, right)
        same = compare("eq", left, right, 64)
        settled = t.settle(binary("+", first, binary("*", same, found)))
        assert not isinstance(settled, Unset | Aggregate)
        found = settled
    return found


def _known(t: CThread, size: Scalar, what: str = "a copy") -> int:
    if not isinstance(size, int):
        raise t.refuse(f"{what} of a size that depends on what memory holds")
    if not 0 <= size <= _MOST:
        raise t.refuse(f"a copy of {size} bytes")
    return size


def fields(
    t: CThread, target: Scalar, source: Scalar, size: int, type: ll.Type | None
) -> list[tuple[int, int]]:
    """Into which pieces so many bytes are to be divided: (offset, size) of each. Those that memory
    has already come first, then those that types say."""
    both = _both(t, target, source, size)
    shaped = _by_type(t, both, size, type)
    pieces: list[tuple[int, int]] = []
    for pointer in both:
        pieces = _present(t, pointer, size)
        if pieces:
            break
    found = _completed(pieces, size, shaped)
    for pointer in both:
        thing = _object(t, pointer, size)
        if thing is not None and isinstance(pointer, int):
            at = pointer - thing.address
            sure = {*pieces, *shaped}
            guessed = {(thing.key, at + each[0], each[1]) for each in found if each not in sure}
            t.world.guessed |= guessed
    return found


def _present(t: CThread, pointer: Scalar, size: int) -> list[tuple[int, int]]:
    """The pieces that memory has there."""
    found = _object(t, pointer, size)
    if found is None:
        return []
    assert isinstance(pointer, int)
    if access.own_object(t, pointer, size) is not None:
        inside = private.pieces_in(t.state.memory, pointer, size)
        return [(offset, length) for offset, length, _ in inside]
    shift = (pointer - found.address) % found.stride
    return [
        (at - shift, length)
        for at, length in t.world.learnt.cells.get(found.key, ())
        if shift <= at and at + length <= shift + size
    ]


def _both(t: CThread, target: Scalar, source: Scalar, size: int) -> tuple[Scalar, Scalar]:
    """The source and the target, the one that says more about the pieces first. A constant can be
    read in any pieces; that of a struct with bit fields has them byte by byte."""
    found = _object(t, source, size)
    return (target, source) if found is not None and found.constant else (source, target)


def _by_type(
    t: CThread, both: tuple[Scalar, Scalar], size: int, type: ll.Type | None
) -> list[tuple[int, int]]:
    """The pieces that the type says, or that of an object, or of a struct of that size."""
    if type is not None:
        return leaves(t, type)
    for pointer in both:
        found = _object(t, pointer, size)
        if found is not None and found.type is not None:
            assert isinstance(pointer, int)
            shift = (pointer - found.address) % found.stride
            inside = [
                (at - shift, n) for at, n in leaves(t, found.type) if shift <= at < shift + size
            ]
            if inside:
                return inside
    shaped = [each for each in t.world.module.types.values() if _has_size(t, each, size)]
    layouts = {tuple(leaves(t, each)) for each in shaped}
    return list(layouts.pop()) if len(layouts) == 1 else []


def _object(t: CThread, pointer: Scalar, size: int) -> CObject | None:
    return t.world.space.holding(pointer, size) if isinstance(pointer, int) else None


def _has_size(t: CThread, type: ll.Type, size: int) -> bool:
    resolved = t.world.layout.resolve(type)
    return isinstance(resolved, ll.StructType) and t.world.layout.stride(resolved) == size


def _completed(
    pieces: list[tuple[int, int]], size: int, others: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """With others where they fit in between, and then with pieces as large as they can be."""
    taken = {at for offset, length in pieces for at in range(offset, offset + length)}
    for offset, length in others:
        place = range(offset, offset + length)
        if offset + length <= size and taken.isdisjoint(place):
            pieces = [*pieces, (offset, length)]
            taken.update(place)
    found: list[tuple[int, int]] = []
    at = 0
    for offset, length in [*sorted(pieces), (size, 0)]:
        while at < offset:
            step = _WORD
            while step > 1 and (at % step or at + step > offset):
                step //= 2
            found.append((at, step))
            at += step
        if length:
            found.append((offset, length))
        at = max(at, offset + length)
    return found


def leaves(t: CThread, type: ll.Type, base: int = 0) -> list[tuple[int, int]]:
    """The numbers and pointers that a type is made of: (offset, size) of each."""
    resolved = t.world.layout.resolve(type)
    if isinstance(resolved, ll.StructType | ll.ArrayType):
        return [
            leaf
            for offset, kind in access.parts(t, resolved)
            for leaf in leaves(t, kind, base + offset)
        ]
    return [(base, t.world.layout.size(type))]


def text_at(t: CThread, pointer: Scalar, most: int = 4096) -> str | None:
    """The text that a pointer points to, where it is known."""
    found = text_bytes(t, pointer, most)
    return None if found is None else found.decode("utf-8", "replace")


def text_bytes(t: CThread, pointer: Scalar, most: int) -> bytes | None:
    """The bytes of a text, so many at most, where they are known."""
    data = bytearray()
    for at in range(most):
        byte = _known_byte(t, pointer, at)
        if byte is None:
            return None
        if byte == 0:
            break
        data.append(byte)
    return bytes(data)


def known_bytes(t: CThread, pointer: Scalar, size: int) -> bytes | None:
    """So many bytes, where they are known."""
    found = [_known_byte(t, pointer, at) for at in range(size)]
    return None if None in found else bytes(each for each in found if each is not None)


def _known_byte(t: CThread, pointer: Scalar, at: int) -> int | None:
    if not isinstance(pointer, int):
        return None
    found = t.world.space.holding(pointer + at, 1)
    if found is None:
        return None
    memory = t.state.memory
    if t.state.shares and not t.world.is_private(found, t.key):
        if not found.constant and t.world.is_written(found, pointer + at, 1):
            return None
        memory = t.world.image
    value = private.read(memory, pointer + at, 1, found.zeroed)
    return value & 255 if isinstance(value, int) else None
