"""Sizes, alignments and offsets of types."""

from __future__ import annotations

import pytest
from llvm_samples import SAMPLES, read

from hybrid.errors import InputError
from hybrid.frontend.llvm.layout import TypeLayout
from hybrid.frontend.llvm.module import (
    AggregateConst,
    ArrayType,
    IntConst,
    IntType,
    Module,
    NamedType,
    OtherType,
    PointerType,
    StructType,
    Type,
    VoidType,
)

I8, I16, I32, I64 = (IntType(bits) for bits in (8, 16, 32, 64))
EMPTY = TypeLayout(Module("", {}, {}, {}, {}))


@pytest.mark.parametrize(
    ("kind", "size", "alignment", "stride"),
    [
        (IntType(1), 1, 1, 1),
        (I8, 1, 1, 1),
        (I16, 2, 2, 2),
        (IntType(24), 3, 4, 4),
        (I32, 4, 4, 4),
        (IntType(33), 5, 8, 8),
        (I64, 8, 8, 8),
        (IntType(128), 16, 16, 16),
        (PointerType(), 8, 8, 8),
        (ArrayType(3, I16), 6, 2, 6),
        (ArrayType(0, I64), 0, 8, 0),
        (StructType(()), 0, 1, 0),
        (StructType((I8, I32)), 8, 4, 8),
        (StructType((I32, I8)), 8, 4, 8),
        (StructType((I8, I32), packed=True), 5, 1, 5),
        (ArrayType(2, StructType((I64, I8))), 32, 8, 32),
        (OtherType("float"), 4, 4, 4),
        (OtherType("double"), 8, 8, 8),
        (OtherType("x86_fp80"), 10, 16, 16),
        (OtherType("<4 x i32>"), 16, 16, 16),
        (OtherType("<3 x float>"), 12, 16, 16),
        (OtherType("<8 x i1>"), 1, 1, 1),
        (OtherType("<2 x ptr>"), 16, 16, 16),
        (OtherType("i192"), 24, 16, 32),
    ],
)
def test_sizes(kind: Type, size: int, alignment: int, stride: int) -> None:
    assert EMPTY.size(kind) == size
    assert EMPTY.alignment(kind) == alignment
    assert EMPTY.stride(kind) == stride


# Of sizes.c: a struct, then its size is first; then the fields of which the offset follows.
ASKED: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("struct.A", (1, 2, 3)),
    ("struct.B", (1, 2)),
    ("struct.C", (1, 2)),
    ("struct.D", (1, 2, 3, 4)),
    ("struct.E", (1, 2)),
    ("struct.G", (1, 3)),
    ("struct.H", (1,)),
)


def test_as_clang_has_them() -> None:
    module = read(SAMPLES["sizes.22"])
    layout = TypeLayout(module)
    found: list[int] = []
    for name, fields in ASKED:
        found.append(layout.stride(NamedType(name)))
        found += [layout.offset(NamedType(name), field) for field in fields]
    initial = module.globals["sizes"].initial
    assert isinstance(initial, AggregateConst)
    clang = [each.value.value for each in initial.elements if isinstance(each.value, IntConst)]
    assert found == clang


def test_offsets() -> None:
    layout = TypeLayout(read("%t = type { i8, [3 x i32], i64 }\n%u = type %t"))
    assert [layout.offset(NamedType("u"), index) for index in range(3)] == [0, 4, 16]
    assert layout.offset(ArrayType(4, I32), 3) == 12
    assert layout.resolve(NamedType("u")) == layout.resolve(NamedType("t"))


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (VoidType(), "void has no size"),
        (NamedType("o"), "the type %o is opaque: it is not known what it contains"),
        (OtherType("token"), "the type token has no size"),
        (OtherType("<vscale x 4 x i32>"), "the type <vscale x 4 x i32> has no size"),
    ],
)
def test_types_without_a_size(kind: Type, message: str) -> None:
    with pytest.raises(InputError) as error:
        EMPTY.size(kind)
    assert error.value.message == message


def test_fields_that_are_not_there() -> None:
    for kind, index in ((StructType((I8,)), 1), (StructType((I8,)), -1), (I8, 0)):
        with pytest.raises(InputError, match="has no field"):
            EMPTY.offset(kind, index)


@pytest.mark.parametrize(
    "types",
    [
        {"a": StructType((I8, NamedType("a")), name="a")},
        {"a": ArrayType(2, NamedType("b")), "b": StructType((NamedType("a"),), name="b")},
        {"a": NamedType("b"), "b": NamedType("a")},
    ],
)
def test_types_that_contain_themselves(types: dict[str, Type]) -> None:
    layout = TypeLayout(Module("", types, {}, {}, {}))
    for _ in range(2):
        with pytest.raises(InputError, match="itself"):
            layout.size(NamedType("a"))
