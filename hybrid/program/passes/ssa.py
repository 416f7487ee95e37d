"""One iteration of a loop with a name for every value: a register with the instruction that set it
(static single assignment).

A name is `r@7` for what instruction 7 puts into r, `r@in` for what r holds where the iteration
begins, and `r@phi9` for what it holds at 9 where ways with different values meet, or where an inner
loop begins that sets it. Terms are expressions over names; what an assignment computes is put in
its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import assert_never

from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.passes.cfg import ControlFlow, NaturalLoop, written
from hybrid.source import nowhere

HERE = nowhere("<pass>")
_LARGE = 60  # nodes; a larger term is left to its register

Names = Mapping[str, str]  # by register; those that are not in it hold what they held before


def incoming(register: str) -> str:
    return f"{register}@in"


class Iteration:
    """A loop's body, run through once from its header; edges back are not followed."""

    def __init__(self, flow: ControlFlow, loop: NaturalLoop) -> None:
        self.flow = flow
        self.loop = loop
        self.order = [at for at in flow.order if at in loop.body]
        self.defined: dict[str, tuple[int, str]] = {}  # by name: the instruction and its register
        self.entering: dict[int, dict[str, str]] = {}  # by node: names before it …
        self.leaving: dict[int, dict[str, str]] = {}  # … and behind it
        self.meeting: dict[int, dict[str, dict[int, str]]] = {}  # of phis: by node, name and source
        self._inner = {inner.header: inner for inner in flow.loops if inner.header != loop.header}
        self._terms: dict[str, ex.Expr] = {}
        for at in self.order:
            self._enter(at)

    def is_back(self, source: int, target: int) -> bool:
        """Whether an edge within the loop goes back: to the header, or within an inner loop."""
        return self.flow.dominates(target, source)

    def _enter(self, at: int) -> None:
        names: dict[str, str] = {}
        if at != self.loop.header:
            names = self._met(at)
        self.entering[at] = names
        after = dict(names)
        for register in written(self.flow.code[at]):
            name = f"{register}@{at}"
            self.defined[name] = (at, register)
            after[register] = name
            self.value(name)
        self.leaving[at] = after

    def _met(self, at: int) -> dict[str, str]:
        """What the ways to a node bring."""
        sources = [
            edge.source
            for edge in self.flow.before[at]
            if edge.source in self.loop.body and not self.is_back(edge.source, at)
        ]
        changed: set[str] = set()
        inner = self._inner.get(at)
        if inner is not None and inner.body < self.loop.body:
            changed = {r for node in inner.body for r in written(self.flow.code[node])}
        names: dict[str, str] = {}
        for register in sorted({r for s in sources for r in self.leaving[s]} | changed):
            held = {s: self.leaving[s].get(register, incoming(register)) for s in sources}
            if register in changed or len(set(held.values())) > 1:
                name = f"{register}@phi{at}"
                self.meeting.setdefault(at, {})[name] = held
                names[register] = name
            else:
                names[register] = held[sources[0]]
        return names

    # ---- terms

    def term(self, expression: ex.Expr, names: Names) -> ex.Expr:
        """An expression of the code, where registers have these names."""
        if isinstance(expression, ex.Const):
            return replace(expression, span=HERE)
        if isinstance(expression, ex.Register):
            return self.value(names.get(expression.name, incoming(expression.name)))
        if isinstance(expression, ex.Unary):
            return ex.Unary(HERE, expression.op, self.term(expression.operand, names))
        if isinstance(expression, ex.Binary):
            left, right = self.term(expression.left, names), self.term(expression.right, names)
            return ex.Binary(HERE, expression.op, left, right)
        assert_never(expression)

    def term_at(self, expression: ex.Expr, at: int) -> ex.Expr:
        """An expression of instruction `at`."""
        return self.term(expression, self.entering[at])

    def value(self, name: str) -> ex.Expr:
        """What a name stands for: what was assigned, else the name."""
        found = self._terms.get(name)
        if found is None:
            found = ex.Register(HERE, name)
            if name in self.defined:
                at, _ = self.defined[name]
                instruction = self.flow.code[at]
                if isinstance(instruction, ins.Assign):
                    assigned = self.term_at(instruction.value, at)
                    found = assigned if _size(assigned) <= _LARGE else found
            self._terms[name] = found
        return found

    def loads(self, name: str) -> frozenset[int] | None:
        """The instructions of this iteration that read memory, or store-conditionals, from which
        the value of a name comes; None: an inner loop may have set it."""
        if name in self.defined:
            at, _ = self.defined[name]
            instruction = self.flow.code[at]
            if not isinstance(instruction, ins.Assign | ins.Select):
                return frozenset((at,))
            names = self.entering[at]
            return self._all(names.get(r, incoming(r)) for r in sorted(instruction.uses))
        for at, phis in self.meeting.items():
            if name in phis:
                return None if at in self._inner else self._all(phis[name].values())
        return frozenset()

    def _all(self, names: Iterable[str]) -> frozenset[int] | None:
        found: frozenset[int] = frozenset()
        for name in names:
            loads = self.loads(name)
            if loads is None:
                return None
            found |= loads
        return found

    def loads_of(self, term: ex.Expr) -> frozenset[int] | None:
        """The same for a term."""
        return self._all(sorted(ex.registers(term)))

    def substituted(self, term: ex.Expr, edge_source: int, at: int) -> ex.Expr:
        """A term over names known at a node, as it is on the way there from a source."""
        phis = self.meeting.get(at)
        if not phis or not ex.registers(term) & phis.keys():
            return term
        return self._replaced(term, {n: ways[edge_source] for n, ways in phis.items()})

    def _replaced(self, term: ex.Expr, names: Mapping[str, str]) -> ex.Expr:
        if isinstance(term, ex.Register):
            return self.value(names[term.name]) if term.name in names else term
        if isinstance(term, ex.Unary):
            return replace(term, operand=self._replaced(term.operand, names))
        if isinstance(term, ex.Binary):
            left, right = (self._replaced(side, names) for side in (term.left, term.right))
            return replace(term, left=left, right=right)
        return term


def _size(term: ex.Expr) -> int:
    if isinstance(term, ex.Unary):
        return 1 + _size(term.operand)
    if isinstance(term, ex.Binary):
        return 1 + _size(term.left) + _size(term.right)
    return 1
