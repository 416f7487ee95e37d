"""What is known at a place of a thread's unrolled code, what can be read off it, and what is known
where several ways meet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from hybrid.bmc.slots import NOTHING, Held, Sources
from hybrid.bmc.terms import FALSE, TRUE, FormulaTerms
from hybrid.errors import InternalError
from hybrid.program.answers import READ
from hybrid.program.expr import Expr, registers


@dataclass(slots=True)
class ThreadState:
    """What is known at a place, given that it is reached. Of the loop that it is in: `round` to
    `passed`."""

    reached: int  # truth
    registers: dict[str, Held]
    ctrl: Sources
    reserve: Sources  # the open load-reserve
    reserved: int | None  # its address
    after: frozenset[int]
    steps: int = 0  # value: instructions executed before the last meeting of ways …
    since: int = 0  # … and since then
    fewest: int = 0  # how many they are at least, …
    most: int = 0  # … at most
    round: int = 0  # how many backward jumps were taken …
    counted: int = 0  # … and counted
    counts: dict[int, int] = field(default_factory=dict)  # value: how often each was counted
    marks: dict[int, int] = field(default_factory=dict)  # of backward jumps; none is 0
    passed: dict[int, tuple[int, ...]] = field(
        default_factory=dict
    )  # by exit: the values of its registers when it was last passed on constants

    def copy(self, reached: int) -> ThreadState:
        other = replace(self, reached=reached, registers=dict(self.registers))
        other.counts, other.marks = dict(self.counts), dict(self.marks)
        other.passed = dict(self.passed)
        return other

    def leave_loop(self) -> None:
        self.round = self.counted = 0
        self.counts, self.marks, self.passed = {}, {}, {}

    def mark(self, jumps: Iterable[int], mark: int) -> None:
        for jump in jumps:
            self.marks[jump] = self.marks.get(jump, 0) | mark


class StateReader:
    """Reads and merges states, by terms."""

    def __init__(self, terms: FormulaTerms) -> None:
        self.terms = terms

    # ---- what expressions are

    def value(self, state: ThreadState, expr: Expr, read: int | None = None) -> int:
        """The value of an expression, that of a guard with what is read."""
        held = {
            name: state.registers[name].value for name in registers(expr) & set(state.registers)
        }
        if read is not None:
            held[READ] = read
        return self.terms.expression(expr, held)

    def held(self, state: ThreadState, names: Iterable[str]) -> dict[str, int]:
        """What registers hold: values."""
        zero = self.terms.constant(0)
        return {n: state.registers[n].value if n in state.registers else zero for n in names}

    def varies(self, state: ThreadState, *exprs: Expr) -> int:
        """The truth of their depending on what memory gave."""
        held = (state.registers.get(name) for expr in exprs for name in registers(expr))
        return self.terms.disjunction(each.varies for each in held if each is not None)

    def sources(self, state: ThreadState, expr: Expr) -> Sources:
        found = NOTHING
        for name in sorted(registers(expr)):
            if name in state.registers:
                found = self.union(found, state.registers[name].sources)
        return found

    def basics(self, state: ThreadState, *exprs: Expr) -> Sources:
        """What expressions depend on otherwise than by selection alone."""
        found = NOTHING
        for name in sorted({name for expr in exprs for name in registers(expr)}):
            if name in state.registers:
                found = self.union(found, state.registers[name].basic)
        return found

    def picked(self, state: ThreadState, sources: Sources, operands: tuple[Expr, ...]) -> Sources:
        """Of the sources, those that the operands do not depend on otherwise than by selection."""
        basic = self.basics(state, *operands)
        found: Sources = {}
        for load, truth in sources.items():
            only = self.terms.negation(basic.get(load, FALSE))
            if basic.get(load) != truth and only != FALSE:
                found[load] = self.terms.conjunction(truth, only)
        return found

    def constantly(self, state: ThreadState, register: str) -> bool:
        """Whether the register, which a branch in a loop may depend on, does not vary."""
        held = state.registers.get(register)
        if held is None or held.varies == FALSE:
            return True
        if held.varies != TRUE:
            raise InternalError(f"{register} may or may not be a constant at a loop")
        return False

    def constant(self, state: ThreadState, register: str) -> int | None:
        """What the register holds, which the end of a loop may depend on; None if it varies."""
        held = state.registers.get(register)
        if held is None:
            return 0
        if held.varies == TRUE:
            return None
        value = self.terms.value(held.value)
        if held.varies != FALSE or value is None:
            raise InternalError(f"{register} may have several values at a loop on constants")
        return value

    # ---- where ways meet

    def meet(self, ways: list[ThreadState], exact: bool) -> ThreadState:
        """What is known after all ways to a place; they differ in nothing that keeps ways apart.
        If `exact`, steps are counted by terms where the ways have different lengths."""
        if len(ways) == 1:
            return ways[0]
        terms = self.terms
        merged: dict[str, Held] = {}
        nothing = Held(terms.constant(0), NOTHING, NOTHING, FALSE, FALSE)
        for name in dict.fromkeys(name for way in ways for name in way.registers):
            cases = [(way.reached, way.registers.get(name, nothing)) for way in ways]
            merged[name] = Held(
                terms.mux([(guard, held.value) for guard, held in cases]),
                self.merge((guard, held.sources) for guard, held in cases),
                self.merge((guard, held.basic) for guard, held in cases),
                self.either([(guard, held.assigned) for guard, held in cases]),
                self.either([(guard, held.varies) for guard, held in cases]),
            )
        zero = terms.constant(0)
        jumps = sorted({jump for way in ways for jump in way.counts})
        reserved = [(way.reached, way.reserved) for way in ways if way.reserved is not None]
        state = replace(
            ways[0],
            reached=terms.disjunction(way.reached for way in ways),
            registers=merged,
            ctrl=self.merge((way.reached, way.ctrl) for way in ways),
            reserve=self.merge((way.reached, way.reserve) for way in ways),
            reserved=terms.mux(reserved) if reserved else None,
            after=frozenset[int]().union(*(way.after for way in ways)),
            fewest=min(way.fewest for way in ways),
            most=max(way.most for way in ways),
            counts={
                jump: terms.mux([(way.reached, way.counts.get(jump, zero)) for way in ways])
                for jump in jumps
            },
        )
        if exact and len({(way.steps, way.since) for way in ways}) > 1:
            state.steps, state.since = terms.mux([(way.reached, self.done(way)) for way in ways]), 0
        return state

    def done(self, state: ThreadState) -> int:
        """The value: how many instructions were executed."""
        return self.terms.binary("+", state.steps, self.terms.constant(state.since))

    def either(self, cases: list[tuple[int, int]]) -> int:
        """The truth of the case whose guard is true, given that one is."""
        if len({truth for _, truth in cases}) == 1:
            return cases[0][1]
        return self.terms.disjunction(self.terms.conjunction(g, t) for g, t in cases)

    def merge(self, cases: Iterable[tuple[int, Sources]]) -> Sources:
        listed = list(cases)
        if all(sources == listed[0][1] for _, sources in listed):
            return listed[0][1]
        loads = dict.fromkeys(load for _, sources in listed for load in sources)
        return {
            load: self.either([(guard, sources.get(load, FALSE)) for guard, sources in listed])
            for load in loads
        }

    def union(self, left: Sources, right: Sources) -> Sources:
        if not left or not right:
            return left or right
        found = dict(left)
        for load, truth in right.items():
            found[load] = self.terms.disjunction((found.get(load, FALSE), truth))
        return found
