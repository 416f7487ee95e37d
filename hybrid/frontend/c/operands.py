"""What the operands of LLVM's instructions are worth, and the instructions that only compute."""

from __future__ import annotations

from typing import assert_never

from hybrid.errors import InternalError
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import (
    SPAN,
    UNSET_VALUE,
    Aggregate,
    LlvmValue,
    Scalar,
    Unset,
    as_expr,
    binary,
    cast,
    compare,
    llvm_binary,
    register,
    wrapped,
)
from hybrid.frontend.llvm import module as ll
from hybrid.program import instructions as ins
from hybrid.program.origin import DIVISION


def operand(t: CThread, each: ll.Operand) -> LlvmValue:
    return evaluate(t, each.value, each.type)


def scalar(t: CThread, each: ll.Operand) -> Scalar:
    """The value of an operand that is a number or a pointer. What was never set counts as 0: where
    it was read, that has been said."""
    value = evaluate(t, each.value, each.type)
    if isinstance(value, Unset):
        return 0
    if isinstance(value, Aggregate):
        raise t.refuse("a struct or an array where a number belongs")
    return value


def evaluate(t: CThread, value: ll.Value, type: ll.Type) -> LlvmValue:
    if isinstance(value, ll.Local):
        found = t.state.top.locals.get(value.name)
        if found is None:
            raise InternalError(f"%{value.name} has no value where it is used")
        return found
    if isinstance(value, ll.IntConst):
        return wrapped(value.value, bits_of(t, type))
    if isinstance(value, ll.NullConst):
        return zero(t, type)
    if isinstance(value, ll.UndefConst):
        return UNSET_VALUE
    if isinstance(value, ll.GlobalName):
        return t.world.address_of(value.name, t.key)
    if isinstance(value, ll.ConstExpr):
        each = value.instruction
        if isinstance(each, ll.SelectInst):
            return select(t, each)
        return pure(t, each)
    if isinstance(value, ll.AggregateConst):
        return Aggregate(tuple(operand(t, each) for each in value.elements))
    if isinstance(value, ll.BytesConst):
        return Aggregate(tuple(wrapped(byte, 8) for byte in value.data))
    if isinstance(value, ll.OtherConst):
        raise t.refuse(f"{_kind_of(type)}the constant {value.text}")
    if isinstance(value, ll.InlineAsm):
        raise t.refuse("the address of inline assembly")
    assert_never(value)


def zero(t: CThread, type: ll.Type) -> LlvmValue:
    resolved = t.world.layout.resolve(type)
    if isinstance(resolved, ll.StructType):
        return Aggregate(tuple(zero(t, each) for each in resolved.fields))
    if isinstance(resolved, ll.ArrayType):
        return Aggregate((zero(t, resolved.element),) * resolved.count)
    return 0


def bits_of(t: CThread, type: ll.Type) -> int:
    """How many bits a number or a pointer has."""
    resolved = t.world.layout.resolve(type)
    if isinstance(resolved, ll.PointerType):
        return 64
    if isinstance(resolved, ll.IntType):
        if resolved.bits > 64:
            also = " (or an atomic access of 16 bytes)" if resolved.bits == 128 else ""
            raise t.refuse(f"an integer of {resolved.bits} bits{also}")
        return resolved.bits
    raise t.refuse(f"{_kind_of(resolved)}a value of type {type_name(resolved)}")


