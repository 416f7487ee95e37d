"""Types of LLVM's intermediate language, read from tokens."""

from __future__ import annotations

from hybrid.frontend.llvm.module import (
    ArrayType,
    FunctionType,
    IntType,
    NamedType,
    OtherType,
    PointerType,
    StructType,
    Type,
    VoidType,
)
from hybrid.frontend.llvm.scan import TokenCursor

WIDEST = 128  # bits of an integer that values may have
WIDEST_OF_ALL = 1 << 23  # bits of an integer in LLVM
DEEPEST_TYPE = 100  # types inside one another, also through their names
MOST_ELEMENTS = 1 << 48

POINTER = PointerType()
BIT = IntType(1)
BYTE = IntType(8)
VOID = VoidType()
_OTHERS = "half bfloat float double x86_fp80 fp128 ppc_fp128 x86_amx x86_mmx token metadata label"
SIMPLE: dict[str, Type] = {
    "ptr": POINTER,
    "void": VOID,
    **{f"i{bits}": IntType(bits) for bits in (1, 8, 16, 32, 64, 128)},
    **{name: OtherType(name) for name in _OTHERS.split()},
}
_BRACKETS = ("%", "[", "{", "<")


def is_type_start(token: str) -> bool:
    return (
        token in SIMPLE
        or token[:1] in _BRACKETS
        or (token[:1] == "i" and token[1:].isdecimal())
        or token == "target"
    )


def shown_type(kind: Type) -> str:
    """A type as a message mentions it."""
    match kind:
        case IntType(bits):
            return f"i{bits}"
        case PointerType():
            return "ptr"
        case NamedType(name):
            return f"%{name}"
        case OtherType(name):
            return name
        case ArrayType(count, element):
            return f"[{count} x {shown_type(element)}]"
        case StructType(fields, packed, name):
            if name:
                return f"%{name}"
            inside = ", ".join(map(shown_type, fields))
            return f"<{{ {inside} }}>" if packed else f"{{ {inside} }}"
        case VoidType():
            return "void"
        case FunctionType():
            return "a function"


def read_type(c: TokenCursor) -> Type:
    found = SIMPLE.get(c.tokens[c.at])
    if found is None:
        found = _compound(c)
    else:
        c.at += 1
    while (token := c.tokens[c.at]) in ("*", "(", "addrspace"):
        if token == "*":
            c.at += 1
            found = POINTER
        elif token == "(":
            found = _function_type(c, found)
        else:
            c.at += 1
            _parenthesised_number(c)
            if c.tokens[c.at] != "*" and found != POINTER:
                c.fail_expected("`*`")
    return found


def _compound(c: TokenCursor) -> Type:
    token = c.tokens[c.at]
    first = token[:1]
    if first == "%":
        at = c.at
        name = c.name("%", "the name of a type")
        c.type_uses.setdefault(name, at)
        return NamedType(name)
    if first == "i" and token[1:].isdecimal():
        return _integer(c, token)
    if first not in _BRACKETS and token != "target":
        c.fail_expected("a type")
    c.deeper()
    if token == "[":
        c.at += 1
        count, element = _elements(c)
        c.expect("]")
        found: Type = ArrayType(count, element)
    elif token == "{":
        found = StructType(_fields(c))
    elif token == "<" and c.tokens[c.at + 1] == "{":
        c.at += 1
        found = StructType(_fields(c), packed=True)
        c.expect(">")
    elif token == "<":
        c.at += 1
        found = _vector(c)
    else:
        c.at += 1
        if c.tokens[c.at] != "(":
            c.fail_expected("`(`")
        c.skip_group()
        found = OtherType("target")
    c.depth -= 1
    return found


def _integer(c: TokenCursor, token: str) -> Type:
    bits = int(token[1:]) if len(token) <= 9 else 0
    if not 0 < bits <= WIDEST_OF_ALL:
        c.fail(f"there is no type {token[:20]}")
    c.at += 1
    return IntType(bits) if bits <= WIDEST else OtherType(f"i{bits}")


def _elements(c: TokenCursor) -> tuple[int, Type]:
    """`5 x i32`."""
    at = c.at
    count = c.number("a number of elements")
    if count > MOST_ELEMENTS:
        c.fail("too many elements", at)
    c.expect("x")
    at = c.at
    element = read_type(c)
    if isinstance(element, VoidType | FunctionType):
        c.fail(f"{shown_type(element)} is no type of an element", at)
    return count, element


