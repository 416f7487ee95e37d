"""Programs that rsmc refuses under some models, as no order of commits gives all of their
executions.

- Read-modify-writes and exclusives, where the model does not commit their load before their store.
- Under models with forwarding, a load that could take the value of a fetch-and-op of its thread
  early: that value depends on what the fetch-and-op has read. Where the model does not order its
  load before the other, values can justify themselves in a circle.

What a model orders is found out with programs of two instructions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from hybrid.engine.commit_before import CommitBefore
from hybrid.errors import InputError, Unsupported
from hybrid.execution.execution import Execution
from hybrid.execution.unfolding import Unfolding
from hybrid.model import core
from hybrid.program import instructions as ins
from hybrid.program.expr import Const
from hybrid.program.program import Location, Program, Thread
from hybrid.program.tags import PLAIN
from hybrid.source import nowhere


def check_program(program: Program, model: core.Model) -> None:
    """Raises Unsupported for such a program. Fences between two instructions are not looked at."""
    ordered: dict[tuple[type[ins.Instruction], frozenset[str]], bool] = {}
    for thread in program.threads:
        for instruction in thread.code:
            pair = _pair(instruction)
            if pair is None:
                continue
            key = (type(pair), pair.tags)
            if key not in ordered:
                ordered[key] = _in_order(program, thread, pair, model)
            if not ordered[key]:
                raise Unsupported(
                    (
                        f"rsmc commits the load of a read-modify-write before its store, "
                        f"and the commit-before of {model.name} does not say that"
                    ),
                    pair.span,
                    hint="Use --engine enumerate or bmc.",
                )
        for rmw, load in _early(thread) if model.forward is not None else ():
            if not _after(program, thread, rmw, load, model):
                raise Unsupported(
                    f"{load.label} may read from {rmw.label}, whose value depends on what it has "
                    f"read, before {rmw.label} has stored: "
                    f"rsmc cannot find all such executions under {model.name}",
                    load.span,
                    hint="Use --engine enumerate or bmc.",
                )


def orders_pairs(model: core.Model) -> bool:
    """Whether the model commits the load of a read-modify-write before its store, just because they
    belong together."""
    here = nowhere("<pair>")
    place = Location(here, "x", 1, 0)
    access, one = Const(here, place.address), Const(here, 1)
    exchange = ins.Rmw(here, "0", None, "xchg", access, one, None, frozenset({PLAIN}))
    thread = Thread(here, "0", (exchange,))
    try:
        return _in_order(Program("", (place,), (thread,)), thread, exchange, model)
    except InputError:  # it has no commit-before
        return False


def _pair(instruction: ins.Instruction) -> ins.Rmw | ins.StoreConditional | None:
    """The instruction, if it is a store paired with a load."""
    match instruction:
        case ins.Rmw() | ins.StoreConditional():
            return instruction
        case ins.Load() | ins.Store() | ins.Fence() | ins.Assign() | ins.Select():
            return None
        case ins.Branch() | ins.Goto() | ins.Assume() | ins.Assert():
            return None
        case _:
            assert_never(instruction)


def _early(thread: Thread) -> Iterator[tuple[ins.Rmw, ins.Load | ins.Rmw]]:
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
        if place >= at:
            first = min((first, *jump.targets))
    return first


def _after(
    program: Program, thread: Thread, rmw: ins.Rmw, load: ins.Load | ins.Rmw, model: core.Model
) -> bool:
    """Whether the model commits the fetch-and-op's load before the other, when there is nothing
    between them."""
    before = _small(program, thread, model, (rmw, load))
    numbering = before.execution.numbering
    return before.leads(numbering.event(0, 0), numbering.event(0, 2))


def _in_order(
    program: Program, thread: Thread, pair: ins.Rmw | ins.StoreConditional, model: core.Model
) -> bool:
    """Whether the model commits the pair's load before its store."""
    if isinstance(pair, ins.Rmw):
        before = _small(program, thread, model, (pair,))
        numbering = before.execution.numbering
        return before.orders(numbering.event(0, 0), numbering.event(0, 1))
    tags = frozenset({"X"})
    reserve = ins.Load(pair.span, "0", None, pair.address, tags, None, True)
    before = _small(program, thread, model, (reserve, pair))
    numbering = before.execution.numbering
    store = 1 + before.execution.unfolding.guess
    return before.orders(numbering.event(0, 0), numbering.event(0, store))


def _small(
    program: Program, thread: Thread, model: core.Model, code: tuple[ins.Access, ...]
) -> CommitBefore:
    """The accesses alone, all of one location, with constant operands: fetched, not committed."""
    place = Const(code[0].span, program.locations[0].address)
    zero = Const(code[0].span, 0)
    made: list[ins.Access] = []
    for number, access in enumerate(code):
        if isinstance(access, ins.Rmw):
            op = "xchg" if access.op == "cas" else access.op
            access = replace(access, op=op, operand=zero, expected=None, success=None, guard=None)
        elif isinstance(access, ins.Load):
            access = replace(access, guard=None)
        else:
            access = replace(access, value=zero)
        made.append(replace(access, label=str(number), address=place))
    small = Program("", program.locations[:1], (replace(thread, code=tuple(made)),))
    guess = not CommitBefore.holds_po(model)
    execution = Execution(Unfolding(small, 0, guess, model.forward is not None))
    if guess and isinstance(code[-1], ins.StoreConditional):
        execution.commit(execution.numbering.event(0, 1), 1)  # the choice: it stores
    before = CommitBefore(model, execution)
    before.take_in(0)
    return before
