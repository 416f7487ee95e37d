"""The same program with its locations in other places: it must have the same traces.

All executors share the layout of memory, so none of them can notice that an address equals null or
that one object lies where another ends. Such a fault shows when the objects change places.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from hybrid.crosscheck.rename import renamed
from hybrid.engine.api import Engine, Limits
from hybrid.execution.trace import Key, Status
from hybrid.model.core import Model
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.program import Program

# With these, addresses give what does not depend on where they are: null or not, equal or not, near
# an object or not.
_OPERATORS = frozenset({"+", "-", "==", "!="})
_RMWS = frozenset({"xchg", "cas", "+"})


def relocated(program: Program) -> Program | None:
    """`program` with its locations in the places of each other, backwards; None when nothing in it
    is about addresses, or when its meaning may depend on the places."""
    if len(program.locations) < 2 or not has_pointers(program):
        return None
    for thread in program.threads:
        for instruction in thread.code:
            if isinstance(instruction, ins.Rmw) and instruction.op not in _RMWS:
                return None
            if not all(_moves(expression) for expression in instruction.expressions):
                return None
            guard = instruction.awaits
            if guard is not None and (guard.op not in _OPERATORS or guard.of is not None):
                return None
    return renamed(program, backwards=True)


def has_pointers(program: Program) -> bool:
    """Whether an address can be a value in memory or in a register."""
    if any(location.initial_name for location in program.locations):
        return True
    return any(
        expression.name
        for thread in program.threads
        for instruction in thread.code
        for expression in instruction.expressions
        if isinstance(expression, ex.Const) and expression is not instruction.place
    )


def _moves(expression: ex.Expr) -> bool:
    """Whether the value of an expression moves with the addresses in it."""
    if isinstance(expression, ex.Binary):
        if expression.op == "^":
            return expression.left == expression.right
        return expression.op in _OPERATORS and _moves(expression.left) and _moves(expression.right)
    if isinstance(expression, ex.Const | ex.Register):
        return True
    if isinstance(expression, ex.Unary):
        return False
    assert_never(expression)


def differs_elsewhere(
    program: Program,
    traces: set[Key],
    waiting: set[Key],
    endings: set[Status],
    model: Model,
    make: Callable[[], Engine],
    limits: Limits,
) -> str:
    """What is otherwise when the locations change places, in words; `traces` are the complete
    traces of `program`, `waiting` its runs in which threads wait for ever, `endings` tells whether
    others are cut or err. Empty when nothing is, or when there is nothing to move; Stopped when
    there is no time."""
    other = relocated(program)
    if other is None:
        return ""
    places = {
        there.address: here.address
        for here, there in zip(program.locations, other.locations, strict=True)
    }
    found: dict[Status, set[Key]] = {Status.COMPLETE: set(), Status.WAITING: set()}
    ends: set[Status] = set()
    for trace in make().explore(other, model, limits):
        if trace.status in found:
            rf, co = trace.key()
            co = tuple(sorted((places[address], order) for address, order in co))
            found[trace.status].add((rf, co))
        elif trace.status is not Status.BLOCKED:
            ends.add(trace.status)
    for here, there, what in (
        (traces, found[Status.COMPLETE], "traces"),
        (waiting, found[Status.WAITING], "waiting runs"),
    ):
        if here != there:
            return f"{len(here)} {what} become {len(there)}, {len(here & there)} of them the same"
    if ends != endings:
        return f"there are runs that are {_names(ends)}, not {_names(endings)}"
    return ""


def _names(endings: set[Status]) -> str:
    return " or ".join(sorted(status.value for status in endings)) or "neither cut nor wrong"
