"""Memory that a thread has for itself and has not freed when it ends: nobody else can."""

from __future__ import annotations

from hybrid.frontend.c import access
from hybrid.frontend.c.space import CObject
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import Aggregate, Scalar, Unset, as_expr, compare
from hybrid.program import instructions as ins
from hybrid.program.origin import HEAP, LEAK


def note_leaks(t: CThread) -> None:
    """What other threads may reach, too, is not looked at."""
    facts = t.state.facts
    for found in t.world.space.all:
        if found.kind != HEAP or not t.world.is_private(found, t.key):
            continue
        made = facts.get(found.key, 0)
        if not isinstance(made, int):
            continue
        for instance in range(made):
            at = found.address + instance * found.stride
            freed = facts.get(access.freed_fact(found, at), 0)
            if not isinstance(freed, Unset | Aggregate):
                _check_freed(t, found, compare("ne", freed, 0, 64))


def _check_freed(t: CThread, found: CObject, condition: Scalar) -> None:
    """An assertion whose place is where the memory was allocated."""
    if isinstance(condition, int) and condition:
        return
    captions = t.world.captions
    label = captions.label(found.made)
    message = f"{found.name} is not freed"
    captions.describe(label, found.made, found.calls, kind=LEAK, message=message)
    t.emit(ins.Assert(captions.span(found.made), label, as_expr(condition)))
