"""How many candidate executions a program has, roughly: what brute force would go through.

For each load the stores that it may read, for each location the orders of its stores, multiplied;
every instruction once for each time that the loop bound lets it run, or that a loop on constants
runs along one way through the code. Where an address is computed, the one location that its text
mentions is taken for it, or, if it mentions several or none, all.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import lgamma, log
from typing import assert_never

from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.condition import LocationTerm
from hybrid.program.loops import is_backward
from hybrid.program.program import Program, Thread

_WALKED = 20_000  # instructions, looking for how often loops on constants run
_Numbers = dict[int, float]  # of accesses, by address
ANYWHERE = -1  # an address of which the text says nothing


def estimated_candidates(program: Program, unroll: int) -> float:
    """The decimal logarithm of their number."""
    loads, stores = _Numbers(), _Numbers()
    for thread in program.threads:
        _count(thread, unroll, program, loads, stores)
    everywhere = stores.pop(ANYWHERE, 0.0)
    addresses = [location.address for location in program.locations]
    total = 0.0
    for address in addresses:
        own = stores.get(address, 0.0) + everywhere
        total += loads.get(address, 0.0) * log(own + 1) + lgamma(own + 1)
    total += loads.get(ANYWHERE, 0.0) * log(sum(stores.values()) + everywhere + len(addresses) or 1)
    return total / log(10)


def estimated_orders(program: Program, unroll: int) -> float:
    """The decimal logarithm of how many coherence orders there are for each way in which loads may
    read, at least: of the stores to a location, whose order in a thread is given, as many as loads
    and the final condition cannot tell apart. 0 where it is not known which locations are meant."""
    loads, stores = _Numbers(), _Numbers()
    orders = _Numbers()  # natural logarithms
    for thread in program.threads:
        own = _Numbers()
        _count(thread, unroll, program, loads, own)
        for where, number in own.items():
            stores[where] = stores.get(where, 0.0) + number
            orders[where] = orders.get(where, 0.0) - lgamma(number + 1)
    if ANYWHERE in loads or ANYWHERE in stores:
        return 0.0
    for term in program.asked:
        if isinstance(term, LocationTerm):
            loads[term.address] = loads.get(term.address, 0.0) + 1
    total = 0.0
    for where, number in stores.items():
        choices = loads.get(where, 0.0) * log(number + 1)
        total += max(0.0, lgamma(number + 1) + orders[where] - choices)
    return total / log(10)


def _count(
    thread: Thread, unroll: int, program: Program, loads: _Numbers, stores: _Numbers
) -> None:
    """Adds how often the thread may load from and store to each address."""
    assigned = _assigned(thread)
    turns = _turns(thread, unroll)
    for place, instruction in enumerate(thread.code):
        if instruction.place is None:
            continue
        times = _times(thread, place, turns)
        where = _location(instruction.place, thread, assigned, program)
        if instruction.reads:
            loads[where] = loads.get(where, 0.0) + times
        if instruction.writes:
            stores[where] = stores.get(where, 0.0) + times


def _times(thread: Thread, place: int, turns: dict[int, int]) -> float:
    """How often an instruction may run: once more for each turn of each loop around it."""
    times = 1.0
    for at, instruction in enumerate(thread.code):
        if any(target <= place <= at for target in instruction.targets):
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
        match instruction:
            case ins.Assign():
                known[instruction.register] = _value(instruction.value, known)
            case ins.Select():
                chosen = _value(instruction.condition, known)
                operand = instruction.yes if chosen else instruction.no
                known[instruction.register] = None if chosen is None else _value(operand, known)
            case ins.Goto():
                at = _jump(at - 1, instruction.target, True, row, turns)
            case ins.Branch():
                taken = bool(_value(instruction.condition, known))
                at = _jump(at - 1, instruction.target, taken, row, turns)
            case ins.Load() | ins.Store() | ins.Rmw() | ins.StoreConditional():
                known.update((name, None) for name in instruction.sets)
            case ins.Fence() | ins.Assume() | ins.Assert():
                pass
            case _:
                assert_never(instruction)
    return turns


def _jump(at: int, target: int, taken: bool, row: dict[int, int], turns: dict[int, int]) -> int:
    """Where the walk goes after the jump at `at`, which is counted if it goes backwards."""
    if taken and target <= at:
        row[at] = row.get(at, 0) + 1
        turns[at] = max(turns[at], row[at])
    elif target <= at:
        row[at] = 0
    return target if taken else at + 1


def _value(expr: ex.Expr, known: Mapping[str, int | None]) -> int | None:
    held = {name: known.get(name, 0) for name in ex.registers(expr)}
    if None in held.values():
        return None
    return ex.evaluate(expr, {name: value or 0 for name, value in held.items()})


def _assigned(thread: Thread) -> set[str]:
    """The registers that some instruction writes."""
    return {name for instruction in thread.code for name in instruction.sets}


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
        elif isinstance(expr, ex.Binary):
            todo += (expr.left, expr.right)
        else:
            assert_never(expr)
    known = [value for value in mentioned if value in program.by_address]
    return known[0] if len(known) == 1 else ANYWHERE
