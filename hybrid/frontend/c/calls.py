"""Calls: of functions of the program, of the library, of LLVM's own, and through pointers."""

from __future__ import annotations

from hybrid.frontend.c import copying, threads
from hybrid.frontend.c.callees import candidates, no_candidate
from hybrid.frontend.c.demangle import demangled
from hybrid.frontend.c.library import Going, header_function, library_function, specific
from hybrid.frontend.c.library.assembly import assembly
from hybrid.frontend.c.library.cxx import run_destructor
from hybrid.frontend.c.library.entry import LibraryFunction
from hybrid.frontend.c.operands import operand, scalar
from hybrid.frontend.c.space import LINK_HINT
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import UNSET_VALUE, LlvmValue, compare
from hybrid.frontend.llvm import module as ll
from hybrid.program.origin import STACK, UNSET, WILD

_MOST_TAKEN = 8  # arguments, by a function of the library


def call(t: CThread, each: ll.CallInst) -> bool:
    """A call. False: the segment ends with it."""
    if isinstance(each.callee, ll.InlineAsm):
        return _goes_on(t, each, assembly(t, each))
    name = _name(t, each.callee)
    if name is not None:
        function = t.world.module.functions.get(name)
        shortcut = header_function(name, len(each.arguments))
        if shortcut is not None or function is None or not function.blocks:
            return _library(t, each, name, shortcut)
        return _enter(t, each, function)
    return _through_pointer(t, each)


def _name(t: CThread, callee: ll.Value) -> str | None:
    """The function that is called, where the call names it."""
    seen = 0
    while isinstance(callee, ll.GlobalName):
        if callee.name not in t.world.module.aliases or seen > 100:
            return callee.name
        callee = t.world.module.aliases[callee.name]
        seen += 1
    if isinstance(callee, ll.ConstExpr) and isinstance(callee.instruction, ll.Cast):
        return _name(t, callee.instruction.operand.value)
    return None


def _goes_on(t: CThread, each: ll.CallInst, value: LlvmValue) -> bool:
    if each.result:
        t.state.top.locals[each.result] = value
    if each.normal:
        return t.go(each.normal)
    t.state.top.step()
    return True


def _enter(t: CThread, each: ll.CallInst, function: ll.LlvmFunction) -> bool:
    named = len(function.parameters)
    arguments = [_argument(t, argument) for argument in each.arguments[:named]]
    for place, argument in enumerate(each.arguments[:named]):
        if argument.byval is not None:
            arguments[place] = _copied(t, place, argument, argument.byval)
    rest = tuple(_unnamed(t, argument) for argument in each.arguments[named:])
    t.push(function, arguments, each.result, each.normal, rest=rest)
    return True


def _unnamed(t: CThread, argument: ll.Operand) -> tuple[int, LlvmValue]:
    """An argument of a function that takes any number of them: its size and its value. One of
    floating point is refused where it is read."""
    if argument.byval is not None:
        raise t.refuse("a struct among a variable number of arguments")
    if isinstance(argument.type, ll.OtherType):
        return 8, UNSET_VALUE
    return t.world.layout.size(argument.type), operand(t, argument)


def _argument(t: CThread, argument: ll.Operand) -> LlvmValue:
    """A pointer that is not defined is the `this` of a lambda that captures nothing, as LLVM 14
    calls it. It may be looked at, as every parameter is, but not followed: then it is a wild
    one."""
    if isinstance(argument.value, ll.UndefConst) and isinstance(argument.type, ll.PointerType):
        return UNSET
    return operand(t, argument)


def _copied(t: CThread, place: int, argument: ll.Operand, type: ll.Type) -> int:
    """An argument that is passed as a copy of what it points to."""
    size = t.world.layout.size(type)
    found = t.world.space.add(
        ("copy", t.key, t.state.top.here, place),
        "argument",
        max(1, size),
        STACK,
        owner=t.key,
        thread=t.name,
        type=type,
    )
    copying.copy(t, found.address, scalar(t, argument), size, type)
    return found.address


def _library(
    t: CThread, each: ll.CallInst, name: str, shortcut: LibraryFunction | None = None
) -> bool:
    found = shortcut or library_function(name)
    if found is None:
        shown = demangled(name.removeprefix("\x01"))
        of_library = shown.startswith(("std::", "__"))
        hint = "" if of_library else LINK_HINT
        raise t.refuse(f"the function {shown}, which this program does not define", hint)
    arguments = [
        0 if isinstance(argument.type, ll.OtherType) else operand(t, argument)
        for argument in each.arguments
    ]
    arguments += [UNSET_VALUE] * (_MOST_TAKEN - len(arguments))  # a call may leave out some
    result = found(t, arguments, each)
    if isinstance(result, Going):
        return result is Going.INTO
    return _goes_on(t, each, result)


def _through_pointer(t: CThread, each: ll.CallInst) -> bool:
    callee = scalar(t, ll.Operand(ll.PointerType(), each.callee))
    world = t.world
    chosen = t.state.top.choice
    if chosen and isinstance(chosen[-1], int):
        callee = chosen[-1]
    if isinstance(callee, int):
        function = world.functions.get(callee)
        if function is None:
            t.fail(WILD, "a call through a pointer that is not the address of a function")
            return False
        if not function.blocks:
            return _library(t, each, function.name)
        return _enter(t, each, function)
    tried = {wrong[1] for wrong in chosen if isinstance(wrong, tuple)}
    address = next((found for found in candidates(t, each) if found not in tried), None)
    if address is None:
        no_candidate(t, callee)
        return False
    return t.fork(compare("eq", callee, address, 64), address, ("not", address))


def thread_returns(t: CThread, value: LlvmValue) -> bool:
    """The function of a thread returns. With main the program ends, and no data of its own are
    cleared away."""
    if run_destructor(t):
        return True
    if t.number:
        clearing = specific.clear(t)
        if clearing is not specific.Clearing.DONE:
            return clearing is specific.Clearing.CALLS
    if not threads.parts_at_end(t):
        threads.finish(t, value, "" if t.number else threads.RETURNS)
    return False
