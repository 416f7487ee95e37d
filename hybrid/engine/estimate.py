"""How many candidate executions a program has, roughly: what brute force would go through.

For each load the stores that it may read, for each location the orders of its stores, multiplied; every instruction once for each time that
the loop bound lets it run. Where an address is computed, the one location that its text mentions is taken for it, or, if it mentions several or none, all.
"""

from __future__ import annotations

from math import lgamma, log

from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.program import Program, Thread

ANYWHERE = -1  # an address of which the text says nothing


def estimated_candidates(program: Program, unroll: int) -> float:
    """The decimal logarithm of their number."""
    loads: dict[int, float] = {}  # by address
    stores: dict[int, float] = {}
    for thread in program.threads:
        assigned = _assigned(thread)
        for place, instruction in enumerate(thread.code):
            if not isinstance(instruction, ins.Access):
                continue
            times = _times(thread, place, unroll)
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


def _times(thread: Thread, place: int, unroll: int) -> float:
    """How often an instruction may run: once more for each turn of each loop around it."""
    times = 1.0
    for at, instruction in enumerate(thread.code):
        if isinstance(instruction, ins.Branch | ins.Goto) and instruction.target <= place <= at:
            times *= unroll + 1
    return times


def _assigned(thread: Thread) -> set[str]:
    """The registers that some instruction writes."""
    found: set[str] = set()
    for instruction in thread.code:
        for field in ("register", "status"):
            name = getattr(instruction, field, None)
            if name is not None:
                found.add(name)
    return found


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
