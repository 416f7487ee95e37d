"""Constants and operands of LLVM's intermediate language, read from tokens."""

from __future__ import annotations

import re
from collections.abc import Callable

from hybrid.frontend.llvm.module import (
    AggregateConst,
    ArrayType,
    BinaryInst,
    BytesConst,
    Cast,
    CompareInst,
    ConstExpr,
    FunctionType,
    Gep,
    GlobalName,
    InlineAsm,
    IntConst,
    IntType,
    Local,
    NamedType,
    NullConst,
    Operand,
    OtherConst,
    OtherType,
    PointerType,
    SelectInst,
    StructType,
    Type,
    UndefConst,
    Value,
    VoidType,
)
from hybrid.frontend.llvm.read_attributes import skip_attribute
from hybrid.frontend.llvm.read_types import BYTE, POINTER, read_type, shown_type
from hybrid.frontend.llvm.scan import LONGEST_NUMBER, TokenCursor, unescape, words

BINARY = words("add sub mul udiv sdiv urem srem shl lshr ashr and or xor")
CASTS = words("trunc zext sext ptrtoint ptrtoaddr inttoptr bitcast addrspacecast")
PREDICATES = words("eq ne ugt uge ult ule sgt sge slt sle")

_NULL, _UNDEF = NullConst(), UndefConst()
_WORDS: dict[str, Value] = {
    "null": _NULL,
    "none": _NULL,
    "zeroinitializer": _NULL,
    "undef": _UNDEF,
    "poison": _UNDEF,
    "true": IntConst(1),
    "false": IntConst(0),
}
_NUMBER = re.compile(r"-?[0-9]+|[us]0x[0-9A-Fa-f]+", re.ASCII)
_FLOAT = re.compile(r"[-+]?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|f?0x[HKLMR]?[0-9A-Fa-f]+", re.ASCII)
# expressions that are not taken apart
_OTHER_EXPRESSIONS = words(
    "splat blockaddress ptrauth fcmp extractelement insertelement shufflevector extractvalue "
    "insertvalue fptrunc fpext uitofp sitofp fptoui fptosi fneg fadd fsub fmul fdiv frem"
)
_EXPRESSIONS = BINARY | CASTS | _OTHER_EXPRESSIONS | {"getelementptr", "icmp", "select"}
_NAMED_FUNCTION = ("dso_local_equivalent", "no_cfi")
_VALUE_WORDS = _EXPRESSIONS | _WORDS.keys() | set(_NAMED_FUNCTION) | {"asm"}


def is_value_start(token: str) -> bool:
    first = token[:1]
    return (
        first in ("%", "@", "[", "{", "<", "!")
        or token in _VALUE_WORDS
        or token[:2] == 'c"'
        or _NUMBER.fullmatch(token) is not None
        or _FLOAT.fullmatch(token) is not None
    )


def read_operand(c: TokenCursor) -> Operand:
    """A type and a value."""
    kind = read_type(c)
    return Operand(kind, read_value(c, kind))


def read_pointer(c: TokenCursor) -> Operand:
    """An operand that is a pointer."""
    at = c.at
    operand = read_operand(c)
    if not isinstance(c.resolve(operand.type), PointerType):
        c.fail(f"a pointer is expected here, not {shown_type(operand.type)}", at)
    return operand


def read_value(c: TokenCursor, kind: Type) -> Value:
    """A value of type `kind`."""
    token = c.tokens[c.at]
    first = token[:1]
    if first == "%":
        if c.local_uses is None:
            c.fail("a local name outside a function")
        name = c.name("%", "a value")
        c.local_uses.append((name, kind, c.at - 1))
        return Local(name)
    if first == "@":
        return _global(c, kind)
    if _NUMBER.fullmatch(token):
        return _integer(c, token, kind)
    word = _WORDS.get(token)
    if word is not None:
        _check_word(c, token, kind)
        c.at += 1
        return word
    if token in _EXPRESSIONS:
        c.deeper()
        value = _expression(c, token, kind)
        c.depth -= 1
        return value
    if first in ("[", "{", "<"):
        c.deeper()
        value = _aggregate(c, first, kind)
        c.depth -= 1
        return value
    return _rare_value(c, token, kind)


def _rare_value(c: TokenCursor, token: str, kind: Type) -> Value:
    if token[:2] == 'c"':
        return _bytes(c, token, kind)
    if _FLOAT.fullmatch(token):
        if not isinstance(c.resolve(kind), OtherType):
            c.fail(f"a floating-point number is no {shown_type(kind)}")
        c.at += 1
        return OtherConst(token)
    if token in _NAMED_FUNCTION:
        c.at += 1
        return _global(c, kind)
    if isinstance(kind, OtherType) and kind.name == "metadata":
        skip_metadata(c)
        return OtherConst("metadata")
    return c.fail_expected("a value")


