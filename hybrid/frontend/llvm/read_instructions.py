"""Instructions of LLVM's intermediate language, read from tokens."""

from __future__ import annotations

from collections.abc import Callable

from hybrid.frontend.llvm.module import (
    BinaryInst,
    CallInst,
    Cast,
    CompareInst,
    CondJump,
    DebugPlace,
    ExtractValue,
    FunctionType,
    InsertValue,
    IntConst,
    IntType,
    Jump,
    LlvmInstruction,
    Operand,
    OtherType,
    Phi,
    PointerType,
    Return,
    SelectInst,
    SwitchInst,
    Type,
    Unknown,
    Unreachable,
    Value,
    VoidType,
)
from hybrid.frontend.llvm.read_attributes import skip_attribute, skip_to_type
from hybrid.frontend.llvm.read_memory import (
    read_alloca,
    read_atomicrmw,
    read_cmpxchg,
    read_fence,
    read_gep,
    read_load,
    read_place,
    read_store,
    value_type,
)
from hybrid.frontend.llvm.read_types import BIT, part_at, read_type, shown_type
from hybrid.frontend.llvm.read_values import (
    BINARY,
    CASTS,
    PREDICATES,
    read_argument,
    read_callee,
    read_operand,
    read_value,
    skip_metadata,
)
from hybrid.frontend.llvm.scan import TokenCursor, words

_UNKNOWN = words(
    "fneg fadd fsub fmul fdiv frem fcmp fptrunc fpext fptoui fptosi uitofp sitofp va_arg "
    "extractelement insertelement shufflevector landingpad resume indirectbr callbr "
    "cleanupret catchret catchswitch catchpad cleanuppad"
)
ENDING_UNKNOWN = words("resume indirectbr callbr cleanupret catchret catchswitch")
# of these an instruction without a name has no result
VOID_OPCODES = (ENDING_UNKNOWN - {"catchswitch"}) | words(
    "store fence br switch ret unreachable call tail musttail notail invoke"
)


def label(c: TokenCursor) -> str:
    """`label %name`."""
    c.expect("label")
    return _block(c)


def _block(c: TokenCursor) -> str:
    at = c.at
    name = c.name("%", "the name of a block")
    c.label_uses.setdefault(name, at)
    return name


def _comma_operand(c: TokenCursor) -> Operand:
    c.expect(",")
    return read_operand(c)


def _binary(op: str) -> Callable[[TokenCursor, str], LlvmInstruction]:
    def read(c: TokenCursor, result: str) -> LlvmInstruction:
        skip_to_type(c)
        at = c.at
        left = read_operand(c)
        if not isinstance(c.resolve(left.type), IntType | OtherType):
            c.fail(f"{op} of {shown_type(left.type)}", at)
        c.expect(",")
        right = Operand(left.type, read_value(c, left.type))
        return BinaryInst(result, op, left, right, read_place(c))

    return read


def _cast(op: str) -> Callable[[TokenCursor, str], LlvmInstruction]:
    kept = "ptrtoint" if op == "ptrtoaddr" else op

    def read(c: TokenCursor, result: str) -> LlvmInstruction:
        skip_to_type(c)
        at = c.at
        operand = read_operand(c)
        c.expect("to")
        kind = value_type(c)
        _check_cast(c, kept, operand.type, kind, at)
        return Cast(result, kept, operand, kind, read_place(c))

    return read


def _check_cast(c: TokenCursor, op: str, source: Type, target: Type, at: int) -> None:
    source, target = c.resolve(source), c.resolve(target)
    if isinstance(source, OtherType) or isinstance(target, OtherType):
        return
    integers = isinstance(source, IntType) and isinstance(target, IntType)
    pointer_from, pointer_to = (isinstance(each, PointerType) for each in (source, target))
    good = {
        "ptrtoint": pointer_from and isinstance(target, IntType),
        "inttoptr": pointer_to and isinstance(source, IntType),
        "bitcast": source == target,
        "addrspacecast": pointer_from and pointer_to,
    }.get(op, integers)
    if integers and op in ("trunc", "zext", "sext"):
        wide, narrow = (source, target) if op == "trunc" else (target, source)
        good = wide.bits > narrow.bits  # type: ignore[union-attr]
    if not good:
        c.fail(f"{op} from {shown_type(source)} to {shown_type(target)}", at)


def _freeze(c: TokenCursor, result: str) -> LlvmInstruction:
    operand = read_operand(c)
    return Cast(result, "freeze", operand, operand.type, read_place(c))


