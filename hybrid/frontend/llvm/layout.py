"""How many bytes the types of a module take, and where their parts stand, on 64-bit x86 under
Linux."""

from __future__ import annotations

import re
from functools import cache

from hybrid.errors import InputError
from hybrid.frontend.llvm.module import (
    ArrayType,
    IntType,
    Module,
    NamedType,
    OtherType,
    PointerType,
    StructType,
    Type,
)
from hybrid.frontend.llvm.read_types import shown_type

DEEPEST = 128  # types inside one another
_OTHERS = {  # size and alignment
    "half": (2, 2),
    "bfloat": (2, 2),
    "float": (4, 4),
    "double": (8, 8),
    "x86_fp80": (10, 16),
    "fp128": (16, 16),
    "ppc_fp128": (16, 16),
    "x86_mmx": (8, 8),
}
_VECTOR = re.compile(r"<([0-9]+) x ([\w]+)>", re.ASCII)
_WIDE = re.compile(r"i([0-9]+)", re.ASCII)
_ALIGNED = 16  # the alignment of wide integers
_POINTER = (8, 8)  # size and alignment


def _up(number: int, to: int) -> int:
    """The next multiple of `to`."""
    return -(-number // to) * to


def _power(number: int) -> int:
    """The next power of two."""
    return 1 << max(0, number - 1).bit_length()


@cache
def _integer(bits: int) -> tuple[int, int]:
    """The size and alignment of an integer."""
    size = (bits + 7) // 8
    return size, min(_power(size), _ALIGNED)


class TypeLayout:
    """The sizes, alignments and offsets of the types of a module, in bytes."""

    def __init__(self, module: Module) -> None:
        self._types = module.types
        self._known: dict[Type, tuple[int, int]] = {}
        self._offsets: dict[Type, tuple[int, ...]] = {}
        self._depth = 0

    def resolve(self, kind: Type) -> Type:
        """What a named type stands for."""
        for _ in range(DEEPEST):
            if not isinstance(kind, NamedType):
                return kind
            meant = self._types.get(kind.name)
            if meant is None:
                raise InputError(
                    f"the type %{kind.name} is opaque: it is not known what it contains"
                )
            kind = meant
        raise InputError(f"the type {shown_type(kind)} stands for itself")

    def size(self, kind: Type) -> int:
        """The bytes that a value takes when it is stored."""
        return self._measure(kind)[0]

    def alignment(self, kind: Type) -> int:
        return self._measure(kind)[1]

    def stride(self, kind: Type) -> int:
        """The bytes from one value to the next in an array, and of a variable."""
        size, alignment = self._measure(kind)
        return _up(size, alignment)

    def offset(self, kind: Type, index: int) -> int:
        """Where field `index` of a struct, or element `index` of an array, begins."""
        meant = self.resolve(kind)
        if isinstance(meant, ArrayType):
            return index * self.stride(meant.element)
        if not isinstance(meant, StructType):
            raise InputError(f"{shown_type(meant)} has no fields")
        if not 0 <= index < len(meant.fields):
            raise InputError(f"{shown_type(meant)} has no field {index}")
        self._measure(meant)
        return self._offsets[meant][index]

    def _measure(self, kind: Type) -> tuple[int, int]:
        """Size and alignment."""
        if isinstance(kind, PointerType):  # by far the most, with integers
            return _POINTER
        if isinstance(kind, IntType):
            return _integer(kind.bits)
        known = self._known.get(kind)
        if known is not None:
            return known
        self._depth += 1
        try:
            if self._depth > DEEPEST:
                raise InputError(f"the type {shown_type(kind)} contains itself or is too deep")
            found = self._measured(self.resolve(kind))
        finally:
            self._depth -= 1
        self._known[kind] = found
        return found

    def _measured(self, kind: Type) -> tuple[int, int]:
        match kind:
            case IntType(bits):
                return _integer(bits)
            case PointerType():
                return _POINTER
            case ArrayType(count, element):
                return count * self.stride(element), self.alignment(element)
            case StructType():
                return self._struct(kind)
            case OtherType(name):
                return self._other(name)
        raise InputError(f"{shown_type(kind)} has no size")

    def _struct(self, kind: StructType) -> tuple[int, int]:
        at, widest = 0, 1
        offsets: list[int] = []
        for field in kind.fields:
            alignment = 1 if kind.packed else self.alignment(field)
            at = _up(at, alignment)
            offsets.append(at)
            at += self.stride(field)
            widest = max(widest, alignment)
        self._offsets[kind] = tuple(offsets)
        return _up(at, widest), widest

    def _other(self, name: str) -> tuple[int, int]:
        if name in _OTHERS:
            return _OTHERS[name]
        if found := _WIDE.fullmatch(name):
            return (int(found[1]) + 7) // 8, _ALIGNED
        if found := _VECTOR.fullmatch(name):
            count, element = int(found[1]), found[2]
            wide = _WIDE.fullmatch(element)
            bits = 64 if element == "ptr" else int(wide[1]) if wide else self._other(element)[0] * 8
            size = (count * bits + 7) // 8
            return size, _power(size)
        raise InputError(f"the type {name} has no size")
