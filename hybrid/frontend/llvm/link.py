"""One program of several modules, as a linker makes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from hybrid.errors import InputError
from hybrid.frontend.llvm.module import (
    GlobalVariable,
    LlvmFunction,
    Module,
    NamedType,
    Type,
    Value,
)
from hybrid.frontend.llvm.read_types import parts_of
from hybrid.frontend.llvm.rename import renamed_module
from hybrid.frontend.llvm.source_types import SourceParts

Symbol = LlvmFunction | GlobalVariable


def link(modules: Sequence[Module]) -> Module:
    """The modules as one: names that a module keeps to itself are made different, declarations give
    way to definitions, and weak definitions to others."""
    if not modules:
        raise InputError("there is no module to link")
    if len(modules) == 1:
        return modules[0]
    modules = _apart(modules)
    types: dict[str, Type] = {}
    for module in modules:
        types.update(module.types)
    aliases = _aliases(modules)
    symbols = _symbols(modules, aliases)
    constructors = sorted(_starts(modules), key=lambda each: each[0])
    destructors = sorted(_ends(modules), key=lambda each: -each[0])
    parts = SourceParts()
    for module in modules:
        parts.add(module.parts)
    return Module(
        ", ".join(module.name for module in modules),
        types,
        {name: each for name, each in symbols.items() if isinstance(each, GlobalVariable)},
        {name: each for name, each in symbols.items() if isinstance(each, LlvmFunction)},
        aliases,
        next((module.triple for module in modules if module.triple), ""),
        next((module.data_layout for module in modules if module.data_layout), ""),
        tuple(name for _, name in constructors),
        tuple(name for _, name in destructors),
        tuple(dict.fromkeys(file for module in modules for file in module.files)),
        tuple(priority for priority, _ in constructors),
        tuple(priority for priority, _ in destructors),
        frozenset(name for module in modules for name in module.weak_aliases if name in aliases),
        parts,
    )


def _starts(modules: Sequence[Module]) -> Iterable[tuple[int, str]]:
    for module in modules:
        yield from zip(module.constructor_priorities, module.constructors, strict=True)


def _ends(modules: Sequence[Module]) -> Iterable[tuple[int, str]]:
    """The last module ends first."""
    for module in reversed(modules):
        yield from zip(module.destructor_priorities, module.destructors, strict=True)


# ---- names that are apart


def _names_of(module: Module) -> dict[str, bool]:
    """Every function, global variable and alias, and whether it is known in this module alone."""
    found = {name: each.internal for name, each in module.functions.items()}
    found.update({name: each.internal for name, each in module.globals.items()})
    found.update(dict.fromkeys(module.aliases, False))
    return found


def _apart(modules: Sequence[Module]) -> list[Module]:
    """The modules, with other names where one means different things in two of them."""
    names = [_names_of(module) for module in modules]
    taken = Counter(name for each in names for name, internal in each.items() if not internal)
    used = {name for each in names for name in each}
    used_types = {name for module in modules for name in module.types}
    types: dict[str, Type] = {}
    made: list[Module] = []
    for module, own in zip(modules, names, strict=True):
        new_names: dict[str, str] = {}
        for name, internal in own.items():
            if internal and taken[name]:
                new_names[name] = _fresh(name, used)
            taken[name] += internal
        other = {name: _fresh(name, used_types) for name in _different(module.types, types)}
        made.append(renamed_module(module, new_names, other))
        types.update(made[-1].types)
    return made


def _fresh(name: str, used: set[str]) -> str:
    """A name like this one that is not used yet; it is used from now on."""
    number = 1
    while f"{name}.{number}" in used:
        number += 1
    used.add(f"{name}.{number}")
    return f"{name}.{number}"


def _different(own: dict[str, Type], known: dict[str, Type]) -> list[str]:
    """The names of types that stand for something else than what is known, themselves or through
    the types inside them."""
    different = {name for name, kind in own.items() if known.get(name, kind) != kind}
    shared = [name for name in own if name in known and name not in different]
    changed = bool(different)
    while changed:
        through = {name for name in shared if not different.isdisjoint(_names_in(own[name]))}
        changed = not through <= different
        different |= through
    return [name for name in own if name in different]


def _names_in(kind: Type) -> set[str]:
    """The named types directly inside a type."""
    found: set[str] = set()
    todo = [kind]
    while todo:
        kind = todo.pop()
        if isinstance(kind, NamedType):
            found.add(kind.name)
        todo += parts_of(kind)
    return found


# ---- definitions


def _all_of(module: Module) -> Iterable[tuple[str, Symbol]]:
    yield from module.globals.items()
    yield from module.functions.items()


def _is_defined(symbol: Symbol) -> bool:
    if isinstance(symbol, LlvmFunction):
        return bool(symbol.blocks)
    return symbol.initial is not None


def _rank(symbol: Symbol) -> int:
    """Which of two symbols of one name counts: the higher one."""
    return 2 * _is_defined(symbol) + (not symbol.weak)


_STRONG = 3  # the rank of a definition that nothing replaces


def _aliases(modules: Sequence[Module]) -> dict[str, Value]:
    """The aliases that no stronger definition replaces."""
    found: dict[str, tuple[Value, bool, Module]] = {}
    for module in modules:
        for name, value in module.aliases.items():
            weak = name in module.weak_aliases
            if name not in found or (found[name][1] and not weak):
                found[name] = value, weak, module
            elif not weak and found[name][0] != value:
                raise _defined_twice(name, found[name][2], module)
    for module in modules:
        for name, symbol in _all_of(module):
            if name in found and _rank(symbol) == _STRONG:
                if not found[name][1]:
                    raise _defined_twice(name, found[name][2], module)
                del found[name]
    return {name: value for name, (value, _, _) in found.items()}


def _symbols(modules: Sequence[Module], aliases: dict[str, Value]) -> dict[str, Symbol]:
    """The functions and global variables by name, each in its strongest form."""
    found: dict[str, tuple[Symbol, Module]] = {}
    for module in modules:
        for name, symbol in _all_of(module):
            if name in aliases:
                continue
            if name not in found:
                found[name] = symbol, module
                continue
            other, owner = found[name]
            if type(other) is not type(symbol):
                message = f"@{name} is a function in one of {owner.name} and {module.name} only"
                raise InputError(message)
            if _rank(symbol) == _rank(other) == _STRONG:
                raise _defined_twice(name, owner, module)
            if _rank(symbol) > _rank(other):
                found[name] = symbol, module
    return {name: symbol for name, (symbol, _) in found.items()}


def _defined_twice(name: str, first: Module, second: Module) -> InputError:
    return InputError(f"@{name} is defined in {first.name} and in {second.name}")