def _icmp(c: TokenCursor, result: str) -> LlvmInstruction:
    c.accept("samesign")
    predicate = c.tokens[c.at]
    if predicate not in PREDICATES:
        c.fail_expected("a comparison such as eq or slt")
    c.at += 1
    at = c.at
    left = read_operand(c)
    if not isinstance(c.resolve(left.type), IntType | PointerType | OtherType):
        c.fail(f"a comparison of {shown_type(left.type)}", at)
    c.expect(",")
    right = Operand(left.type, read_value(c, left.type))
    return CompareInst(result, predicate, left, right, read_place(c))


def _select(c: TokenCursor, result: str) -> LlvmInstruction:
    skip_to_type(c)
    at = c.at
    condition = read_operand(c)
    if not isinstance(condition.type, OtherType) and condition.type != BIT:
        c.fail(f"the condition is {shown_type(condition.type)}, not i1", at)
    yes = _comma_operand(c)
    at = c.at + 1
    no = _comma_operand(c)
    if yes.type != no.type:
        c.fail(f"{shown_type(yes.type)} is expected here, not {shown_type(no.type)}", at)
    return SelectInst(result, condition, yes, no, read_place(c))


def _phi(c: TokenCursor, result: str) -> LlvmInstruction:
    skip_to_type(c)
    kind = value_type(c)
    incoming: list[tuple[Value, str]] = []
    while True:
        c.expect("[")
        value = read_value(c, kind)
        c.expect(",")
        incoming.append((value, _block(c)))
        c.expect("]")
        if c.tokens[c.at] != "," or c.tokens[c.at + 1] != "[":
            return Phi(result, kind, tuple(incoming), read_place(c))
        c.at += 1


def _indices(c: TokenCursor) -> tuple[int, ...]:
    indices: list[int] = []
    while c.tokens[c.at] == "," and c.tokens[c.at + 1][:1] != "!":
        c.at += 1
        indices.append(c.number("an index"))
    if not indices:
        c.fail_expected("an index")
    return tuple(indices)


def _extractvalue(c: TokenCursor, result: str) -> LlvmInstruction:
    aggregate = read_operand(c)
    at = c.at
    indices = _indices(c)
    if part_at(c, aggregate.type, indices) is None:
        c.fail(f"{shown_type(aggregate.type)} has no such element", at)
    return ExtractValue(result, aggregate, indices, read_place(c))


def _insertvalue(c: TokenCursor, result: str) -> LlvmInstruction:
    aggregate = read_operand(c)
    element = _comma_operand(c)
    at = c.at
    indices = _indices(c)
    part = part_at(c, aggregate.type, indices)
    if part is None:
        c.fail(f"{shown_type(aggregate.type)} has no such element", at)
    if part != element.type:
        c.fail(f"the element is {shown_type(part)}, not {shown_type(element.type)}", at)
    return InsertValue(result, aggregate, element, indices, read_place(c))


# ---- calls


def _call(c: TokenCursor, result: str) -> LlvmInstruction:
    kind, callee, arguments = _callee(c)
    _behind_arguments(c)
    return CallInst(result, callee, kind, arguments, read_place(c))


def _tail(c: TokenCursor, result: str) -> LlvmInstruction:
    c.expect("call")
    return _call(c, result)


def _invoke(c: TokenCursor, result: str) -> LlvmInstruction:
    kind, callee, arguments = _callee(c)
    _behind_arguments(c)
    c.expect("to")
    normal = label(c)
    c.expect("unwind")
    label(c)
    return CallInst(result, callee, kind, arguments, read_place(c), normal)


def _callee(c: TokenCursor) -> tuple[Type, Value, tuple[Operand, ...]]:
    """The type of the result, what is called, and the arguments."""
    skip_to_type(c)
    kind = read_type(c)
    if isinstance(kind, FunctionType):
        kind = kind.result
    callee = read_callee(c)
    c.expect("(")
    if c.accept(")"):
        return kind, callee, ()
    arguments = [read_argument(c)]
    while c.accept(","):
        arguments.append(read_argument(c))
    c.expect(")")
    return kind, callee, tuple(arguments)


def _behind_arguments(c: TokenCursor) -> None:
    """Past the attributes and bundles of a call."""
    while True:
        token = c.tokens[c.at]
        if token == "[":
            c.skip_group()
        elif _is_attribute(token):
            skip_attribute(c)
        else:
            return


