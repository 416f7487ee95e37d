"""Thread-specific data: its keys, and the destructors that a thread calls at its end.

Keys are numbers, one for each place where a thread makes one; what a thread has for a key is known
by that thread alone, and no event. Which key it is may depend on memory, as where the first of some
threads makes it.
"""

from __future__ import annotations

from collections.abc import Hashable
from enum import Enum
from typing import TypeGuard

from hybrid.frontend.c import access
from hybrid.frontend.c.library import heap
from hybrid.frontend.c.library.entry import Arguments, Going, LibraryFunction, known, number, one_of
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import Aggregate, LlvmValue, Unset, compare
from hybrid.frontend.llvm.module import CallInst

_HAS = "specific"  # with a key: what the thread has for it
_ROUNDS = "destroyed"  # with a key: how often its destructor was called
_MOST_ROUNDS = 4  # PTHREAD_DESTRUCTOR_ITERATIONS
_EINVAL = 22  # there is no such key


class Clearing(Enum):
    """How a thread goes on that is about to end."""

    DONE = "done"  # there is nothing to clear away any more
    CALLS = "calls"  # a destructor was entered; then it comes here again
    PARTED = "parted"  # the segment ends here


def create(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    keys = t.world.learnt.keys
    place = (t.key, t.state.top.here)
    key = keys[place][0] if place in keys else len(keys) + 1
    keys[place] = key, known(t, arguments[1], "a destructor")
    access.store_cell(t, number(t, arguments[0]), 4, key)
    return 0


def delete(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """What threads have for the key is not cleared away any more, if they end after this: which of
    them do is not known. Their destructors are called."""
    return 0


def put(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    made = sorted(key for key, _ in t.world.learnt.keys.values())
    key = one_of(t, number(t, arguments[0]), made, 32)
    if isinstance(key, Going):
        return key
    if key is None:
        return _EINVAL
    t.state.facts[_HAS, key] = arguments[1]
    return 0


def get(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    mine = sorted(each[1] for each in t.state.facts if _is_value(each))
    key = one_of(t, number(t, arguments[0]), mine, 32)
    if isinstance(key, Going):
        return key
    return t.state.facts.get((_HAS, key), 0)


# ---- at the end of a thread


def clear(t: CThread) -> Clearing:
    """Calls the destructor of the first key for which the thread has something. The instruction
    that ends the thread is executed again after that."""
    facts = t.state.facts
    top = t.state.top
    destructors = dict(t.world.learnt.keys.values())
    for key in sorted(each[1] for each in facts if _is_value(each)):
        destructor = destructors.get(key, 0)
        value = facts[_HAS, key]
        rounds = facts.get((_ROUNDS, key), 0)
        if not destructor or value == 0 or isinstance(value, Unset | Aggregate):
            continue
        if not isinstance(rounds, int) or rounds >= _MOST_ROUNDS:
            continue
        skipped, called = ("nothing for", key, rounds), ("clears", key, rounds)
        if skipped in top.choice:
            continue
        if called not in top.choice and not t.fork(compare("ne", value, 0, 64), called, skipped):
            return Clearing.PARTED
        if called not in top.choice:
            continue
        function = t.world.functions.get(destructor)
        if function is None:
            raise t.refuse("a destructor that is not a function")
        facts[_HAS, key] = 0
        if function.name == "free" and isinstance(value, int):
            heap.free_known(t, value)
            continue
        if not function.blocks:
            raise t.refuse(f"the destructor {function.name} of what memory holds")
        facts[_ROUNDS, key] = rounds + 1
        t.push(function, [value], "", "", again=True)
        return Clearing.CALLS
    return Clearing.DONE


def _is_value(key: Hashable) -> TypeGuard[tuple[str, int]]:
    return isinstance(key, tuple) and len(key) == 2 and key[0] == _HAS


FUNCTIONS: dict[str, LibraryFunction] = {
    "pthread_key_create": create,
    "pthread_key_delete": delete,
    "pthread_setspecific": put,
    "pthread_getspecific": get,
    "tss_create": create,
    "tss_delete": delete,
    "tss_set": put,
    "tss_get": get,
}