def _global(c: TokenCursor, kind: Type) -> Value:
    at = c.at
    name = global_name(c)
    if not isinstance(c.resolve(kind), PointerType):
        c.fail(f"@{name} is a pointer, not {shown_type(kind)}", at)
    c.global_uses.setdefault(name, at)
    return GlobalName(name)


def global_name(c: TokenCursor) -> str:
    """`@name`; that the name is not to be decorated (a leading \\01) is dropped."""
    at = c.at
    name = c.name("@", "the name of a function or a global variable")
    if name[0] == "\x01":
        name = name[1:]
        if not name:
            c.fail("an empty name", at)
    return name


def _integer(c: TokenCursor, token: str, kind: Type) -> Value:
    meant = c.resolve(kind)
    if not isinstance(meant, IntType):
        if not (isinstance(meant, OtherType) and meant.name[0] == "i"):
            c.fail(f"a number is no {shown_type(kind)}")
        c.at += 1
        return OtherConst(token)
    if len(token) > LONGEST_NUMBER:
        c.fail("the number is too large")
    if token[0] in "us":
        value = int(token[1:], 16)
        if token[0] == "s" and value >> (4 * (len(token) - 3) - 1):
            value -= 1 << 4 * (len(token) - 3)
    else:
        value = int(token)
    if not -(1 << meant.bits) < value < 1 << meant.bits:
        c.fail(f"the number does not fit into {shown_type(kind)}")
    c.at += 1
    return IntConst(value)


def _check_word(c: TokenCursor, word: str, kind: Type) -> None:
    meant = c.resolve(kind)
    fits = {
        "null": isinstance(meant, PointerType),
        "none": isinstance(meant, OtherType),
        "true": meant == IntType(1),
        "false": meant == IntType(1),
    }.get(word, not isinstance(meant, VoidType | FunctionType | NamedType))
    if not fits:
        c.fail(f"{word} is no {shown_type(kind)}")


def _bytes(c: TokenCursor, token: str, kind: Type) -> Value:
    if token[-1] != '"':
        c.fail_expected("a value")
    try:
        data = unescape(token[2:-1]).encode("latin-1")
    except UnicodeError:
        c.fail("a byte above 255")
    meant = c.resolve(kind)
    if meant != ArrayType(len(data), BYTE):
        c.fail(f"{len(data)} bytes are no {shown_type(kind)}")
    c.at += 1
    return BytesConst(data)


def _aggregate(c: TokenCursor, first: str, kind: Type) -> Value:
    start = c.at
    packed = first == "<" and c.tokens[c.at + 1] == "{"
    vector = first == "<" and not packed
    c.at += 2 if packed else 1
    close = {"[": "]", "{": "}"}.get(first, ">" if vector else "}")
    elements: list[Operand] = []
    if not c.accept(close):
        while True:
            elements.append(read_operand(c))
            if not c.accept(","):
                c.expect(close)
                break
    if packed:
        c.expect(">")
    meant = c.resolve(kind)
    if vector:
        if not isinstance(meant, OtherType):
            c.fail(f"a vector is no {shown_type(kind)}", start)
        return OtherConst("a vector")
    own: Type | None = None
    if isinstance(meant, StructType) and first != "[":
        own = StructType(tuple(each.type for each in elements), packed, meant.name)
    elif isinstance(meant, ArrayType) and {each.type for each in elements} <= {meant.element}:
        own = ArrayType(len(elements), meant.element) if first == "[" else None
    if own != meant:
        c.fail(f"these elements are no {shown_type(kind)}", start)
    return AggregateConst(tuple(elements))


def _expression(c: TokenCursor, op: str, kind: Type) -> Value:
    """An instruction on constants."""
    start = c.at
    c.at += 1
    if op in _OTHER_EXPRESSIONS:
        while c.tokens[c.at][:1].isalpha():
            c.at += 1
        if c.tokens[c.at] != "(":
            c.fail_expected("`(`")
        c.skip_group()
        return OtherConst(op)
    predicate = ""
    while c.tokens[c.at][:1].isalpha():  # inbounds, nuw, …, and the predicate of icmp
        predicate = c.next()
        if c.tokens[c.at] == "(" and predicate == "inrange":
            c.skip_group()
    c.expect("(")
    made, own = _BUILDERS[_family(op)](c, op, predicate)
    c.expect(")")
    if own is not None and own != kind and c.resolve(own) != c.resolve(kind):
        c.fail(f"the expression is {shown_type(own)}, not {shown_type(kind)}", start)
    return ConstExpr(made)