def _is_attribute(token: str) -> bool:
    first = token[:1]
    if first == "#":
        return not token.startswith("#dbg_")
    if token[-1:] == ":" or token in OPCODES or token == "to":
        return False
    return first == '"' or first.isalpha()


# ---- the ends of blocks


def _br(c: TokenCursor, _result: str) -> LlvmInstruction:
    if c.tokens[c.at] == "label":
        target = label(c)
        return Jump(target, read_place(c))
    at = c.at
    condition = read_operand(c)
    if condition.type != BIT:
        c.fail(f"the condition is {shown_type(condition.type)}, not i1", at)
    c.expect(",")
    yes = label(c)
    c.expect(",")
    no = label(c)
    return CondJump(condition, yes, no, read_place(c))


def _switch(c: TokenCursor, _result: str) -> LlvmInstruction:
    at = c.at
    value = read_operand(c)
    if not isinstance(value.type, IntType | OtherType):
        c.fail(f"a switch over {shown_type(value.type)}", at)
    c.expect(",")
    default = label(c)
    c.expect("[")
    cases: dict[int, str] = {}
    while not c.accept("]"):
        at = c.at
        case = read_operand(c)
        if case.type != value.type or not isinstance(case.value, IntConst):
            c.fail(f"a case is a number of type {shown_type(value.type)}", at)
        c.expect(",")
        if case.value.value in cases:
            c.fail("the case is there twice", at)
        cases[case.value.value] = label(c)
    return SwitchInst(value, default, tuple(cases.items()), read_place(c))


def _ret(c: TokenCursor, _result: str) -> LlvmInstruction:
    kind = read_type(c)
    if isinstance(kind, VoidType):
        return Return(None, read_place(c))
    value = Operand(kind, read_value(c, kind))
    return Return(value, read_place(c))


def _unreachable(c: TokenCursor, _result: str) -> LlvmInstruction:
    return Unreachable(read_place(c))


# ---- what is not taken apart


def _unknown(opcode: str) -> Callable[[TokenCursor, str], LlvmInstruction]:
    def read(c: TokenCursor, result: str) -> LlvmInstruction:
        return Unknown(result, opcode, _skip_instruction(c))

    return read


def _is_expression(c: TokenCursor) -> bool:
    """Whether the opcode here is that of a constant: `getelementptr inbounds (…)`."""
    at = c.at + 1
    while c.tokens[at][:1].isalpha():
        at += 1
    return c.tokens[at] == "("


def _skip_instruction(c: TokenCursor) -> DebugPlace | None:
    """To where the next instruction begins."""
    place: DebugPlace | None = None
    while True:
        token = c.tokens[c.at]
        first = token[:1]
        if not token or token == "}" or token[-1] == ":":
            return place
        if token in OPCODES and not _is_expression(c):
            return place
        if first == "%" and c.tokens[c.at + 1] == "=":
            return place
        if token == "," and c.tokens[c.at + 1] == "!dbg":
            c.at += 2
            place = c.debug.place(skip_metadata(c))
        elif token in ("(", "[", "{", "<"):
            c.skip_group()
        elif token.startswith("#dbg_"):
            return place
        else:
            c.at += 1


_READERS: dict[str, Callable[[TokenCursor, str], LlvmInstruction]] = {
    "alloca": read_alloca,
    "load": read_load,
    "store": read_store,
    "cmpxchg": read_cmpxchg,
    "atomicrmw": read_atomicrmw,
    "fence": read_fence,
    "getelementptr": read_gep,
    "freeze": _freeze,
    "icmp": _icmp,
    "select": _select,
    "phi": _phi,
    "extractvalue": _extractvalue,
    "insertvalue": _insertvalue,
    "call": _call,
    "tail": _tail,
    "musttail": _tail,
    "notail": _tail,
    "invoke": _invoke,
    "br": _br,
    "switch": _switch,
    "ret": _ret,
    "unreachable": _unreachable,
    **{op: _binary(op) for op in BINARY},
    **{op: _cast(op) for op in CASTS},
    **{op: _unknown(op) for op in _UNKNOWN},
}
OPCODES = frozenset(_READERS)


def read_instruction(c: TokenCursor, result: str) -> LlvmInstruction:
    """The instruction whose opcode is here; its result is named `result`."""
    read = _READERS.get(c.tokens[c.at])
    if read is None:
        c.fail_expected("an instruction")
    c.at += 1
    return read(c, result)
