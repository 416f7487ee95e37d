"""What cells of memory are called, in the words of the source: `x`, `a[2]`, `q.head`,
`(malloc at queue.c:30).next`."""

from __future__ import annotations

from hybrid.frontend.c.space import CObject, Space
from hybrid.frontend.llvm.layout import TypeLayout
from hybrid.frontend.llvm.module import ArrayType, IntType, PointerType, StructType, Type
from hybrid.frontend.llvm.source_types import SourceParts, SourceType, part_name
from hybrid.program.origin import INTERNAL


class CellNames:
    """The names that cells have; no two cells have the same."""

    def __init__(self, space: Space, layout: TypeLayout, parts: SourceParts) -> None:
        self._space = space
        self._layout = layout
        self._parts = parts
        self._given: dict[str, int] = {}

    def name(self, address: int, size: int) -> str:
        found = self._space.find(address)
        if found is None:
            return f"{address:#x}"
        offset = address - found.address
        name = found.name
        if found.instances > 1:
            instance, offset = divmod(offset, found.stride)
            name = f"{name} ({instance + 1})" if instance else name
        whole = f"({name})" if " " in name and found.kind != INTERNAL else name
        part = self._part(found, offset, size)
        made = f"{whole}{part}" if part else name
        if self._given.setdefault(made, address) != address:
            return f"{whole}+{offset}"
        return made

    def _part(self, found: CObject, offset: int, size: int) -> str:
        source = self._source(found)
        if source is not None:
            return part_name(source, offset, size)
        if found.type is not None:
            return self._element(found.type, offset)
        return self._used_as(found, offset, size) or (f"+{offset}" if offset else "")

    def _source(self, found: CObject) -> SourceType | None:
        match found.key:
            case ("global", str(name)) | ("thread-local", _, str(name)):
                return self._parts.of_global(name)
        if found.local is not None:
            return self._parts.of_local(*found.local)
        return None

    def _element(self, type: Type, offset: int) -> str:
        """How the part of a type at an offset is written, where only LLVM's type is known."""
        resolved = self._layout.resolve(type)
        if isinstance(resolved, ArrayType) and resolved.count:
            stride = self._layout.stride(resolved.element)
            index, rest = divmod(offset, stride) if stride else (0, offset)
            return f"[{index}]{self._element(resolved.element, rest)}"
        return f"+{offset}" if offset else ""

    def _used_as(self, found: CObject, offset: int, size: int) -> str:
        """The part of what is allocated, by the types with which it is used."""
        types = {type for at, type in found.shapes if at == 0}
        sized = sorted(((self._layout.stride(each), each) for each in types), key=lambda e: -e[0])
        for stride, type in sized:
            resolved = self._layout.resolve(type)
            if not stride or isinstance(resolved, ArrayType):
                continue
            if isinstance(resolved, StructType):
                source = self._parts.of_struct(resolved.name, stride)
                if source is None:
                    return ""
                if found.size < 2 * stride or any(each.type.open for each in source.fields):
                    return part_name(source, offset, size)
                return f"[{offset // stride}]{part_name(source, offset % stride, size)}"
            index, rest = divmod(offset, stride)
            array = f"[{index}]" if found.size >= 2 * stride else ""
            if isinstance(resolved, IntType | PointerType) and stride == size and not rest:
                return array
        return ""
