"""Wakeup trees, weak initials and `insert`: lines 34 to 44 of Algorithm 1 of "Awaiting for Godot".

The paper's names: a node of wut(E') is a `WakeupNode`, its children in the order ≺; a member of a
sleep set is one too, without children. A wakeup sequence v is a `WakeupSequence`: events of the
execution at hand that do not happen after e, in their order, then the event of ê'. p ∈ WI[E'](v) is
`weak_initial`.

What the paper leaves open, and what works:

- Line 38 asks for the weak initials of what is left of v after E'.u, not after E'.
- Line 39 returns when p is a weak initial and does not occur in v.
- insert never comes to the branch that is being explored: its first event is not a weak initial.
"""

from __future__ import annotations

from typing import Final

from hybrid.engine.odpor.happens_before import HappensBefore
from hybrid.engine.odpor.wakeup_nodes import WakeupNode, WakeupSequence
from hybrid.errors import InternalError

# what `weak_initial` says; else it gives the position of an event
NOT_INITIAL: Final = -1
ABSENT: Final = -2  # it is independent of the whole sequence and not in it
LAST: Final = -3  # it is the last event of the sequence


def node_of(order: HappensBefore, event: int) -> WakeupNode:
    """An event of the execution at hand as a node."""
    return WakeupNode(
        order.process[event],
        order.alternative[event],
        order.location[event],
        order.flags[event],
        order.own[event],
    )


def first_of(order: HappensBefore, sequence: WakeupSequence) -> WakeupNode:
    """The first event of a sequence."""
    events = sequence.events
    return node_of(order, (events & -events).bit_length() - 1) if events else sequence.last


def weak_initial(
    order: HappensBefore, node: WakeupNode, sequence: WakeupSequence, rest: int, has_last: bool
) -> int:
    """Whether the event of a node, enabled where the sequence begins, is a weak initial of what is
    left of the sequence: `rest`, and with `has_last` the last one."""
    own = order.of_process[node.process] & rest
    if own:
        event = (own & -own).bit_length() - 1
        same = order.alternative[event] == node.alternative
        return event if same and not order.before[event] & rest else NOT_INITIAL
    last = sequence.last
    if has_last and last.process == node.process:
        same = last.alternative == node.alternative
        return LAST if same and not sequence.waits_for & rest else NOT_INITIAL
    return ABSENT if order.independent(node, sequence, rest, has_last) else NOT_INITIAL


def insert(order: HappensBefore, nodes: list[WakeupNode], sequence: WakeupSequence) -> int:
    """Inserts the sequence into the tree with these nodes below its root, of which the first is
    being explored; gives the number of new nodes."""
    rest, has_last = sequence.events, True
    exploring: WakeupNode | None = nodes[0]
    while True:
        descended = False
        for node in nodes:
            found = weak_initial(order, node, sequence, rest, has_last)
            if found == NOT_INITIAL:
                continue
            if node is exploring:
                raise InternalError("a wakeup sequence leads into the branch being explored")
            if found == ABSENT:
                return 0
            if found == LAST:
                has_last = False
            else:
                rest ^= 1 << found
            if (not rest and not has_last) or not node.children:
                return 0
            nodes = node.children
            exploring = None
            descended = True
            break
        if not descended:
            return _append(order, nodes, sequence, rest, has_last)


def _append(
    order: HappensBefore,
    nodes: list[WakeupNode],
    sequence: WakeupSequence,
    rest: int,
    has_last: bool,
) -> int:
    """Adds what is left of the sequence as a new rightmost branch."""
    added = 0
    while rest:
        low = rest & -rest
        rest ^= low
        node = node_of(order, low.bit_length() - 1)
        nodes.append(node)
        nodes = node.children
        added += 1
    if has_last:
        nodes.append(sequence.last)
        added += 1
    return added
