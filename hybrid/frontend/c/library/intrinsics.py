"""Functions of LLVM's own, `llvm.…`: by the beginning of their names."""

from __future__ import annotations

from hybrid.frontend.c.library import strings
from hybrid.frontend.c.library.bits import COMPUTING
from hybrid.frontend.c.library.entry import Arguments, LibraryFunction, nothing, number
from hybrid.frontend.c.library.refused import refusing
from hybrid.frontend.c.library.varargs import va_copy, va_start
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import LlvmValue, binary
from hybrid.frontend.llvm.module import CallInst
from hybrid.program import instructions as ins
from hybrid.program.tags import FENCES


def first(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """Gives its first argument."""
    return arguments[0]


def object_size(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """That of an object which is not known: the least or the most."""
    return 0 if arguments[1] == 1 else -1


def mask(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    return binary("&", number(t, arguments[0]), number(t, arguments[1]))


def _fence(name: str) -> LibraryFunction:
    def fence(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
        if t.state.shares:
            t.emit(ins.Fence(t.span(), t.label(), FENCES[name]))
        return 0

    return fence


_JUMPING = refusing("jumps out of functions")
_BEGINNINGS: dict[str, LibraryFunction] = {
    "llvm.memcpy.element": refusing("a copy that is atomic element by element"),
    "llvm.memmove.element": refusing("a copy that is atomic element by element"),
    "llvm.memset.element": refusing("a memset that is atomic element by element"),
    "llvm.memcpy.": strings.memcpy,
    "llvm.memmove.": strings.memcpy,
    "llvm.memset.": strings.memset,
    "llvm.lifetime.": nothing,
    "llvm.dbg.": nothing,
    "llvm.assume": nothing,
    "llvm.expect.": first,
    "llvm.prefetch": nothing,
    "llvm.threadlocal.address": first,
    "llvm.launder.": first,
    "llvm.strip.": first,
    "llvm.ptrmask.": mask,
    "llvm.objectsize.": object_size,
    "llvm.stacksave": nothing,
    "llvm.stackrestore": nothing,
    "llvm.invariant.": nothing,
    "llvm.experimental.noalias": nothing,
    "llvm.donothing": nothing,
    "llvm.var.annotation": nothing,
    "llvm.ptr.annotation": first,
    "llvm.annotation.": first,
    "llvm.is.constant": nothing,
    "llvm.x86.sse2.pause": nothing,
    "llvm.x86.sse2.mfence": _fence("mfence"),
    "llvm.x86.sse2.lfence": _fence("lfence"),
    "llvm.x86.sse.sfence": _fence("sfence"),
    "llvm.va_start": va_start,
    "llvm.va_copy": va_copy,
    "llvm.va_end": nothing,
    "llvm.eh.sjlj.": _JUMPING,
    **COMPUTING,
}


def intrinsic(name: str) -> LibraryFunction | None:
    """None: it is none. One that is not known is refused by its name."""
    for beginning, found in _BEGINNINGS.items():
        if name.startswith(beginning):
            return found
    return refusing(f"LLVM's function {name}") if name.startswith("llvm.") else None
