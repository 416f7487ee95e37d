"""When an iteration of a loop changes nothing: partial loop purity, Jonsson, Lång and Sagonas,
"Awaiting for Godot: Stateless Model Checking that Avoids Executions where Nothing Happens" (FMCAD
2022), section III.

FPC(•s), FPC(s•) and FPC(A, B) are `before`, `_behind` and `_along`: conditions under which what
follows, up to the header, modifies nothing. They go backwards from the edges to the header; an edge
that leaves the loop, or goes back within an inner one, has the condition False. An edge to the
header is impure where a register that may be used later holds another value than at the beginning
of the iteration; as values have names (ssa.py) and these are replaced along edges, this is decided
way by way.

A disjunct remembers what the paper associates with it, and what else is needed: the access before
which it must not be tested as that may fail (or race, or wait); the read-modify-writes on its way
that store what they have read; and those that may have failed for no reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import assert_never

from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import values
from hybrid.program.passes import conditions as cn
from hybrid.program.passes.cfg import FlowEdge
from hybrid.program.passes.intervals import ONE, ZERO
from hybrid.program.passes.ssa import HERE, Iteration, incoming

_NOWHERE = -1
_NEUTRAL = ("+", "-", "^")  # 0 is what changes nothing


@dataclass(frozen=True, slots=True)
class Disjunct:
    """A way back to the header on which nothing is modified, or several."""

    condition: cn.Conjunction
    back: int  # from where it goes back to the header
    after: int = _NOWHERE  # it must not be tested before this access
    same: frozenset[int] = frozenset()  # rmws on the way that store what they have read
    spurious: frozenset[int] = frozenset()  # store-conditionals and weak cas that have failed

    @property
    def manner(self) -> tuple[object, ...]:
        return (self.back, self.after, self.same, self.spurious)


Purity = tuple[Disjunct, ...]


class ForwardPurity:
    """Of all points of a loop."""

    def __init__(
        self,
        iteration: Iteration,
        live: frozenset[str],
        late: Callable[[ins.Access], bool],
        alone: Callable[[int], bool],
    ) -> None:
        """`live`: the registers that may be used from the header on. `late`: whether something
        other than its purity may come to light when an access happens. `alone`: whether that may be
        a race of no other round."""
        self.alone = alone
        self.iteration = iteration
        self.live = live
        self.late = late
        self.before: dict[int, Purity] = {}  # FPC(•s)
        self.reasons: dict[int, str] = {}  # by instruction: why a way through it is not pure
        for at in reversed(iteration.order):
            self.before[at] = self._before(at, self._behind(at))

    @property
    def condition(self) -> Purity:
        """The purity condition of the loop: that of its header, without what no test can tell."""
        return tuple(
            disjunct
            for disjunct in self.before[self.iteration.loop.header]
            if not any(_is_obligation(term) for term in disjunct.condition)
        )

    def modified(self) -> list[str]:
        """Which registers are used later and set anew on ways that would be pure otherwise."""
        found: dict[str, None] = {}
        for disjunct in self.before[self.iteration.loop.header]:
            for term in disjunct.condition:
                if isinstance(term, ex.Binary) and _is_obligation(term):
                    register = ex.show(term.right).removesuffix(incoming(""))
                    found[f"{register} is used later and gets another value"] = None
        return list(found)

    # ---- edges

    def _behind(self, at: int) -> Purity:
        return _merged([d for edge in self.iteration.flow.following[at] for d in self._along(edge)])

    def _along(self, edge: FlowEdge) -> Purity:
        iteration, source, target = self.iteration, edge.source, edge.target
        if target not in iteration.loop.body:
            return ()
        if target == iteration.loop.header:
            found: Purity = self._unchanged(source)
        elif iteration.is_back(source, target):
            self.reasons.setdefault(source, "goes back within an inner loop")
            return ()
        else:
            found = _merged([s for d in self.before[target] for s in self._moved(d, edge)])
        return self._given(found, self._taken(edge))

    def _taken(self, edge: FlowEdge) -> cn.Dnf:
        """The condition of an edge."""
        instruction = self.iteration.flow.code[edge.source]
        if edge.truth is None or not isinstance(instruction, ins.Branch):
            return cn.TRUE
        term = self.iteration.term_at(instruction.condition, edge.source)
        return cn.condition(term, edge.truth)

    def _unchanged(self, source: int) -> Purity:
        """That the registers that are used later hold what they held, at an edge to the header."""
        names = self.iteration.leaving[source]
        obligations: cn.Dnf = cn.TRUE
        for register in sorted(self.live):
            name = names.get(register, incoming(register))
            held, kept = self.iteration.value(name), ex.Register(HERE, incoming(register))
            if held != kept:
                obligations = cn.conjoined(obligations, (_obligation(held, kept),))
        return tuple(Disjunct(each, source) for each in obligations)

    def _moved(self, disjunct: Disjunct, edge: FlowEdge) -> list[Disjunct]:
        """A disjunct of a node as it is on the edge to it."""
        dnf = cn.TRUE
        for term, where in disjunct.condition.items():
            moved = self.iteration.substituted(term, edge.source, edge.target)
            if moved == term:
                part: cn.Dnf = ({term: where},)
            elif _is_obligation(term):
                assert isinstance(moved, ex.Binary)
                part = cn.TRUE if moved.left == moved.right else ({moved: where},)
            else:
                part = cn.inside(moved, where)
            dnf = cn.conjoined(dnf, part)
        return [replace(disjunct, condition=each) for each in dnf]

    def _given(self, purity: Purity, condition: cn.Dnf) -> Purity:
        return _merged(
            [
                replace(disjunct, condition=each)
                for disjunct in purity
                for each in cn.conjoined((disjunct.condition,), condition)
            ]
        )

    # ---- statements

    def _before(self, at: int, behind: Purity) -> Purity:
        instruction = self.iteration.flow.code[at]
        match instruction:
            case (
                ins.Assign() | ins.Select() | ins.Fence() | ins.Branch() | ins.Goto()
            ):  # a fence orders nothing where there is nothing to order
                return behind
            case ins.Assume() | ins.Assert():
                term = self.iteration.term_at(instruction.condition, at)
                return self._given(behind, cn.condition(term))
            case ins.Store():
                return self._impure(at, behind, "stores")
            case ins.Load():
                pass
            case ins.StoreConditional():
                if instruction.status is None:
                    return self._impure(at, behind, "its status is not kept")
                behind = self._given(behind, cn.inside(self._set(at, instruction.status), ONE))
                behind = tuple(replace(d, spurious=d.spurious | {at}) for d in behind)
            case ins.Rmw():
                behind = self._rmw(at, instruction, behind)
            case _:
                assert_never(instruction)
        if self.alone(at):
            return self._impure(at, behind, "may race, and need not happen in other rounds")
        if self.late(instruction):
            behind = tuple(d if d.after != _NOWHERE else replace(d, after=at) for d in behind)
        return behind

    def _impure(self, at: int, behind: Purity, reason: str) -> Purity:
        if behind:
            self.reasons[at] = reason
        return ()

    def _set(self, at: int, register: str) -> ex.Register:
        return ex.Register(HERE, f"{register}@{at}")

    def _rmw(self, at: int, rmw: ins.Rmw, behind: Purity) -> Purity:
        """A failed cas, an exchange for the same, an addition of 0."""
        found = self._unmodified(at, rmw)
        if found is None:
            return self._impure(at, behind, "what it has read is not kept")
        unmodified = self._given(behind, found)
        if behind and not unmodified:
            self.reasons[at] = "stores something else"
        behind = unmodified
        if rmw.op != "cas":
            return tuple(replace(d, same=d.same | {at}) for d in behind)
        if rmw.weak:
            return tuple(replace(d, spurious=d.spurious | {at}) for d in behind)
        return behind

    def _unmodified(self, at: int, rmw: ins.Rmw) -> cn.Dnf | None:
        """When it leaves memory as it was; None: what it has read is not known."""
        operand = self.iteration.term_at(rmw.operand, at)
        if rmw.success is not None:
            return cn.inside(self._set(at, rmw.success), ZERO)
        if rmw.op in _NEUTRAL and rmw.bits == values.BITS:
            return cn.inside(operand, ZERO)
        if rmw.register is None or rmw.weak or rmw.bits != values.BITS:
            return None
        read = self._set(at, rmw.register)
        if rmw.expected is not None:
            expected = self.iteration.term_at(rmw.expected, at)
            return cn.condition(ex.Binary(HERE, "!=", read, expected))
        stored: ex.Expr = operand
        if rmw.op != "xchg":
            stored = ex.Binary(HERE, rmw.op, read, operand)
        return cn.condition(ex.Binary(HERE, "==", read, stored))


def _obligation(held: ex.Expr, kept: ex.Expr) -> cn.Conjunction:
    """That two terms are the same, by their names: not a condition that could be tested, as what
    depends on a register depends on the load that it comes from, too."""
    return {ex.Binary(HERE, "is", held, kept): ONE}


def _is_obligation(term: ex.Expr) -> bool:
    return isinstance(term, ex.Binary) and term.op == "is"


def _merged(disjuncts: list[Disjunct]) -> Purity:
    """Disjuncts of the same manner in as few as possible."""
    found: dict[tuple[object, ...], list[Disjunct]] = {}
    for each in disjuncts:
        found.setdefault(each.manner, []).append(each)
    if sum(map(len, found.values())) > cn.MOST:
        raise cn.TooManyError
    return tuple(
        replace(alike[0], condition=condition)
        for alike in found.values()
        for condition in cn.either(tuple(d.condition for d in alike))
    )
