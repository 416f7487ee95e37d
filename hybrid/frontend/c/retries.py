"""Weak compare-exchanges that fail without a reason, and are tried again.

Such a failure is left out where all that follows from it is another round of a loop, which begins
as the failed one began: without the failed round, what is left is an execution in which it did not
happen. A round may be left out that stores nothing that others may see, and after which all
registers that are still needed, and all cells of objects that others cannot reach yet, hold what
they held when it began. Loads may read something else in the next round: they do so without the
failed one, too.

For each weak compare-exchange the rounds through it are run with symbols for what is not known, up
to it and then on from its failure. If one of them may end elsewhere than where it began, or changes
something, the compare-exchange stays weak.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hybrid.frontend.c.unshared import Unshared, cell_of
from hybrid.frontend.c.values import Scalar, as_expr, register, replaced, size_of
from hybrid.program import instructions as ins
from hybrid.program.expr import Expr, Register, registers
from hybrid.program.loops import loops_of, successors

_MOST_STATES: Final = 4000  # that one search looks at
_LARGEST: Final = 60  # nodes of a value that is kept

Code = Sequence[ins.Instruction]


def strengthened(code: Code, unshared: Unshared) -> list[ins.Instruction]:
    """The code with those compare-exchanges made strong that need not be weak."""
    made = list(code)
    loops = loops_of(code)
    for at, each in enumerate(code):
        if isinstance(each, ins.Rmw) and each.weak:
            heads = {target for jump in loops.around.get(at, ()) for target in code[jump].targets}
            rounds = [_Rounds(code, head, at, unshared) for head in sorted(heads, reverse=True)]
            if any(each.are_alike() for each in rounds):
                made[at] = replace(each, weak=False)
    return made


def _is(value: Scalar, name: str) -> bool:
    """Whether a value is what the register of that name held when the round began."""
    return isinstance(value, Register) and value.name == name


@dataclass(frozen=True, slots=True)
class _State:
    """Where a round stands."""

    index: int
    # By register, and by cell that others cannot reach: what it holds. What is not here holds what
    # it held when the round began, for which its name is the symbol.
    held: Mapping[str, Scalar]
    failed: bool = False  # the compare-exchange has failed
    shows: bool = False  # and something depends on that
    stores: bool = False  # something is stored that others may see

    def key(self) -> tuple[object, ...]:
        values = frozenset(self.held.items())
        return (self.index, values, self.failed, self.shows, self.stores)


class _Rounds:
    """The rounds of a loop, from its head, through a compare-exchange."""

    def __init__(self, code: Code, head: int, at: int, unshared: Unshared) -> None:
        self.code = code
        self.head = head
        self.at = at
        self.unshared = unshared

    def are_alike(self) -> bool:
        """Whether each round in which it fails without a reason can be left out."""
        seen: set[tuple[object, ...]] = set()
        todo = [_State(self.head, {})]
        ends = False
        while todo:
            state = todo.pop()
            if state.key() in seen:
                continue
            seen.add(state.key())
            following = list(self._after(state))
            large = any(size_of(value) > _LARGEST for value in state.held.values())
            if large or len(seen) > _MOST_STATES or (state.failed and not following):
                return False
            for each in following:
                if each.failed and not self._may_go_on(each):
                    return False
                if each.index != self.head:
                    todo.append(each)
                ends |= each.failed and each.index == self.head
        return ends

    def _may_go_on(self, state: _State) -> bool:
        """Whether nothing speaks against the round, which has failed."""
        if state.index == self.head:
            return not state.stores and self._is_as_before(state)
        return not state.stores and state.index != self.at

    def _is_as_before(self, state: _State) -> bool:
        """At the head: whether everything that is needed is as it was there before."""
        return not any(
            self.unshared.is_read(self.head, name)
            if cell_of(name) is not None
            else self._is_used(name)
            for name in state.held
        )

    def _is_used(self, name: str) -> bool:
        """Whether a register is used, from the head on, before it is set."""
        seen = {self.head}
        todo = [self.head]
        while todo:
            at = todo.pop()
            if at == len(self.code):
                continue
            if name in self.code[at].uses:
                return True
            if name not in self.code[at].sets:
                new = [each for each in successors(self.code, at) if each not in seen]
                seen.update(new)
                todo += new
        return False

    # ---- one instruction

    def _after(self, state: _State) -> Iterator[_State]:
        """The states after an instruction. None: the thread ends or is cut, or something goes
        wrong."""
        if state.index == len(self.code):
            return
        each = self.code[state.index]
        if state.failed and not state.shows:
            cas = self.code[self.at]
            assert isinstance(cas, ins.Rmw)
            state = replace(state, shows=cas.success in each.uses)
        if isinstance(each, ins.Goto):
            if each.target != state.index:
                yield replace(state, index=each.target)
        elif isinstance(each, ins.Branch):
            condition = self._value(state, each.condition)
            if condition != 0:
                yield replace(state, index=each.target)
            if not isinstance(condition, int) or condition == 0:
                yield self._on(state)
        elif isinstance(each, ins.Assert | ins.Assume):
            condition = self._value(state, each.condition)
            holds = condition != 0 if isinstance(condition, int) else not state.shows
            if holds:
                yield self._on(state)
        else:
            yield from self._after_setting(state, each)

    def _after_setting(self, state: _State, each: ins.Instruction) -> Iterator[_State]:
        """After what sets registers, or memory, or nothing."""
        if isinstance(each, ins.Assign):
            yield self._on(state, {each.register: self._value(state, each.value)})
        elif isinstance(each, ins.Select):
            condition = self._value(state, each.condition)
            chosen = self._fresh(state, each.register)
            if isinstance(condition, int):
                chosen = self._value(state, each.yes if condition else each.no)
            yield self._on(state, {each.register: chosen})
        elif isinstance(each, ins.Load):
            cell = self.unshared.cell(state.index, each.address)
            if each.register is None:
                yield self._on(state)
            elif cell:
                yield self._on(state, {each.register: state.held.get(cell, register(cell))})
            else:
                yield self._on(state, {each.register: self._fresh(state, each.register)})
        elif isinstance(each, ins.Store):
            cell = self.unshared.cell(state.index, each.address)
            if cell:
                yield self._on(state, {cell: self._value(state, each.value)})
            else:
                yield self._on(replace(state, stores=True))
        elif isinstance(each, ins.Rmw):
            yield from self._after_rmw(state, each)
        else:
            yield self._on(replace(state, stores=not isinstance(each, ins.Fence)))

    def _after_rmw(self, state: _State, each: ins.Rmw) -> Iterator[_State]:
        expected: Scalar = 0 if each.expected is None else self._value(state, each.expected)
        if state.index == self.at:
            yield self._on(replace(state, failed=True), _results(each, expected, 0))
            return
        yield self._on(replace(state, stores=True), _results(each, expected, 1))
        if each.op == "cas":
            old = self._fresh(state, each.register or "")
            yield self._on(state, _results(each, old, 0))

    # ---- values

    def _on(self, state: _State, new: Mapping[str, Scalar] | None = None) -> _State:
        """The state at the next instruction, with new values."""
        held = state.held
        if new:
            held = {**held, **new}
            held = {name: value for name, value in held.items() if not _is(value, name)}
        return replace(state, index=state.index + 1, held=held)

    def _value(self, state: _State, expr: Expr) -> Scalar:
        return replaced(expr, state.held)

    def _fresh(self, state: _State, target: str) -> Scalar:
        """A symbol for what an instruction gives to a register: the same as in the round before, if
        that is not known any more."""
        used: set[str] = set()
        for name, value in state.held.items():
            if name != target:
                used |= registers(as_expr(value))
        number = 0
        while f"?{state.index}.{number}" in used:
            number += 1
        return register(f"?{state.index}.{number}")


def _results(each: ins.Rmw, old: Scalar, success: int) -> dict[str, Scalar]:
    found: dict[str, Scalar] = {}
    if each.register is not None:
        found[each.register] = old
    if each.success is not None:
        found[each.success] = success
    return found