def _vector(c: TokenCursor) -> Type:
    scalable = c.accept("vscale")
    if scalable:
        c.expect("x")
    count, element = _elements(c)
    c.expect(">")
    return OtherType(f"<{'vscale x ' if scalable else ''}{count} x {shown_type(element)}>")


def _fields(c: TokenCursor) -> tuple[Type, ...]:
    c.expect("{")
    fields: list[Type] = []
    if c.accept("}"):
        return ()
    while True:
        at = c.at
        kind = read_type(c)
        if isinstance(kind, VoidType | FunctionType):
            c.fail(f"{shown_type(kind)} is no type of a field", at)
        fields.append(kind)
        if not c.accept(","):
            c.expect("}")
            return tuple(fields)


def _function_type(c: TokenCursor, result: Type) -> FunctionType:
    c.deeper()
    c.expect("(")
    parameters: list[Type] = []
    variadic = False
    if not c.accept(")"):
        while True:
            if c.accept("..."):
                variadic = True
                c.expect(")")
                break
            parameters.append(read_type(c))
            if not c.accept(","):
                c.expect(")")
                break
    c.depth -= 1
    return FunctionType(result, tuple(parameters), variadic)


def _parenthesised_number(c: TokenCursor) -> None:
    c.expect("(")
    if c.tokens[c.at][:1] == '"':
        c.at += 1
    else:
        c.number("the number of an address space")
    c.expect(")")


def read_type_definitions(c: TokenCursor) -> dict[int, int]:
    """Reads every `%T = type …` of the text into `types` of the cursor, which stays where it is;
    gives where each begins and ends."""
    tokens, start = c.tokens, c.at
    defined = c.known_types
    ends: dict[int, int] = {}
    for middle, token in enumerate(tokens):
        if token != "type" or middle < 2 or tokens[middle - 1] != "=":
            continue
        c.at = middle - 2
        name = c.name("%", "the name of a type")
        if name in defined:
            c.fail(f"the type %{name} is defined twice", middle - 2)
        defined[name] = middle - 2
        c.at = middle + 1
        if not c.accept("opaque"):
            kind = read_type(c)
            if isinstance(kind, StructType):
                kind = StructType(kind.fields, kind.packed, name)
            c.types[name] = kind
        ends[middle - 2] = c.at
    c.at = start
    depths = _Depths(c)
    for name in c.types:
        depths.of_name(name, 0)
    return ends


def parts_of(kind: Type) -> tuple[Type, ...]:
    """The types inside a type, where it contains their values."""
    if isinstance(kind, ArrayType):
        return (kind.element,)
    return kind.fields if isinstance(kind, StructType) else ()


def part_at(c: TokenCursor, kind: Type, indices: tuple[int, ...]) -> Type | None:
    """The type of an element of an element …; None where there is none."""
    for index in indices:
        kind = c.resolve(kind)
        if isinstance(kind, ArrayType) and index < kind.count:
            kind = kind.element
        elif isinstance(kind, StructType) and index < len(kind.fields):
            kind = kind.fields[index]
        else:
            return None
    return kind


class _Depths:
    """How deep the named types are; refuses those that contain themselves or are too deep."""

    def __init__(self, c: TokenCursor) -> None:
        self._c = c
        self._known: dict[str, int] = {}
        self._open: list[str] = []  # the types in which the one that is looked at is

    def of_name(self, name: str, level: int) -> int:
        if name not in self._known:
            if name in self._open:
                self._c.fail(f"the type %{name} contains itself", self._c.known_types[name])
            self._open.append(name)
            meant = self._c.types.get(name)
            self._known[name] = 1 if meant is None else 1 + self._of(meant, level + 1)
            self._open.pop()
        depth = self._known[name]
        if level + depth > DEEPEST_TYPE:
            first = self._open[0] if self._open else name
            self._c.fail(f"the type %{first} is nested too deeply", self._c.known_types[first])
        return depth

    def _of(self, kind: Type, level: int) -> int:
        if level > DEEPEST_TYPE:
            first = self._open[0]
            self._c.fail(f"the type %{first} is nested too deeply", self._c.known_types[first])
        if isinstance(kind, NamedType):
            return self.of_name(kind.name, level)
        parts = dict.fromkeys(parts_of(kind))
        return 1 + max((self._of(part, level + 1) for part in parts), default=0)