_Made = tuple[Gep | Cast | BinaryInst | CompareInst | SelectInst, Type | None]


def _family(op: str) -> str:
    return "cast" if op in CASTS else "binary" if op in BINARY else op


def _build_gep(c: TokenCursor, _op: str, _predicate: str) -> _Made:
    made = gep_operands(c, "")
    vector = any(isinstance(each.type, OtherType) for each in (made.pointer, *made.indices))
    return made, None if vector else POINTER


def gep_operands(c: TokenCursor, result: str) -> Gep:
    """`T, ptr @a, i64 0, i64 1`, without a place."""
    kind = read_type(c)
    c.expect(",")
    at = c.at
    pointer = read_operand(c)
    if not isinstance(c.resolve(pointer.type), PointerType | OtherType):
        c.fail(f"a pointer is expected here, not {shown_type(pointer.type)}", at)
    indices: list[Operand] = []
    while c.tokens[c.at] == "," and c.tokens[c.at + 1][:1] != "!":
        c.at += 1
        c.accept("inrange")
        at = c.at
        index = read_operand(c)
        if not isinstance(c.resolve(index.type), IntType | OtherType):
            c.fail(f"an index is a number, not {shown_type(index.type)}", at)
        indices.append(index)
    return Gep(result, kind, pointer, tuple(indices), None)


def _build_cast(c: TokenCursor, op: str, _predicate: str) -> _Made:
    operand = read_operand(c)
    c.expect("to")
    kind = read_type(c)
    return Cast("", "ptrtoint" if op == "ptrtoaddr" else op, operand, kind, None), kind


def _build_binary(c: TokenCursor, op: str, _predicate: str) -> _Made:
    left, right = _pair(c)
    return BinaryInst("", op, left, right, None), left.type


def _build_compare(c: TokenCursor, _op: str, predicate: str) -> _Made:
    if predicate not in PREDICATES:
        c.fail("expected a comparison such as eq or slt")
    left, right = _pair(c)
    return CompareInst("", predicate, left, right, None), IntType(1)


def _pair(c: TokenCursor) -> tuple[Operand, Operand]:
    left = read_operand(c)
    c.expect(",")
    at = c.at
    right = read_operand(c)
    if right.type != left.type:
        c.fail(f"{shown_type(left.type)} is expected here, not {shown_type(right.type)}", at)
    return left, right


def _build_select(c: TokenCursor, _op: str, _predicate: str) -> _Made:
    condition = read_operand(c)
    c.expect(",")
    yes, no = _pair(c)
    return SelectInst("", condition, yes, no, None), yes.type


_BUILDERS: dict[str, Callable[[TokenCursor, str, str], _Made]] = {
    "getelementptr": _build_gep,
    "cast": _build_cast,
    "binary": _build_binary,
    "icmp": _build_compare,
    "select": _build_select,
}

# ---- arguments, metadata, inline assembly


def read_argument(c: TokenCursor) -> Operand:
    """An argument of a call: a type, attributes and a value."""
    kind = read_type(c)
    byval: Type | None = None
    if isinstance(kind, OtherType) and kind.name == "metadata":
        skip_metadata(c)
        return Operand(kind, OtherConst("metadata"))
    while not is_value_start(c.tokens[c.at]):
        _, copied = skip_attribute(c)
        byval = copied or byval
    return Operand(kind, read_value(c, kind), byval)


def skip_metadata(c: TokenCursor) -> str:
    """Past `!12`, `!{…}`, `!"…"`, `!DIExpression(…)`, or a type and a value; its first
    token."""
    token = c.tokens[c.at]
    if token[:1] != "!":
        read_operand(c)
        return token
    c.at += 1
    if token == "!" and c.tokens[c.at][:1] == '"':
        c.at += 1
    elif (token == "!" and c.tokens[c.at] == "{") or (
        token[1:2].isalpha() and c.tokens[c.at] == "("
    ):
        c.skip_group()
    return token


def read_callee(c: TokenCursor) -> Value:
    """What is called: a function, a pointer, or inline assembly."""
    if not c.accept("asm"):
        return read_value(c, POINTER)
    while c.tokens[c.at][:1].isalpha():  # sideeffect, alignstack, inteldialect, unwind
        c.at += 1
    template = c.string("the text of inline assembly")
    c.expect(",")
    return InlineAsm(template, c.string("the constraints of inline assembly"))
