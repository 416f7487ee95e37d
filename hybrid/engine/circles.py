"""Programs that rsmc refuses under models with forwarding: a load that could take the value of a fetch-and-op of its thread early.

That value depends on what the fetch-and-op has read. Where the model does not order its load before the other, executions are possible in which values
justify themselves in a circle; no order of commits gives them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hybrid.engine.commit_before import CommitBefore
from hybrid.errors import Unsupported
from hybrid.execution.execution import Execution
from hybrid.execution.unfolding import Unfolding
from hybrid.model import core
from hybrid.program import instructions as ins
from hybrid.program.expr import Const
from hybrid.program.program import Program, Thread


def check_circles(program: Program, model: core.Model) -> None:
    """Raises Unsupported for such a program. Fences between the two are not looked at."""
    if model.forward is None:
        return
    for thread in program.threads:
        for rmw, load in _pairs(thread):
            if not _ordered(program, thread, rmw, load, model):
                raise Unsupported(
                    f"{load.label} may read from {rmw.label}, whose value depends on what that has read, before {rmw.label} has stored: "
                    f"rsmc cannot find all such executions under {model.name}",
                    load.span,
                    hint="Use --engine enumerate or bmc.",
                )


def _pairs(thread: Thread) -> Iterator[tuple[ins.Rmw, ins.Load | ins.Rmw]]:
    """Fetch-and-ops, each with the loads that may come after it and may be of its location."""
    code = thread.code
    for at, rmw in enumerate(code):
        if not isinstance(rmw, ins.Rmw) or rmw.op in ("xchg", "cas"):
            continue
        again = _first_again(thread, at)
        for place, load in enumerate(code):
            if (place > at or place >= again) and isinstance(load, ins.Load | ins.Rmw):
                one, other = rmw.address, load.address
                if not (isinstance(one, Const) and isinstance(other, Const)) or (
                    one.value == other.value
                ):
                    yield rmw, load


def _first_again(thread: Thread, at: int) -> int:
    """The first instruction that can come after instruction `at` by jumping backwards."""
    first = len(thread.code)
    for place, jump in enumerate(thread.code):
        if isinstance(jump, ins.Branch | ins.Goto) and place >= at and jump.target < first:
            first = jump.target
    return first


def _ordered(
    program: Program, thread: Thread, rmw: ins.Rmw, load: ins.Load | ins.Rmw, model: core.Model
) -> bool:
    """Whether the model commits the fetch-and-op's load before the other, when there is nothing between them."""
    place = Const(rmw.span, program.locations[0].address)
    zero = Const(rmw.span, 0)
    first = replace(rmw, label="1", address=place, operand=zero, guard=None)
    second: ins.Instruction = replace(load, label="2", address=place, guard=None)
    if isinstance(second, ins.Rmw):
        second = replace(second, operand=zero, op="xchg", expected=None, success=None)
    small = Program("", program.locations[:1], (replace(thread, code=(first, second)),))
    execution = Execution(Unfolding(small, 0, True, True))
    before = CommitBefore(model, execution)
    before.take_in(0)
    events = execution.unfolding.first
    return before.leads(events, events + 2)
