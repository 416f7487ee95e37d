"""How many candidate executions a program has, roughly: what brute force would go through.

For each load the stores that it may read, for each location the orders of its stores, multiplied;
every instruction once for each time that the loop bound lets it run, or that a loop on constants
runs along one way through the code. Where an address is computed, the one location that its text
mentions is taken for it, or, if it mentions several or none, all.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import lgamma, log

from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.loops import is_backward
from hybrid.program.program import Program, Thread

_WALKED = 20_000  # instructions, looking for how often loops on constants run
ANYWHERE = -1  # an address of which the text says nothing


def estimated_candidates(program: Program, unroll: int) -> float:
    """The decimal logarithm of their number."""
    loads: dict[int, float] = {}  # by address
    stores: dict[int, float] = {}
    for thread in program.threads:
        assigned = _assigned(thread)
        turns = _turns(thread, unroll)
        for place, instruction in enumerate(thread.code):
            if not isinstance(instruction, ins.Access):
                continue
            times = _times(thread, place, turns)
            where = _location(instruction.address, thread, assigned, program)
            if isinstance(instruction, ins.Load | ins.Rmw):
                loads[where] = loads.get(where, 0) + times
            if not isinstance(instruction, ins.Load):
                stores[where] = stores.get(where, 0) + times
    everywhere = stores.pop(ANYWHERE, 0.0)
    addresses = [location.address for location in program.locations]
    total = 0.0
    for address in addresses:
        own = stores.get(address, 0.0) + everywhere
        total += loads.get(address, 0.0) * log(own + 1) + lgamma(own + 1)
    total += loads.get(ANYWHERE, 0.0) * log(sum(stores.values()) + everywhere + len(addresses) or 1)
    return total / log(10)


def _times(thread: Thread, place: int, turns: dict[int, int]) -> float:
    """How often an instruction may run: once more for each turn of each loop around it."""
    times = 1.0
    for at, instruction in enumerate(thread.code):
        if isinstance(instruction, ins.Branch | ins.Goto) and instruction.target <= place <= at:
            times *= turns[at] + 1
    return times


def _turns(thread: Thread, unroll: int) -> dict[int, int]:
    """How often backward jumps are taken: as the bound says; on constants, as often as in a row
    along a way that jumps forwards only where constants say so."""
    turns = {at: unroll for at in range(len(thread.code)) if is_backward(thread.code, at)}
    if not turns:
        return turns
    known: dict[str, int | None] = dict(thread.initial)  # None: what memory gave
    row: dict[int, int] = {}
    at = 0
    for _ in range(_WALKED):
        if at >= len(thread.code):
            break
        instruction = thread.code[at]
        at += 1
        if isinstance(instruction, ins.Assign):
            known[instruction.register] = _value(instruction.value, known)
        elif isinstance(instruction, ins.Select):
            chosen = _value(instruction.condition, known)
            operand = instruction.yes if chosen else instruction.no
            known[instruction.register] = None if chosen is None else _value(operand, known)
        elif isinstance(instruction, ins.Goto | ins.Branch):
            value = 1 if isinstance(instruction, ins.Goto) else _value(instruction.condition, known)
            if value and instruction.target < at:
                row[at - 1] = row.get(at - 1, 0) + 1
                turns[at - 1] = max(turns[at - 1], row[at - 1])
            elif instruction.target < at:
                row[at - 1] = 0
            at = instruction.target if value else at
        else:
            known.update((name, None) for name in _written(instruction))
    return turns


def _value(expr: ex.Expr, known: Mapping[str, int | None]) -> int | None:
    held = {name: known.get(name, 0) for name in ex.registers(expr)}
    if None in held.values():
        return None
    return ex.evaluate(expr, {name: value or 0 for name, value in held.items()})


def _assigned(thread: Thread) -> set[str]:
    """The registers that some instruction writes."""
    return {name for instruction in thread.code for name in _written(instruction)}


def _written(instruction: ins.Instruction) -> list[str]:
    names = (getattr(instruction, each, None) for each in ("register", "status", "success"))
    return [name for name in names if name is not None]


def _location(address: ex.Expr, thread: Thread, assigned: set[str], program: Program) -> int:
    mentioned: set[int] = set()
    todo = [address]
    while todo:
        expr = todo.pop()
        if isinstance(expr, ex.Const):
            mentioned.add(expr.value)
        elif isinstance(expr, ex.Register):
            if expr.name not in assigned:
                mentioned.add(thread.initial.get(expr.name, 0))
        elif isinstance(expr, ex.Unary):
            todo.append(expr.operand)
        else:
            todo += (expr.left, expr.right)
    known = [value for value in mentioned if value in program.by_address]
    return known[0] if len(known) == 1 else ANYWHERE
