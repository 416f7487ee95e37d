"""What a thread gets from the one that starts it: an object that the parent makes, fills and never
looks at again. Where all that it holds is known it is the child's own from the start, and neither
writing it nor reading it makes an event.
"""

from __future__ import annotations

from hybrid.frontend.c import access, private
from hybrid.frontend.c.space import ThreadKey
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import LlvmValue, Unset
from hybrid.program.origin import HEAP


def handed_over(
    t: CThread, key: ThreadKey, argument: LlvmValue
) -> tuple[LlvmValue, private.Pieces]:
    """The address of the child's object, and what it holds. An object that cannot be handed over
    is shared: the argument as it is, and nothing."""
    world = t.world
    old = world.space.find(argument) if isinstance(argument, int) else None
    if old is None or old.kind != HEAP or not world.is_private(old, t.key):
        return argument, {}
    assert isinstance(argument, int)
    pieces = private.pieces_in(t.state.memory, argument, old.size)
    if not all(isinstance(value, int | Unset) for _, _, value in pieces):
        return argument, {}
    new = world.space.add(
        ("handed over", key),
        old.name,
        old.size,
        HEAP,
        owner=key,
        place=old.place,
        align=64,
    )
    new.shapes |= old.shapes
    memory: private.Pieces = {}
    for offset, size, value in pieces:
        if isinstance(value, int) and argument <= value < argument + old.size:
            value += new.address - argument  # it points into itself
        elif isinstance(value, int):
            pointed = world.space.find(value)
            if pointed is not None and pointed.owner is not None:
                world.escapes(value)
        memory[new.address + offset] = (size, value)
    private.clear(t.state.memory, argument, old.size)
    t.state.facts[access.freed_fact(old, argument)] = 1  # as far as the parent is concerned
    return new.address, memory
