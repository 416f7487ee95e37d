"""What memory holds when a program, or a thread, begins."""

from __future__ import annotations

from hybrid.frontend.c import access, private
from hybrid.frontend.c.operands import evaluate
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import Aggregate, LlvmValue, Unset
from hybrid.frontend.llvm import module as ll
from hybrid.program.origin import GLOBAL
from hybrid.program.values import wrap


def set_globals(t: CThread) -> None:
    """The initial values of global variables."""
    for each in t.world.module.globals.values():
        if not each.thread_local and each.initial is not None:
            address = t.world.space.by_key["global", each.name].address
            _set(t, address, each.type, each.initial)


def set_thread_locals(t: CThread) -> None:
    """Of the variables that each thread has."""
    for each in t.world.module.globals.values():
        if each.thread_local and each.initial is not None:
            found = t.world.thread_local(each, t.key)
            _set(t, found.address, each.type, each.initial)


def _set(t: CThread, address: int, type: ll.Type, value: ll.Value) -> None:
    if isinstance(value, ll.NullConst | ll.UndefConst):
        return  # such memory is full of zeros already
    layout = t.world.layout
    resolved = layout.resolve(type)
    if isinstance(resolved, ll.StructType | ll.ArrayType):
        if isinstance(value, ll.AggregateConst):
            for (offset, kind), each in zip(
                access.parts(t, resolved), value.elements, strict=False
            ):
                _set(t, address + offset, kind, each.value)
        elif isinstance(value, ll.BytesConst):
            for at, byte in enumerate(value.data):
                private.write(t.state.memory, address + at, 1, byte if byte < 128 else byte - 256)
        return
    if isinstance(value, ll.OtherConst):
        return  # a number that cannot be read here; who reads it is refused
    if isinstance(value, ll.IntConst) and layout.size(type) > 8:
        for offset in range(0, layout.size(type), 8):
            part = wrap(value.value >> 8 * offset)
            private.write(t.state.memory, address + offset, 8, part)
        return
    number: LlvmValue = evaluate(t, value, type)
    if not isinstance(number, Unset | Aggregate) and number != 0:
        private.write(t.state.memory, address, layout.size(type), number)


def main_arguments(t: CThread, function: ll.LlvmFunction) -> dict[str, LlvmValue]:
    """argc is 1; argv has the name of the program; the environment is empty."""
    if len(function.parameters) < 2:
        values = [1]
    else:
        name = t.world.captions.name.encode(errors="surrogateescape") + b"\0"
        text = t.world.space.add(("argv", "name"), "argv[0]", len(name), GLOBAL, zeroed=True)
        for at, byte in enumerate(name):
            private.write(t.state.memory, text.address + at, 1, byte if byte < 128 else byte - 256)
        argv = t.world.space.add(("argv",), "argv", 16, GLOBAL, zeroed=True)
        private.write(t.state.memory, argv.address, 8, text.address)
        envp = t.world.space.add(("envp",), "envp", 8, GLOBAL, zeroed=True)
        values = [1, argv.address, envp.address]
    return {each.name: value for each, value in zip(function.parameters, values, strict=False)}
