"""Stores of what was there already, taken out of a run: may a load of the same thread have read
from them?

If a read-modify-write has stored what it had read, whoever reads from its store can read the same
from the store before it. For a load of another thread that makes nothing stricter. A load of the
same thread may have taken the value early, before the store counted as done; read from the other
thread's store, it would come after that. Where the model knows dependencies, and so such things, an
iteration with such a store counts as pure only if no load of the thread that stays can read from
it: on every way from the header on, the thread stores to the location before it reads there, or
reads what makes that iteration pure as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.passes.placing import Placed
from hybrid.program.passes.ssa import HERE, Iteration


def read_again(iteration: Iteration, rmw_at: int, placed: Sequence[Placed]) -> str:
    """Which access may read what a read-modify-write has stored again, in words; empty: none."""
    flow, header = iteration.flow, iteration.loop.header
    rmw = flow.code[rmw_at]
    assert isinstance(rmw, ins.Rmw)
    stored = iteration.term_at(rmw.operand, rmw_at)
    if not isinstance(rmw.address, ex.Const) or not isinstance(stored, ex.Const):
        return f"{rmw.label} may store anything, and the model knows dependencies"
    if rmw.op != "xchg":
        return f"{rmw.label} stores again what it read, and the model knows dependencies"
    seen, todo = {header}, [header]
    while todo:
        at = todo.pop()
        if at == len(flow.code):
            continue
        access = flow.code[at]
        if isinstance(access, ins.Access) and _meets(access, rmw.address.value):
            if access.reads and not _stays_out(iteration, at, stored.value, placed):
                return f"{access.label} may read what {rmw.label} stores again"
            if _stores(access) or (access.reads and isinstance(access.address, ex.Const)):
                continue  # it has stored, or read something else: what is later is later there, too
        for edge in flow.following[at]:
            if edge.target not in seen:
                seen.add(edge.target)
                todo.append(edge.target)
    return ""


def _meets(access: ins.Access, address: int) -> bool:
    return not isinstance(access.address, ex.Const) or access.address.value == address


def _stores(access: ins.Access) -> bool:
    """Whether it stores in any case, and to that place."""
    if not isinstance(access.address, ex.Const):
        return False
    return isinstance(access, ins.Store) or (isinstance(access, ins.Rmw) and access.op != "cas")


def _stays_out(iteration: Iteration, at: int, value: int, placed: Sequence[Placed]) -> bool:
    """Whether an access does not accept the value, or an iteration of the loop is pure, whatever
    else, if it reads that."""
    access = iteration.flow.code[at]
    assert isinstance(access, ins.Load | ins.Rmw)
    guard = access.guard
    if guard is not None and not guard.uses and not guard.accepts(value, {}):
        return True
    if at not in iteration.loop.body:
        return False
    name = ex.Register(HERE, f"{access.register}@{at}")
    for each in placed:
        condition = each.disjunct.condition
        if condition.keys() == {name} and value in condition[name]:
            return True
    return False
