"""std::thread, and what threads of C++ wait for: mutexes, condition variables, calls that happen
once.

A std::thread is a pthread_t, 0 if it cannot be joined; a mutex or a condition variable of C++
begins with the one of POSIX, whose functions (mutexes.py, conditions.py, …) do the work.
"""

from __future__ import annotations

import re

from hybrid.frontend.c import access, private, threads
from hybrid.frontend.c.library import conditions, mutexes, once, rwlocks
from hybrid.frontend.c.library.entry import (
    Arguments,
    Going,
    LibraryFunction,
    nothing,
    number,
)
from hybrid.frontend.c.library.runtime import RUN_STATE
from hybrid.frontend.c.library.waiting import EBUSY
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import LlvmValue, Scalar, binary, compare
from hybrid.frontend.llvm.module import CallInst
from hybrid.program.origin import ASSERTION, GLOBAL, LOCKING

_JOIN = "invalid join"
_LAMBDA = re.compile(r"\(lambda at [^()]*:(\d+):\d+\)")

# ---- threads


def pthread_create(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """What std::thread of libc++ calls, too: then the argument is an object with the function and
    its arguments, which the new thread deletes."""
    thread, _, function, argument = arguments[:4]
    code = number(t, function)
    name = t.world.functions[code].name if code in t.world.functions else ""
    ours = "__thread_proxy" in name
    shown = _shown_name(t, code, argument) if ours else ""
    handle = threads.spawn(t, code, argument, shown, hands_over=ours)
    access.store_cell(t, number(t, thread), 8, handle)
    return 0


def start_thread(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """libstdc++: an object that knows what to run, in a unique_ptr."""
    this, holder = number(t, arguments[0]), number(t, arguments[1])
    state = access.load_cell(t, holder, 8)
    access.store_cell(t, holder, 8, 0)
    code = t.world.space.by_key["function", RUN_STATE].address
    name = _shown_name(t, 0, state)
    handle = threads.spawn(t, code, state, name, hands_over=True)
    access.store_cell(t, this, 8, handle)
    return 0


def _shown_name(t: CThread, function: Scalar, argument: LlvmValue) -> str:
    """What a thread is called: as the function that it runs, or by the line of its lambda."""
    world = t.world
    code = world.functions.get(function) if isinstance(function, int) else None
    found = _LAMBDA.search(code.place.function) if code is not None and code.place else None
    if found is not None:
        return f"lambda:{found[1]}"
    start = world.space.find(argument) if isinstance(argument, int) else None
    if start is not None and isinstance(argument, int):
        for _, size, value in private.pieces_in(t.state.memory, argument, start.size):
            called = world.functions.get(value) if isinstance(value, int) and size == 8 else None
            if called is not None:
                return called.place.function if called.place is not None else called.name
    return f"thread:{t.at.line}" if t.at is not None else "thread"


def thread_local_data(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """libc++: the key, 0, by which a thread has its own __thread_struct."""
    key = ("c++", "thread data")
    return t.world.space.add(key, "thread data", 8, GLOBAL, zeroed=True, constant=True).address


def make_thread_struct(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """libc++: nobody looks into it, and the library sees to its end."""
    this = number(t, arguments[0])
    found = t.world.space.find(this) if isinstance(this, int) else None
    if found is not None:
        found.owner = None
    return 0


def join(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    this = number(t, arguments[0])
    threads.join(t, _joinable(t, this, "join of a thread that is not joinable"), 0)
    access.store_cell(t, this, 8, 0)
    return 0


def detach(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    this = number(t, arguments[0])
    _joinable(t, this, "detach of a thread that is not joinable")
    access.store_cell(t, this, 8, 0)
    return 0


def _joinable(t: CThread, this: Scalar, wrong: str) -> Scalar:
    handle = number(t, access.load_cell(t, this, 8))
    t.check(compare("ne", handle, 0, 64), _JOIN, wrong)
    if handle == 0:
        t.end()
    return handle


def destroy_thread(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    handle = number(t, access.load_cell(t, number(t, arguments[0]), 8))
    wrong = "std::terminate is called: a thread is destroyed that is still joinable"
    t.check(compare("eq", handle, 0, 64), ASSERTION, wrong)
    return 0


def hardware_concurrency(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    return 2


# ---- mutexes


def _succeeds(tries: LibraryFunction) -> LibraryFunction:
    """1 where the function of POSIX gives 0, else 0."""

    def try_it(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
        failure = tries(t, arguments, call)
        if isinstance(failure, Going):
            return failure
        return compare("eq", number(t, failure), 0, 64)

    return try_it


try_lock = _succeeds(mutexes.trying(EBUSY))
try_write = _succeeds(rwlocks.trying_to_write(EBUSY))
try_read = _succeeds(rwlocks.trying_to_read(EBUSY))


def make_lock(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    return mutexes.mutex_init(t, [arguments[0], 0], call)


def wait(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """The second argument is a unique_lock: the address of its mutex, and whether it holds it."""
    lock = number(t, arguments[1])
    mutex = access.load_cell(t, lock, 8)
    owns = number(t, access.load_cell(t, binary("+", lock, 8), 1))
    t.check(compare("ne", owns, 0, 64), LOCKING, "wait with a lock that is not held")
    return conditions.wait(t, [arguments[0], mutex], call)


# ---- once


def call_once(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    """libc++: the flag, an argument, a function of it. The flag is all ones in the end."""
    flag, argument, function = arguments[:3]
    return once.run_once(t, number(t, flag), 8, -1, function, [argument])


def _named(functions: dict[str, LibraryFunction]) -> dict[str, LibraryFunction]:
    """By the names of both libraries."""
    return {
        f"{beginning}{name}": function
        for name, function in functions.items()
        for beginning in ("_ZNSt3__1", "_ZNSt")
    }


def _lock_functions() -> dict[str, LibraryFunction]:
    found: dict[str, LibraryFunction] = {}
    for kind in ("5mutex", "15recursive_mutex", "11timed_mutex", "21recursive_timed_mutex"):
        made = mutexes.init_recursive if "recursive" in kind else make_lock
        found |= {
            f"{kind}C1Ev": made,
            f"{kind}C2Ev": made,
            f"{kind}D1Ev": mutexes.mutex_destroy,
            f"{kind}D2Ev": mutexes.mutex_destroy,
            f"{kind}4lockEv": mutexes.mutex_lock,
            f"{kind}6unlockEv": mutexes.mutex_unlock,
            f"{kind}8try_lockEv": try_lock,
        }
    for kind in ("19__shared_mutex_base", "18shared_timed_mutex"):
        found |= {
            f"{kind}C1Ev": mutexes.attribute_init,
            f"{kind}C2Ev": mutexes.attribute_init,
            f"{kind}4lockEv": rwlocks.write_lock,
            f"{kind}6unlockEv": rwlocks.unlock,
            f"{kind}8try_lockEv": try_write,
            f"{kind}11lock_sharedEv": rwlocks.read_lock,
            f"{kind}13unlock_sharedEv": rwlocks.unlock,
            f"{kind}15try_lock_sharedEv": try_read,
        }
    return found


FUNCTIONS: dict[str, LibraryFunction] = {
    "pthread_create": pthread_create,
    **_named(_lock_functions()),
    **_named(
        {
            "6thread4joinEv": join,
            "6thread6detachEv": detach,
            "6threadD1Ev": destroy_thread,
            "6threadD2Ev": destroy_thread,
            "6thread20hardware_concurrencyEv": hardware_concurrency,
            "15__thread_structC1Ev": make_thread_struct,
            "15__thread_structD1Ev": nothing,
            "19__thread_local_dataEv": thread_local_data,
            "18condition_variableC1Ev": conditions.condition_init,
            "18condition_variableD1Ev": nothing,
            "18condition_variable10notify_oneEv": conditions.signal,
            "18condition_variable10notify_allEv": conditions.broadcast,
            "18condition_variable4waitERNS_11unique_lockINS_5mutexEEE": wait,
            "18condition_variable4waitERSt11unique_lockISt5mutexE": wait,
            "11__call_onceERVmPvPFvS2_E": call_once,
            "11this_thread9sleep_forERKNS_6chrono8durationIxNS_5ratioILl1ELl1000000000"
            "EEEEE": nothing,
            "11this_thread11__sleep_forENSt6chrono8durationIlSt5ratioILl1ELl1EEEENS1_IlS2_ILl1E"
            "Ll1000000000EEEE": nothing,
        }
    ),
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE": (
        start_thread
    ),
    "_ZNSt6thread6_StateD2Ev": nothing,
}
