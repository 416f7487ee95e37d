"""Other names for the types, functions and global variables of a module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from hybrid.frontend.llvm.module import (
    DebugPlace,
    GlobalName,
    GlobalVariable,
    LlvmFunction,
    Module,
    NamedType,
    StructType,
)


def renamed_module(module: Module, names: Mapping[str, str], types: Mapping[str, str]) -> Module:
    """The module with other names: `names` are those of functions, global variables and aliases."""
    if not names and not types:
        return module
    change = _Renaming(names, types)

    def new(name: str) -> str:
        return names.get(name, name)

    return replace(
        module,
        types={types.get(name, name): change(kind) for name, kind in module.types.items()},
        globals={new(name): change(each) for name, each in module.globals.items()},
        functions={new(name): change(each) for name, each in module.functions.items()},
        aliases={new(name): change(value) for name, value in module.aliases.items()},
        constructors=tuple(map(new, module.constructors)),
        destructors=tuple(map(new, module.destructors)),
        weak_aliases=frozenset(map(new, module.weak_aliases)),
        parts=module.parts.renamed(names, types),
    )


class _Renaming:
    """Changes the names in any part of a module; what has none stays the same object."""

    def __init__(self, names: Mapping[str, str], types: Mapping[str, str]) -> None:
        self._names = names
        self._types = types
        self._fields: dict[type, tuple[str, ...]] = {}

    def __call__(self, node: Any) -> Any:
        match node:
            case str() | int() | bytes() | None | DebugPlace():
                return node
            case NamedType(name):
                return NamedType(self._types[name]) if name in self._types else node
            case GlobalName(name):
                return GlobalName(self._names[name]) if name in self._names else node
            case tuple():
                return self._each(node)
            case dict():
                return {key: self(value) for key, value in node.items()}
        made = self._inside(node)
        if isinstance(made, StructType) and made.name in self._types:
            return replace(made, name=self._types[made.name])
        if isinstance(made, LlvmFunction | GlobalVariable) and made.name in self._names:
            return replace(made, name=self._names[made.name])
        return made

    def _each(self, node: tuple[Any, ...]) -> tuple[Any, ...]:
        made = tuple(map(self, node))
        same = all(one is other for one, other in zip(made, node, strict=True))
        return node if same else made

    def _inside(self, node: Any) -> Any:
        kind = type(node)
        names = self._fields.get(kind)
        if names is None:
            assert is_dataclass(kind)
            names = self._fields[kind] = tuple(each.name for each in fields(kind))
        changed = {}
        for name in names:
            old = getattr(node, name)
            new = self(old)
            if new is not old:
                changed[name] = new
        return replace(node, **changed) if changed else node
