"""What the parts of variables are called in the source, from the metadata for debuggers: the fields
of structs and the elements of arrays.

A line of metadata is taken apart when a name is first asked for. What is missing, or of a kind that
is not read, has no names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from hybrid.source import Source

_DEEPEST: Final = 100  # types inside one another
_MOST_NAMES: Final = 3  # that one number has: as a unit of bit fields, or in a union
_LINE = re.compile(
    r"^[ \t]*+!([0-9]+)[ \t]*=[ \t]*(?:distinct )?!(?:(DI(?:BasicType|CompositeType|DerivedType"
    r"|Subrange|GlobalVariableExpression|GlobalVariable|LocalVariable))\(([^\n]*)\)|\{([^\n]*)\})",
    re.MULTILINE,
)
_FIELD = re.compile(r'(\w++):[ ]?("[^"]*+"|[^,]*+)')
_HIDDEN = re.compile(r"_[_A-Z]|.*\$|$")  # names that a library or the compiler has for itself
_SAME = frozenset(  # a type that is another one, as far as memory goes
    f"DW_TAG_{word}_type" for word in ("atomic", "const", "volatile", "restrict")
) | {"DW_TAG_typedef"}
_STRUCTS = frozenset(f"DW_TAG_{word}_type" for word in ("structure", "class", "union"))
_MEMBERS = frozenset({"DW_TAG_member", "DW_TAG_inheritance"})


@dataclass(frozen=True, slots=True)
class SourceType:
    size: int  # bytes
    element: SourceType | None = None  # of an array
    fields: tuple[SourceField, ...] = ()

    @property
    def open(self) -> bool:
        """An array without a length, at the end of a struct."""
        return self.element is not None and not self.size


@dataclass(frozen=True, slots=True)
class SourceField:
    name: str  # empty: it has none, and its fields are used as those of the struct
    offset: int  # bytes
    type: SourceType
    bits: range = range(0)  # of a bit field: which bits of the struct


@dataclass(slots=True)
class SourceParts:
    """Where the types of a module's variables are described, and those of its structs."""

    globals: dict[str, tuple[SourceTypes, str]] = field(default_factory=dict)
    locals: dict[tuple[str, str], tuple[SourceTypes, str]] = field(default_factory=dict)  # by
    # function and alloca
    structs: dict[str, tuple[SourceTypes, str]] = field(default_factory=dict)

    def of_global(self, name: str) -> SourceType | None:
        found = self.globals.get(name)
        return found[0].of_variable(found[1]) if found else None

    def of_local(self, function: str, name: str) -> SourceType | None:
        found = self.locals.get((function, name))
        return found[0].of_variable(found[1]) if found else None

    def of_struct(self, name: str, size: int) -> SourceType | None:
        found = self.structs.get(name)
        return found[0].of_struct(found[1], size) if found else None

    def renamed(self, names: Mapping[str, str], types: Mapping[str, str]) -> SourceParts:
        return SourceParts(
            {names.get(key, key): each for key, each in self.globals.items()},
            {(names.get(key, key), local): each for (key, local), each in self.locals.items()},
            {types.get(key, key): each for key, each in self.structs.items()},
        )

    def add(self, other: SourceParts) -> None:
        """Takes what another module has; what is here stays."""
        self.globals = other.globals | self.globals
        self.locals = other.locals | self.locals
        self.structs = other.structs | self.structs


def part_name(whole: SourceType, offset: int, size: int) -> str:
    """How so many bytes at an offset are written behind the name of a variable: `.next`, `[2].key`.
    Bytes that are no field or element of that size are counted from the last one that has a name:
    `.lock+4`. What a library has inside a type, as std::atomic, is that type."""
    path, rest = _path(whole, offset, size) or ("", offset)
    return f"{path}+{rest}" if rest else path


def _path(whole: SourceType, offset: int, size: int) -> tuple[str, int] | None:
    """The names of the parts, and how far from the last of them the bytes are; None: there is
    nothing of that size."""
    element = whole.element
    if element is not None:
        index, offset = divmod(offset, element.size) if element.size else (0, offset)
        found = _path(element, offset, size)
        return (f"[{index}]{found[0]}", found[1]) if found else None
    best = ("", 0) if offset == 0 and size == whole.size else None
    names: list[str] = []  # of fields that are these very bytes, or bits of them
    for each in whole.fields:
        if each.bits:
            if each.bits.start < 8 * (offset + size) and 8 * offset < each.bits.stop:
                names.append(each.name)
            continue
        at = offset - each.offset
        if at < 0 or not (each.type.open or at + size <= each.type.size):
            continue
        hidden = _HIDDEN.match(each.name) is not None
        found = _path(each.type, at, size)
        if found is None and hidden:
            continue
        path, rest = found or ("", at)
        if not hidden:
            if found == ("", 0):
                names.append(each.name)
            path = f".{each.name}{path}"
        elif not path:
            rest = offset
        if best is None or (rest, not path) < (best[1], not best[0]):
            best = path, rest
    if names:
        more = "/…" if len(names) > _MOST_NAMES else ""
        best = f".{'/'.join(names[:_MOST_NAMES])}{more}", 0
    return best


