"""Instructions on memory, and the places behind instructions, read from tokens."""

from __future__ import annotations

from hybrid.frontend.llvm.module import (
    Alloca,
    AtomicRmw,
    Cmpxchg,
    DebugPlace,
    FenceInst,
    FunctionType,
    Gep,
    IntType,
    LoadInst,
    OtherType,
    StoreInst,
    Type,
    VoidType,
)
from hybrid.frontend.llvm.read_attributes import skip_to_type
from hybrid.frontend.llvm.read_types import read_type, shown_type
from hybrid.frontend.llvm.read_values import (
    gep_operands,
    read_operand,
    read_pointer,
    skip_metadata,
)
from hybrid.frontend.llvm.scan import TokenCursor, words

ORDERS = words("unordered monotonic acquire release acq_rel seq_cst")
_LOADS = ORDERS - {"release", "acq_rel"}
_STORES = ORDERS - {"acquire", "acq_rel"}
_RMW_ORDERS = ORDERS - {"unordered"}
_FENCES = words("acquire release acq_rel seq_cst")
_RMW = words(
    "xchg add sub and nand or xor max min umax umin fadd fsub fmax fmin fmaximum fminimum "
    "fmaximumnum fminimumnum uinc_wrap udec_wrap usub_cond usub_sat"
)


def read_place(c: TokenCursor) -> DebugPlace | None:
    """Past what may stand behind an instruction: `, align 8, !dbg !12, !tbaa !3`."""
    tokens = c.tokens
    place: DebugPlace | None = None
    while tokens[c.at] == ",":
        word = tokens[c.at + 1]
        if word == "!dbg":
            c.at += 2
            place = c.debug.place(skip_metadata(c))
        elif word[:1] == "!":
            c.at += 2
            if tokens[c.at][:1] != "!":
                c.fail_expected("metadata")
            skip_metadata(c)
        elif word == "align":
            c.at += 2
            c.number("an alignment")
        elif word == "addrspace" and tokens[c.at + 2] == "(":
            c.at += 2
            c.skip_group()
        else:
            c.at += 1
            c.fail_expected("`align` or metadata")
    return place


def value_type(c: TokenCursor) -> Type:
    """The type of a value in a register or in memory."""
    at = c.at
    kind = read_type(c)
    if isinstance(kind, VoidType | FunctionType) or kind == OtherType("label"):
        c.fail(f"{shown_type(kind)} is no type of a value", at)
    return kind


def _scope(c: TokenCursor) -> bool:
    """Past `syncscope("…")`; whether the scope is one thread."""
    if not c.accept("syncscope"):
        return False
    c.expect("(")
    scope = c.string("the name of a scope")
    c.expect(")")
    return scope == "singlethread"


def _order(c: TokenCursor, allowed: frozenset[str]) -> str:
    token = c.tokens[c.at]
    if token not in ORDERS:
        c.fail_expected("a memory order")
    if token not in allowed:
        c.fail(f"{token} is no order of this instruction")
    c.at += 1
    return token


def read_alloca(c: TokenCursor, result: str) -> Alloca:
    while c.tokens[c.at] in ("inalloca", "swifterror"):
        c.at += 1
    kind = value_type(c)
    count = None
    if c.tokens[c.at] == "," and not _ends_here(c.tokens[c.at + 1]):
        c.at += 1
        at = c.at
        count = read_operand(c)
        if not isinstance(c.resolve(count.type), IntType):
            c.fail("the number of elements is no integer", at)
    return Alloca(result, kind, count, read_place(c))


def _ends_here(token: str) -> bool:
    return token in ("align", "addrspace") or token[:1] == "!"


def read_load(c: TokenCursor, result: str) -> LoadInst:
    atomic = c.accept("atomic")
    volatile = c.accept("volatile")
    kind = value_type(c)
    c.expect(",")
    pointer = read_pointer(c)
    order = ""
    if atomic:
        _scope(c)
        order = _order(c, _LOADS)
    return LoadInst(result, kind, pointer, order, volatile, read_place(c))


def read_store(c: TokenCursor, _result: str) -> StoreInst:
    atomic = c.accept("atomic")
    volatile = c.accept("volatile")
    value = read_operand(c)
    c.expect(",")
    pointer = read_pointer(c)
    order = ""
    if atomic:
        _scope(c)
        order = _order(c, _STORES)
    return StoreInst(value, pointer, order, volatile, read_place(c))


def read_cmpxchg(c: TokenCursor, result: str) -> Cmpxchg:
    weak = c.accept("weak")
    c.accept("volatile")
    pointer = read_pointer(c)
    c.expect(",")
    expected = read_operand(c)
    c.expect(",")
    at = c.at
    new = read_operand(c)
    if new.type != expected.type:
        c.fail(f"{shown_type(expected.type)} is expected here, not {shown_type(new.type)}", at)
    _scope(c)
    success = _order(c, _RMW_ORDERS)
    failure = _order(c, _LOADS)
    return Cmpxchg(result, pointer, expected, new, success, failure, weak, read_place(c))


def read_atomicrmw(c: TokenCursor, result: str) -> AtomicRmw:
    c.accept("volatile")
    op = c.tokens[c.at]
    if op not in _RMW:
        c.fail_expected("what atomicrmw does, such as add or xchg")
    c.at += 1
    pointer = read_pointer(c)
    c.expect(",")
    value = read_operand(c)
    _scope(c)
    order = _order(c, _RMW_ORDERS)
    return AtomicRmw(result, op, pointer, value, order, read_place(c))


def read_fence(c: TokenCursor, _result: str) -> FenceInst:
    single = _scope(c)
    order = _order(c, _FENCES)
    return FenceInst(order, single, read_place(c))


def read_gep(c: TokenCursor, result: str) -> Gep:
    skip_to_type(c)
    made = gep_operands(c, result)
    place = read_place(c)
    return Gep(result, made.type, made.pointer, made.indices, place)
