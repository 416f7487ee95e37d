"""What is known of values at each point of an iteration, whichever way led there: from branches,
assumes and awaits; and which loads already control what comes there."""

from __future__ import annotations

from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.passes import conditions as cn
from hybrid.program.passes.cfg import FlowEdge
from hybrid.program.passes.intervals import ONE, TRUTHS
from hybrid.program.passes.ssa import HERE, Iteration

Sources = frozenset[int | str]  # loads, by instruction; registers as they come in, by name


class KnownFacts:
    """Of one iteration; nothing is known at its beginning. In an inner loop, what was known where
    it began."""

    def __init__(self, iteration: Iteration) -> None:
        self.iteration = iteration
        self.known: dict[int, cn.Conjunction] = {}  # before each node
        self.excluded: dict[int, list[cn.Conjunction]] = {}  # before each node: what is not true
        self.dead: set[int] = set()  # nodes that are never reached
        self.controlled: dict[int, Sources] = {}  # before each node: what feeds a test on each way
        for at in iteration.order:
            self._enter(at)

    def _enter(self, at: int) -> None:
        iteration = self.iteration
        ways: list[cn.Conjunction] = []
        excluded: list[list[cn.Conjunction]] = []
        controls: list[Sources] = []
        for edge in iteration.flow.before[at]:
            inside = edge.source in iteration.loop.body
            if not inside or at == iteration.loop.header or iteration.is_back(edge.source, at):
                continue
            known = self._along(edge)
            controls.append(self._controlled_behind(edge.source))
            if known is not None and edge.source not in self.dead:
                ways.append(known)
                excluded.append(self._excluded_behind(edge.source))
        if not ways and at != iteration.loop.header:
            self.dead.add(at)
        self.known[at] = _common(ways)
        self.excluded[at] = [
            each for each in (excluded or [[]])[0] if all(each in way for way in excluded)
        ]
        self.controlled[at] = frozenset.intersection(*controls) if controls else frozenset()

    def _along(self, edge: FlowEdge) -> cn.Conjunction | None:
        """What is known on an edge; None: it is never taken."""
        at = edge.source
        instruction = self.iteration.flow.code[at]
        found: cn.Conjunction | None = self.known[at]
        tested: cn.Dnf = cn.TRUE
        if isinstance(instruction, ins.Branch) and edge.truth is not None:
            tested = cn.condition(self._term(instruction.condition, at), edge.truth)
        elif isinstance(instruction, ins.Assume | ins.Assert):
            if isinstance(instruction, ins.Assume):
                tested = cn.condition(self._term(instruction.condition, at))
        elif instruction.awaits is not None:
            tested = self._awaited(at, instruction.awaits)
        for register in _truths(instruction):
            told = cn.inside(ex.Register(HERE, f"{register}@{at}"), TRUTHS)
            tested = cn.conjoined(tested, told)
        return found if found is None else _with(found, tested)

    def _excluded_behind(self, at: int) -> list[cn.Conjunction]:
        instruction = self.iteration.flow.code[at]
        if isinstance(instruction, ins.Assume):
            untrue = cn.condition(self._term(instruction.condition, at), False)
        elif isinstance(instruction, ins.Load | ins.Rmw) and instruction.guard is not None:
            untrue = cn.condition(self._test(at, instruction, instruction.guard), False)
        else:
            return self.excluded[at]
        return [*self.excluded[at], *untrue]

    def _test(self, at: int, access: ins.Load | ins.Rmw, guard: ins.Guard) -> ex.Expr:
        """What an await has made sure of, by the name of what it has read."""
        names = {**self.iteration.entering[at], ins.READ: f"{access.register}@{at}"}
        return self.iteration.term(ins.test_of(guard), names)

    def excludes(self, at: int, condition: cn.Conjunction) -> bool:
        """Whether a condition is known not to be true."""
        both = cn.both(self.known[at], condition)
        return both is None or any(cn.implies(both, each) for each in self.excluded[at])

    def _term(self, expression: ex.Expr, at: int) -> ex.Expr:
        return self.iteration.term_at(expression, at)

    def _awaited(self, at: int, guard: ins.Guard) -> cn.Dnf:
        """What an await has made sure of, where the value read is kept."""
        instruction = self.iteration.flow.code[at]
        assert isinstance(instruction, ins.Load | ins.Rmw)
        found = cn.TRUE
        if instruction.register is not None:
            found = cn.condition(self._test(at, instruction, guard))
        if isinstance(instruction, ins.Rmw) and instruction.success and not instruction.weak:
            assert instruction.expected is not None
            expected = self.iteration.term_at(instruction.expected, at)
            if guard.of is None and guard.op == "==" and self._term(guard.value, at) == expected:
                success = ex.Register(HERE, f"{instruction.success}@{at}")
                found = cn.conjoined(found, cn.inside(success, ONE))
        return found

    def decided(self, at: int) -> bool | None:
        """Which way a branch goes, if it is known."""
        branch = self.iteration.flow.code[at]
        assert isinstance(branch, ins.Branch)
        term = self._term(branch.condition, at)
        for truth in (False, True):
            if all(self.excludes(at, way) for way in cn.condition(term, not truth)):
                return truth
        return None

    # ---- control

    def sources(self, term: ex.Expr) -> Sources:
        """The loads from which a term is made, and what it has from before."""
        found: set[int | str] = set()
        for name in ex.registers(term):
            found |= self.iteration.loads(name) or {name}
        return frozenset(found)

    def tested(self, at: int) -> Sources:
        """What a node makes all that follows depend on."""
        instruction = self.iteration.flow.code[at]
        if isinstance(instruction, ins.Branch | ins.Assume):
            return self.sources(self._term(instruction.condition, at))
        if instruction.awaits is not None:
            guard = instruction.awaits
            names = {**self.iteration.entering[at], ins.READ: f"{ins.READ}@{at}"}
            term = self.iteration.term(ins.test_of(guard), names)
            read = ex.registers(term) - {f"{ins.READ}@{at}"}
            registers = (self.sources(ex.Register(HERE, name)) for name in read)
            return frozenset({at}).union(*registers)
        return frozenset()

    def _controlled_behind(self, at: int) -> Sources:
        before = self.controlled[at] - {at}
        return before | self.tested(at)


def _truths(instruction: ins.Instruction) -> tuple[str, ...]:
    """The registers that it sets to 0 or 1."""
    told: str | None = None
    if isinstance(instruction, ins.StoreConditional):
        told = instruction.status
    elif isinstance(instruction, ins.Rmw):
        told = instruction.success
    return () if told is None else (told,)


def _common(ways: list[cn.Conjunction]) -> cn.Conjunction:
    """What all ways know."""
    if not ways:
        return {}
    found = dict(ways[0])
    for way in ways[1:]:
        found = {term: where | way[term] for term, where in found.items() if term in way}
    return found


def _with(known: cn.Conjunction, tested: cn.Dnf) -> cn.Conjunction | None:
    ways = [cn.both(known, each) for each in tested]
    possible = [way for way in ways if way is not None]
    return _common(possible) if possible else None
