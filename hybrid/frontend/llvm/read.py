"""Modules of LLVM's intermediate language, read from text as clang writes it (LLVM 14 to 22)."""

from __future__ import annotations

from hybrid.frontend.llvm.module import (
    AggregateConst,
    DebugPlace,
    FunctionType,
    GlobalName,
    GlobalVariable,
    IntConst,
    LlvmFunction,
    Module,
    OtherConst,
    Value,
    VoidType,
)
from hybrid.frontend.llvm.read_attributes import skip_attribute
from hybrid.frontend.llvm.read_function import INTERNAL, WEAK, read_function
from hybrid.frontend.llvm.read_types import (
    POINTER,
    is_type_start,
    read_type,
    read_type_definitions,
    shown_type,
)
from hybrid.frontend.llvm.read_values import (
    global_name,
    read_operand,
    read_value,
    skip_metadata,
)
from hybrid.frontend.llvm.scan import TokenCursor
from hybrid.source import Source

# variables for the linker, which no code can name
_FOR_THE_LINKER = ("llvm.global_ctors", "llvm.global_dtors", "llvm.used", "llvm.compiler.used")
_KINDS = ("global", "constant", "alias", "ifunc")
_DECLARED = ("external", "extern_weak")
_LAST_PRIORITY = 65535
MOST_ALIGNED = 1 << 32


def read_module(source: Source) -> Module:
    """The module that a text is."""
    return _ModuleReader(source).read()


