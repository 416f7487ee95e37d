"""Where the negation of a disjunct is tested: at the earliest point where all that it speaks of is
known, and not before an access at which something else may come to light.

On the way there may have led other branches; what these have made sure of is not tested again. The
loads from which the disjunct comes are what the thread would read again if it went round: it waits
for ever only if memory still holds what they have read.

A test makes all that follows depend on what it tests. Where the model knows of such dependencies, a
test stands only where it adds none: each way on from it must come to a branch on the same before it
comes to an access or a fence.
"""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.passes import conditions as cn
from hybrid.program.passes.facts import KnownFacts, Sources
from hybrid.program.passes.intervals import Intervals
from hybrid.program.passes.purity import Disjunct
from hybrid.program.passes.ssa import Iteration, incoming


@dataclass(frozen=True, slots=True)
class Placed:
    """A disjunct and its place."""

    disjunct: Disjunct
    at: int  # before this instruction
    condition: cn.Conjunction  # what is left to test
    loads: frozenset[int]  # what would be read again


class Placing:
    """Finds places in one iteration."""

    def __init__(self, iteration: Iteration, facts: KnownFacts, dependencies: bool) -> None:
        """`dependencies`: whether the model knows of them."""
        self.iteration = iteration
        self.facts = facts
        self.dependencies = dependencies

    def place(self, disjunct: Disjunct) -> Placed | str:
        """The place, or why there is none; empty: none is needed, as something tests it already."""
        names = sorted({n for term in disjunct.condition for n in ex.registers(term)})
        loads = self.loads(names)
        if loads is None:
            return "it depends on what an inner loop has done"
        why = "what it speaks of is not all known at one point"
        for at in self._candidates(disjunct, names):
            wrong = self._wrong(at, disjunct, names)
            if not wrong:
                if self.facts.excludes(at, disjunct.condition):
                    return ""
                left = {
                    term: where
                    for term, where in disjunct.condition.items()
                    if not self._holds(at, term, where)
                }
                wrong = self._adds_dependency(at, left)
                if not wrong:
                    return Placed(disjunct, at, left, loads)
            why = wrong
        return why

    def loads(self, names: list[str]) -> frozenset[int] | None:
        """The loads from which names come, those by which their addresses and operands come
        included; None: an inner loop has part in it."""
        iteration = self.iteration
        found: set[int] = set()
        todo, seen = list(names), set(names)
        while todo:
            loads = iteration.loads(todo.pop())
            if loads is None:
                return None
            for load in loads - found:
                found.add(load)
                held = iteration.entering[load]
                for register in iteration.flow.code[load].uses:
                    name = held.get(register, incoming(register))
                    if name not in seen:
                        seen.add(name)
                        todo.append(name)
        return frozenset(found)

    def _candidates(self, disjunct: Disjunct, names: list[str]) -> list[int]:
        """Behind the last of what must have happened, or later on every way back."""
        iteration, rank = self.iteration, self.iteration.flow.rank
        found = [iteration.loop.header]
        found += [iteration.defined[name][0] + 1 for name in names if name in iteration.defined]
        found += [at for at, phis in iteration.meeting.items() if phis.keys() & set(names)]
        found += [disjunct.after + 1] if disjunct.after >= 0 else []
        last = max(found, key=lambda at: rank.get(at, -1))
        later = [
            at
            for at in iteration.order
            if rank[at] > rank.get(last, -1) and iteration.flow.dominates(at, disjunct.back)
        ]
        return [last, *later]

    def _wrong(self, at: int, disjunct: Disjunct, names: list[str]) -> str:
        """Why a place is not one; empty: it is."""
        iteration, flow = self.iteration, self.iteration.flow
        if at not in iteration.loop.body:
            return "what it speaks of is known outside of the loop only"
        held = iteration.entering[at]
        for name in names:
            register = name.rsplit("@", 1)[0]
            if held.get(register, incoming(register)) != name:
                return f"{register} does not hold any more what was tested, or not on every way"
            if name in iteration.defined and not flow.dominates(iteration.defined[name][0], at):
                return f"{register} is not known on every way"
        if disjunct.after >= 0 and (disjunct.after == at or self._leads(at, disjunct.after)):
            label = flow.code[disjunct.after].label
            return f"{label} has to be executed first"
        if self._behind_inner_loop(at):
            return "an inner loop comes first, which may have done something"
        return ""

    def _leads(self, first: int, second: int) -> bool:
        """Whether the iteration may come from one node to the other."""
        iteration = self.iteration
        seen, todo = {first}, [first]
        while todo:
            at = todo.pop()
            for edge in iteration.flow.following[at]:
                inside = edge.target in iteration.loop.body
                if not inside or edge.target == iteration.loop.header or edge.target in seen:
                    continue
                if edge.target == second:
                    return True
                seen.add(edge.target)
                todo.append(edge.target)
        return False

    def _behind_inner_loop(self, at: int) -> bool:
        """Whether an inner loop may have gone round in this iteration."""
        iteration = self.iteration
        return any(
            inner.header == at or self._leads(inner.header, at)
            for inner in iteration.flow.loops
            if inner.body < iteration.loop.body
        )

    def _holds(self, at: int, term: ex.Expr, where: Intervals) -> bool:
        known = self.facts.known[at].get(term)
        return known is not None and known <= where

    def _adds_dependency(self, at: int, condition: cn.Conjunction) -> str:
        """Why a test there would order what the program does not order; empty: it does not."""
        if not self.dependencies:
            return ""
        sources: Sources = frozenset[int | str]().union(
            *(self.facts.sources(term) for term in condition)
        )
        iteration = self.iteration
        inside = iteration.loop.body - {iteration.loop.header}
        seen: set[tuple[int, Sources]] = set()
        todo = [(at, sources - self.facts.controlled[at])]
        while todo:
            node, left = todo.pop()
            if not left or (node, left) in seen:
                continue
            seen.add((node, left))
            if node not in inside and node != at:
                return "a test would make what comes behind the loop depend on more"
            instruction = iteration.flow.code[node]
            if isinstance(instruction, ins.Access | ins.Fence):
                return f"a test would make {instruction.label} depend on more"
            left -= self.facts.tested(node)
            todo += [(edge.target, left) for edge in iteration.flow.following[node]]
        return ""
