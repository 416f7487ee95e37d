"""memcpy, memset, strlen and their like: texts and sizes have to be known."""

from __future__ import annotations

from collections.abc import Callable
from math import gcd

from hybrid.frontend.c import access, copying
from hybrid.frontend.c.library import heap
from hybrid.frontend.c.library.entry import Arguments, Going, LibraryFunction, known, number, one_of
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import LlvmValue, Scalar, binary, terms, wrapped
from hybrid.frontend.llvm.module import ArrayType, CallInst, IntType
from hybrid.program.expr import Expr

_LONGEST = 1 << 16  # bytes of a text
_WAYS = 17  # sizes that a copy may have, where memory decides about it
_MOST_COMPARED = 256  # bytes of which it is not known what they are

# ---- bytes


def memcpy(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    target, source, size = (number(t, each) for each in arguments[:3])
    unit = 0 if isinstance(size, int) else _unit(size)
    count = one_of(t, size, range(0, _WAYS * unit, max(unit, 1)), 64)
    if isinstance(count, Going):
        return count
    if count is None:
        most = (_WAYS - 1) * unit
        t.cut(f"a copy of more than {most} bytes, where memory decides how many")
        return 0
    inside = ArrayType(count // unit, IntType(8 * unit)) if unit in (1, 2, 4, 8) else None
    copying.copy(t, target, source, count, inside)
    return target


def _unit(size: Expr) -> int:
    """Of how many bytes a size is a multiple, which memory decides about."""
    found = [factor * (term if isinstance(term, int) else 1) for factor, term in terms(size)]
    return abs(gcd(*found)) or 1


def mempcpy(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    """The same, and gives the end."""
    target = memcpy(t, arguments, call)
    if isinstance(target, Going):
        return target
    return binary("+", number(t, target), number(t, arguments[2]))


def memset(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    target, byte, size = (number(t, each) for each in arguments[:3])
    copying.fill(t, target, byte, size)
    return target


def bzero(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    copying.fill(t, number(t, arguments[0]), 0, number(t, arguments[1]))
    return 0


def _bytes(t: CThread, pointer: LlvmValue, size: int, function: str) -> bytes:
    found = copying.known_bytes(t, number(t, pointer), size)
    if found is None:
        raise t.refuse(f"{function} of memory whose content is not known")
    return found


def memcmp(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    size = known(t, arguments[2], "the size of a comparison")
    pointers = [number(t, each) for each in arguments[:2]]
    one, other = (copying.known_bytes(t, each, size) for each in pointers)
    if one is not None and other is not None:
        return (one > other) - (one < other)
    if size > _MOST_COMPARED:
        raise t.refuse(f"memcmp of {size} bytes that are not known")
    return copying.difference(t, pointers[0], pointers[1], size)


def memchr(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    size = known(t, arguments[2], "the size of a search")
    found = _bytes(t, arguments[0], size, "memchr").find(_byte(t, arguments[1]))
    return 0 if found < 0 else binary("+", number(t, arguments[0]), found)


def _byte(t: CThread, value: LlvmValue) -> int:
    return known(t, value, "a character that is looked for") & 255


# ---- texts


def _text(t: CThread, pointer: LlvmValue, function: str, most: int = _LONGEST) -> bytes:
    """A text; of one that goes on after so many bytes, these."""
    found = copying.text_bytes(t, number(t, pointer), most)
    if found is None:
        raise t.refuse(f"{function} of a text that is not known")
    return found


def _most(t: CThread, value: LlvmValue) -> int:
    return min(known(t, value, "the length of a text"), _LONGEST)


def strlen(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    return len(_text(t, arguments[0], "strlen"))


def strnlen(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    return len(_text(t, arguments[0], "strnlen", _most(t, arguments[1])))


def strcmp(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    one, other = (_text(t, each, "strcmp") for each in arguments[:2])
    return (one > other) - (one < other)


def strncmp(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    most = _most(t, arguments[2])
    one, other = (_text(t, each, "strncmp", most) for each in arguments[:2])
    return (one > other) - (one < other)


def _finding(function: str, find: Callable[[bytes, bytes], int]) -> LibraryFunction:
    def search(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
        text = _text(t, arguments[0], function) + b"\0"
        found = find(text, bytes([_byte(t, arguments[1])]))
        return 0 if found < 0 else binary("+", number(t, arguments[0]), found)

    return search


def strstr(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    one, other = (_text(t, each, "strstr") for each in arguments[:2])
    found = one.find(other)
    return 0 if found < 0 else binary("+", number(t, arguments[0]), found)


def _write(t: CThread, target: Scalar, data: bytes) -> None:
    for at, byte in enumerate(data):
        access.store_cell(t, binary("+", target, at), 1, wrapped(byte, 8))


def strcpy(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    target = number(t, arguments[0])
    _write(t, target, _text(t, arguments[1], "strcpy") + b"\0")
    return target


def strncpy(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    target, most = number(t, arguments[0]), _most(t, arguments[2])
    _write(t, target, _text(t, arguments[1], "strncpy", most).ljust(most, b"\0"))
    return target


def strcat(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    target = number(t, arguments[0])
    end = binary("+", target, len(_text(t, arguments[0], "strcat")))
    _write(t, end, _text(t, arguments[1], "strcat") + b"\0")
    return target


def strncat(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    target = number(t, arguments[0])
    end = binary("+", target, len(_text(t, arguments[0], "strncat")))
    _write(t, end, _text(t, arguments[1], "strncat", _most(t, arguments[2])) + b"\0")
    return target


def strdup(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    return _copied(t, _text(t, arguments[0], "strdup"))


def strndup(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    return _copied(t, _text(t, arguments[0], "strndup", _most(t, arguments[1])))


def _copied(t: CThread, text: bytes) -> LlvmValue:
    made = heap.allocate(t, len(text) + 1, zeroed=False)
    _write(t, made, text + b"\0")
    return made


FUNCTIONS: dict[str, LibraryFunction] = {
    "memcpy": memcpy,
    "memmove": memcpy,
    "mempcpy": mempcpy,
    "memset": memset,
    "bzero": bzero,
    "memcmp": memcmp,
    "bcmp": memcmp,
    "memchr": memchr,
    "strlen": strlen,
    "strnlen": strnlen,
    "strcmp": strcmp,
    "strncmp": strncmp,
    "strchr": _finding("strchr", bytes.find),
    "strrchr": _finding("strrchr", bytes.rfind),
    "strstr": strstr,
    "strcpy": strcpy,
    "strncpy": strncpy,
    "strcat": strcat,
    "strncat": strncat,
    "strdup": strdup,
    "strndup": strndup,
}