class SourceTypes:
    """The types that the metadata of a text describes."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lines: dict[str, tuple[str, str]] | None = None
        self._read: dict[str, SourceType | None] = {}
        self._named: dict[str, list[str]] | None = None
        self._variables: dict[str, str] = {}  # the types of variables

    def _line(self, node: str) -> tuple[str, str]:
        if self._lines is None:
            found = _LINE.findall(self._source.text)
            self._lines = {f"!{n}": (kind, rest or listed) for n, kind, rest, listed in found}
        return self._lines.get(node, ("", ""))

    def _of(self, node: str) -> dict[str, str]:
        kind, rest = self._line(node)
        return dict(_FIELD.findall(rest)) if kind else {}

    def _listed(self, node: str) -> list[str]:
        kind, rest = self._line(node)
        return re.findall(r"![0-9]+", rest) if not kind else []

    def of_variable(self, node: str) -> SourceType | None:
        """Of `!12`, a variable of a function or a global one."""
        found = self._variables.get(node)
        if found is None:
            fields = self._of(node)
            if "var" in fields:
                fields = self._of(fields["var"])
            found = self._variables[node] = fields.get("type", "")
        return self._type(found)

    def of_struct(self, name: str, size: int) -> SourceType | None:
        """Of what LLVM calls `struct.node` and has so many bytes; None if two different ones may
        be meant."""
        if self._named is None:
            self._named = self._by_name()
        last = re.sub(r"\.[0-9]+$", "", name).partition(".")[2].rpartition("::")[2]
        found: SourceType | None = None
        for node in self._named.get(last, ()):
            kind = self._type(node)
            if kind is None or kind.size != size or kind == found:
                continue
            if found is not None:
                return None
            found = kind
        return found

    def _by_name(self) -> dict[str, list[str]]:
        """The structs with a name, or with one that a typedef gives them."""
        self._line("")
        made: dict[str, list[str]] = {}
        for node, (kind, _) in (self._lines or {}).items():
            if kind not in ("DICompositeType", "DIDerivedType"):
                continue
            fields = self._of(node)
            if fields.get("tag") in _STRUCTS or fields.get("tag") == "DW_TAG_typedef":
                name = fields.get("name", "").strip('"').partition("<")[0]
                made.setdefault(name, []).append(node)
        return made

    def _type(self, node: str, depth: int = 0) -> SourceType | None:
        if node in self._read:
            return self._read[node]
        if depth > _DEEPEST:
            return None
        self._read[node] = None  # of one that contains itself
        fields = self._of(node)
        tag, size = fields.get("tag", ""), _number(fields, "size") // 8
        base = fields.get("baseType", "")
        made: SourceType | None = None
        if tag in _SAME:
            made = self._type(base, depth + 1)
        elif tag == "DW_TAG_array_type":
            made = self._array(fields, self._type(base, depth + 1))
        elif tag == "DW_TAG_enumeration_type":
            made = SourceType(size)
        elif tag in _STRUCTS:
            members = tuple(self._fields(fields.get("elements", ""), depth))
            made = SourceType(size, None, members) if members else None
        elif fields and tag not in _MEMBERS:  # a number or a pointer
            made = SourceType(size)
        self._read[node] = made
        return made

    def _array(self, fields: Mapping[str, str], element: SourceType | None) -> SourceType | None:
        """An array of arrays is written as one with several lengths."""
        if element is None:
            return None
        size = _number(fields, "size") // 8
        lengths = [self._length(each) for each in self._listed(fields.get("elements", ""))]
        made = element
        for length in reversed(lengths[1:]):
            made = SourceType(made.size * length, made)
        return SourceType(size, made)

    def _length(self, node: str) -> int:
        kind, rest = self._line(node)
        found = re.match(r"count: ([0-9]{1,9})", rest) if kind == "DISubrange" else None
        return int(found[1]) if found else 0

    def _fields(self, listed: str, depth: int) -> Iterator[SourceField]:
        for node in self._listed(listed):
            fields = self._of(node)
            flags = fields.get("flags", "")
            if fields.get("tag") not in _MEMBERS or "DIFlagStaticMember" in flags:
                continue
            name = fields.get("name", "").strip('"')
            start = _number(fields, "offset")
            kind = self._type(fields.get("baseType", ""), depth + 1)
            if kind is None:
                continue
            bits = range(start, start + _number(fields, "size"))
            is_bits = "DIFlagBitField" in flags
            yield SourceField(name, start // 8, kind, bits if is_bits else range(0))


def _number(fields: Mapping[str, str], name: str) -> int:
    text = fields.get(name, "")
    return int(text) if text.isdecimal() and len(text) <= 15 else 0