class _ModuleReader:
    def __init__(self, source: Source) -> None:
        self.c = TokenCursor(source)
        self.name = ""
        self.target: dict[str, str] = {}
        self.globals: dict[str, GlobalVariable] = {}
        self.functions: dict[str, LlvmFunction] = {}
        self.aliases: dict[str, Value] = {}
        self.weak_aliases: set[str] = set()
        self.for_linker: dict[str, Value | None] = {}

    def read(self) -> Module:
        c = self.c
        type_ends = read_type_definitions(c)
        while token := c.tokens[c.at]:
            if token in ("define", "declare"):
                self._function()
            elif token[0] == "@":
                self._global()
            elif token[0] == "%":
                if c.at not in type_ends:
                    c.fail("expected the definition of a type: `%name = type …`")
                c.at = type_ends[c.at]
            else:
                self._other(token)
        self._check_names()
        c.debug.parts.structs = {name: (c.debug.types, name) for name in c.types}
        constructors = self._for_start_or_end("llvm.global_ctors")
        destructors = self._for_start_or_end("llvm.global_dtors")[::-1]
        return Module(
            self.name,
            c.types,
            self.globals,
            self.functions,
            self.aliases,
            self.target.get("triple", ""),
            self.target.get("datalayout", ""),
            tuple(name for _, name in constructors),
            tuple(name for _, name in destructors),
            tuple(c.debug.files),
            tuple(priority for priority, _ in constructors),
            tuple(priority for priority, _ in destructors),
            frozenset(self.weak_aliases),
            c.debug.parts,
        )

    def _other(self, token: str) -> None:
        c = self.c
        c.at += 1
        if token == "source_filename":
            c.expect("=")
            self.name = c.string("the name of a file")
        elif token == "target":
            what = c.next()
            c.expect("=")
            self.target[what] = c.string("a string")
        elif token == "module":
            c.expect("asm")
            c.string("the text of assembly")
        elif token[0] == "$":
            c.expect("=")
            c.expect("comdat")
            c.next()
        else:
            c.at -= 1
            c.fail_expected("a function, a global variable or a type")

    def _taken(self, name: str, at: int) -> None:
        if name in self.globals or name in self.functions or name in self.aliases:
            self.c.fail(f"@{name} is defined twice", at)

    def _function(self) -> None:
        c = self.c
        at = c.at
        c.at += 1
        function = read_function(c)
        self._taken(function.name, at)
        self.functions[function.name] = function

    # ---- global variables

    def _global(self) -> None:
        c = self.c
        at = c.at
        name = global_name(c)
        c.expect("=")
        self._taken(name, at)
        words: set[str] = set()
        while (token := c.tokens[c.at]) not in _KINDS:
            if not token[:1].isalpha() or token[-1] == ":":
                c.fail_expected("`global`, `constant` or `alias`")
            words.add(skip_attribute(c)[0])
        c.at += 1
        if token in ("alias", "ifunc"):
            self._alias(name, token == "ifunc")
            if not words.isdisjoint(WEAK):
                self.weak_aliases.add(name)
            return
        self._variable(name, words, token == "constant")

    def _variable(self, name: str, words: set[str], constant: bool) -> None:
        c = self.c
        at = c.at
        kind = read_type(c)
        if isinstance(kind, VoidType | FunctionType):
            c.fail(f"{shown_type(kind)} is no type of a variable", at)
        initial = None if words.intersection(_DECLARED) else read_value(c, kind)
        align, place, source_name = self._behind_variable(name)
        if name in _FOR_THE_LINKER:
            self.for_linker[name] = initial
            return
        self.globals[name] = GlobalVariable(
            name,
            kind,
            initial,
            constant,
            "thread_local" in words,
            align,
            place,
            source_name,
            internal=not words.isdisjoint(INTERNAL),
            weak=not words.isdisjoint(WEAK),
        )

    def _behind_variable(self, variable: str = "") -> tuple[int, DebugPlace | None, str]:
        """`, section "…", comdat, align 8, !dbg !0 #1`."""
        c = self.c
        align, place, name = 0, None, ""
        while c.tokens[c.at] == "," or c.tokens[c.at][:1] == "#":
            if not c.accept(","):
                c.at += 1
                continue
            word = c.tokens[c.at]
            if word == "align":
                c.at += 1
                align = c.number("an alignment")
                if align.bit_count() != 1 or align > MOST_ALIGNED:
                    c.fail("an alignment is a power of two up to 4294967296", c.at - 1)
            elif word == "!dbg":
                c.at += 1
                node = skip_metadata(c)
                name, place = c.debug.global_variable(node)
                c.debug.parts.globals[variable] = c.debug.types, node
            elif word[:1] == "!":
                c.at += 1
                skip_metadata(c)
            else:
                skip_attribute(c)
                if c.tokens[c.at][:1] == '"':
                    c.at += 1
        return align, place, name

    def _alias(self, name: str, chosen: bool) -> None:
        """An alias, or, where it is `chosen`, what a function chooses when the program starts."""
        c = self.c
        read_type(c)
        c.expect(",")
        typed = is_type_start(c.tokens[c.at])
        value = read_operand(c).value if typed else read_value(c, POINTER)
        self.aliases[name] = OtherConst("ifunc") if chosen else value
        self._behind_variable()

    # ---- the whole module

    def _check_names(self) -> None:
        c = self.c
        for name, at in c.global_uses.items():
            if name not in self.globals and name not in self.functions:
                if name in self.aliases or name in _FOR_THE_LINKER:
                    continue
                c.fail(f"@{name} is neither defined nor declared", at)
        for name, at in c.type_uses.items():
            if name not in c.known_types:
                c.fail(f"the type %{name} is not defined", at)
        for name, value in self.aliases.items():
            seen = {name}
            while isinstance(value, GlobalName) and value.name in self.aliases:
                if value.name in seen:
                    c.fail(f"@{name} is an alias of itself", c.global_uses[value.name])
                seen.add(value.name)
                value = self.aliases[value.name]

    def _for_start_or_end(self, table: str) -> list[tuple[int, str]]:
        """The functions of a table of constructors with their priorities, lowest first."""
        found: list[tuple[int, str]] = []
        initial = self.for_linker.get(table)
        rows = initial.elements if isinstance(initial, AggregateConst) else ()
        for row in rows:
            fields = row.value.elements if isinstance(row.value, AggregateConst) else ()
            values = [each.value for each in fields]
            priority = values[0] if values else None
            name = values[1] if len(values) > 1 else None
            if isinstance(name, GlobalName) and name.name in self.functions:
                number = priority.value if isinstance(priority, IntConst) else _LAST_PRIORITY
                found.append((number, name.name))
        return sorted(found, key=lambda each: each[0])