_FLOATS = frozenset({"half", "bfloat", "float", "double", "x86_fp80", "fp128"})
_OF_FLOATS = frozenset(
    {"fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "fcmp", "fptrunc", "fpext"}
    | {"fptoui", "fptosi", "uitofp", "sitofp"}
)


def _kind_of(type: ll.Type) -> str:
    return "floating point: " if isinstance(type, ll.OtherType) and type.name in _FLOATS else ""


def instruction_name(opcode: str) -> str:
    """What to say of an instruction that is not taken."""
    what = "floating point: " if opcode in _OF_FLOATS else ""
    return f"{what}the instruction {opcode}"


def type_name(type: ll.Type) -> str:
    if isinstance(type, ll.OtherType):
        return type.name
    if isinstance(type, ll.StructType):
        return type.name or "struct"
    return "array" if isinstance(type, ll.ArrayType) else str(type)


def pure(t: CThread, each: ll.Gep | ll.BinaryInst | ll.CompareInst | ll.Cast) -> LlvmValue:
    if isinstance(each, ll.Gep):
        return _element(t, each)
    if isinstance(each, ll.BinaryInst):
        bits = bits_of(t, each.left.type)
        left, right = scalar(t, each.left), scalar(t, each.right)
        if each.op not in _KNOWN:
            raise t.refuse(instruction_name(each.op))
        if each.op in _DIVISIONS:
            t.check(compare("ne", right, 0, bits), DIVISION, t.world.captions.text(t.at))
        return llvm_binary(each.op, left, right, bits)
    if isinstance(each, ll.CompareInst):
        bits = bits_of(t, each.left.type)
        return compare(each.predicate, scalar(t, each.left), scalar(t, each.right), bits)
    if isinstance(each, ll.Cast):
        if each.op == "freeze":
            return operand(t, each.operand)
        if each.op == "bitcast" and not isinstance(
            t.world.layout.resolve(each.type), ll.IntType | ll.PointerType
        ):
            raise t.refuse(f"a bitcast to {type_name(t.world.layout.resolve(each.type))}")
        source, target = bits_of(t, each.operand.type), bits_of(t, each.type)
        value = scalar(t, each.operand)
        if each.op in ("trunc", "zext", "sext"):
            return cast(each.op, value, source, target)
        if each.op in ("ptrtoint", "ptrtoaddr"):
            return wrapped(value, target)
        if each.op == "inttoptr":
            return cast("zext", value, source, 64)
        if each.op in ("bitcast", "addrspacecast"):
            return value
        raise t.refuse(instruction_name(each.op))
    assert_never(each)


_DIVISIONS = frozenset({"udiv", "sdiv", "urem", "srem"})
_KNOWN = _DIVISIONS | {"add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor"}


def _element(t: CThread, each: ll.Gep) -> Scalar:
    """The address of an element."""
    layout = t.world.layout
    address = scalar(t, each.pointer)
    if isinstance(address, int):
        found = t.world.space.find(address)
        if found is not None:
            found.shapes.add((address - found.address, each.type))
    kind = each.type
    for place, index in enumerate(each.indices):
        number = scalar(t, index)
        if place == 0:
            address = binary("+", address, binary("*", number, layout.stride(kind)))
            continue
        resolved = layout.resolve(kind)
        if isinstance(resolved, ll.StructType):
            assert isinstance(number, int)
            address = binary("+", address, layout.offset(resolved, number))
            kind = resolved.fields[number]
        elif isinstance(resolved, ll.ArrayType):
            address = binary("+", address, binary("*", number, layout.stride(resolved.element)))
            kind = resolved.element
        else:
            raise t.refuse(f"an element of {type_name(resolved)}")
    return address


def select(t: CThread, each: ll.SelectInst) -> LlvmValue:
    condition = scalar(t, each.condition)
    if isinstance(condition, int):
        return operand(t, each.yes if condition else each.no)
    yes, no = scalar(t, each.yes), scalar(t, each.no)
    if yes == no:
        return yes
    name = t.fresh()
    label = t.label()
    t.emit(ins.Select(SPAN, label, name, condition, as_expr(yes), as_expr(no)))
    return register(name)


def extract(value: LlvmValue, indices: tuple[int, ...]) -> LlvmValue:
    for index in indices:
        if isinstance(value, Unset):
            return UNSET_VALUE
        assert isinstance(value, Aggregate)
        value = value.fields[index]
    return value


def insert(
    t: CThread, whole: LlvmValue, type: ll.Type, part: LlvmValue, indices: tuple[int, ...]
) -> LlvmValue:
    if not indices:
        return part
    resolved = t.world.layout.resolve(type)
    if isinstance(resolved, ll.StructType):
        kinds = list(resolved.fields)
    elif isinstance(resolved, ll.ArrayType):
        kinds = [resolved.element] * resolved.count
    else:
        raise t.refuse("insertvalue into something that is not a struct or an array")
    fields: list[LlvmValue]
    fields = list(whole.fields) if isinstance(whole, Aggregate) else [UNSET_VALUE] * len(kinds)
    first, *rest = indices
    fields[first] = insert(t, fields[first], kinds[first], part, tuple(rest))
    return Aggregate(tuple(fields))
