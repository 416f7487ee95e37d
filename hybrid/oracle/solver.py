"""An oracle that lets a solver decide: the model as Horn clauses, the partial trace as assumptions.

There is one solver for the whole exploration. Its variables are about occurrences (see
occurrences.py): that one is committed, that a load reads from a store, that a store is
coherence-before another, and what the model derives of these. Every clause is an implication that
holds in any execution, so it is added once, when the events that it speaks of first come together,
and undoing a commit is leaving out its assumptions. As the clauses are Horn, unit propagation
decides them.

What is known at fetch is taken from the StaticTable, as it must be evaluated over events that are
not committed too.
"""

from __future__ import annotations

from hybrid.encoding import horn as h
from hybrid.encoding.logic import Logic
from hybrid.errors import InputError, InternalError
from hybrid.execution.bits import members
from hybrid.execution.execution import FAIL, Execution
from hybrid.execution.step import CHOICE, CONDITIONAL, LOAD, RMW, Step
from hybrid.model import core
from hybrid.oracle.api import Candidate, Reason
from hybrid.oracle.columns import FREE, GROW, Node, Op
from hybrid.oracle.core_reason import core_reason
from hybrid.oracle.occurrences import Occurrence, Occurrences
from hybrid.oracle.plan import Plan
from hybrid.oracle.static import StaticTable
from hybrid.oracle.trace_flags import TraceFlags
from hybrid.oracle.unreachable_names import absent_names
from hybrid.oracle.within_thread import WithinThread


class _Frame:
    """One commit: where its assumptions begin, and what is known of the trace with it."""

    __slots__ = ("candidate", "event", "judged", "seen", "start")

    def __init__(self, event: int, candidate: int, start: int, seen: int) -> None:
        self.event = event
        self.candidate = candidate
        self.start = start  # length of the assumptions before
        self.seen = seen  # fetched events already taken in, before
        self.judged: bool | None = None  # whether the trace is allowed; None: not asked yet


class SolverOracle:
    """Follows one execution; see api.py."""

    def __init__(
        self, name: str, model: core.Model, execution: Execution, logic: Logic, acyclicity: str
    ) -> None:
        """`acyclicity` is one that make.py knows; `logic` has to be able to do it."""
        self.name = name
        self.model = model
        self.execution = execution
        self.logic = logic
        self.acyclicity = acyclicity
        self.plan = Plan(model, absent_names(execution.unfolding.program))
        roots = [self.plan.node(axiom.expr) for axiom in model.constraints]
        ahead = [] if model.look_ahead is None else [self.plan.node(model.look_ahead)]
        self.table = StaticTable(self.plan, execution.unfolding.initial_writes)
        self.ahead = WithinThread(execution, self.table, ahead) if ahead else None
        self.horn = h.Horn(logic)
        self.occurrences = Occurrences(execution, self.table, self.horn)
        self._built: dict[int, h.HornRelation] = {}
        self._pointwise: dict[int, Node] = {}  # those that occurrences are asked for
        self._masks: dict[int, list[int]] = {}  # by index of such a node: its rows
        self._leaves: dict[int, h.HornRelation] = {}  # by index of such a node: its pairs
        self._sets: list[Node] = []  # in use, besides those in `_pointwise`
        self._rf = h.HornRelation(self.horn)
        self._co = h.HornRelation(self.horn)
        self._identity: h.HornRelation | None = None
        self._edges: list[h.Edges] = []  # of `acyclic` axioms that are checked lazily
        self._active = [self._axiom(a, n) for a, n in zip(model.constraints, roots, strict=True)]
        self.occurrences.prepare([*self._pointwise.values(), *self._sets])
        self._both_of: dict[tuple[int, int], int] = {}
        self._rf_of: dict[tuple[int, int], int] = {}
        self._co_of: dict[tuple[int, int], int] = {}
        self._here: list[int] = []  # by occurrence: the literal of its commit
        self._assumed: list[int] = list(self._active)
        self._frames: list[_Frame] = []
        self._bottom = _Frame(-1, -1, 0, 0)
        self._tried: _Frame | None = None  # applied, but not committed
        self._refused: tuple[int, int] | None = None
        self._flags = TraceFlags(model, logic)
        self._seen = execution.unfolding.initial_writes
        self._start(execution)
        self._take_in(self._bottom)

    # ---- the interface

    def allowed(
        self, execution: Execution, event: int, candidates: list[Candidate]
    ) -> list[Candidate]:
        self._forget()
        if execution.fetched & ~self._seen:
            self._take_in(self._top())
        found: list[Candidate] = []
        for candidate in candidates:
            self._forget()
            self._tried = self._apply(event, candidate)
            self._tried.judged = self._judge()
            if self._tried.judged:
                found.append(candidate)
            else:
                self._refused = (event, candidate)
        return found

    def commit(self, event: int, candidate: Candidate) -> None:
        tried = self._tried
        if tried is None or tried.event != event or tried.candidate != candidate:
            self._forget()
            if self.execution.fetched & ~self._seen:
                raise InternalError("committed without asking whether it is allowed")
            tried = self._apply(event, candidate)
        self._tried = None
        self._frames.append(tried)

    def recommit(self, execution: Execution, event: int, candidate: Candidate) -> None:
        self._forget()
        if execution.fetched & ~self._seen:
            self._take_in(self._top())
        frame = self._apply(event, candidate)
        frame.judged = True
        self._frames.append(frame)

    def rollback(self) -> None:
        self._forget()
        self._undo(self._frames.pop())

    def settled(self, execution: Execution) -> bool:
        self._forget()
        top = self._top()
        if execution.fetched & ~self._seen:
            self._take_in(top)
        if top.judged is None:
            top.judged = self._judge()
        return top.judged

    def flags(self) -> tuple[str, ...]:
        self._forget()
        return self._flags.raised(self.execution, self.execution.co)

    def reason(self) -> Reason:
        """From a core of the solver: assumptions from which none can be left out."""
        if self._refused is None:
            raise InternalError("no candidate was refused")
        self._forget()
        self._tried = self._apply(*self._refused)
        if self._judge():
            raise InternalError("a refused candidate is allowed when asked again")
        return self._reason_now()

    def _reason_now(self) -> Reason:
        return self._reason_in(self._small_core())

    def _small_core(self) -> list[int]:
        """Of the first axiom that is broken by itself; of several together where none is."""
        facts = [x for x in self._assumed if x not in self._active]
        for active in self._active:
            if self.logic.solve([active, *facts]) is False:
                return self.logic.small_core([active, *facts])
        return self.logic.small_core(self._assumed)

    def _reason_in(self, literals: list[int]) -> Reason:
        """How a core's assumptions break an axiom."""
        axioms = [
            axiom
            for axiom, active in zip(self.model.constraints, self._active, strict=True)
            if active in literals
        ]
        everyone = self.occurrences.all
        pairs: dict[str, list[tuple[int, int]]] = {"rf": [], "co": []}
        events: set[int] = set()
        for literal in literals:
            name = self.logic.name_of(literal)
            assert isinstance(name, tuple)
            if name[0] == "here":
                events.add(everyone[name[1]].event)
            elif name[0] in pairs:
                a, b = everyone[name[1]].event, everyone[name[2]].event
                pairs[name[0]].append((a, b))
                events |= {a, b}
        return core_reason(self.model, axioms, self.execution, events, pairs["rf"], pairs["co"])

    def _top(self) -> _Frame:
        return self._frames[-1] if self._frames else self._bottom

    # ---- one commit

    def _start(self, execution: Execution) -> None:
        for order in execution.co:
            self._assumed.append(self._occurrence(order[0])[1])

    def _forget(self) -> None:
        if self._tried is not None:
            self._undo(self._tried)
            self._tried = None

    def _undo(self, frame: _Frame) -> None:
        del self._assumed[frame.start :]
        self._seen = frame.seen

    def _take_in(self, frame: _Frame) -> None:
        """Events fetched since the last look: fences and branches are committed at once."""
        execution = self.execution
        new = execution.fetched & ~self._seen
        self._seen = execution.fetched
        while new:
            low = new & -new
            new ^= low
            event = low.bit_length() - 1
            step = execution.steps[event]
            assert step is not None
            if event == step.second or step.kind == CHOICE:
                continue
            self.table.fetch(step)
            if step.kind > CONDITIONAL:
                self._assumed.append(self._occurrence(event)[1])
                frame.judged = None

    def _apply(self, event: int, candidate: Candidate) -> _Frame:
        frame = _Frame(event, candidate, len(self._assumed), self._seen)
        step = self.execution.steps[event]
        assert step is not None
        if step.kind == CHOICE or candidate == FAIL:
            frame.judged = self._top().judged
        else:
            self._add(event, candidate)
        return frame

    def _add(self, event: int, candidate: Candidate) -> None:
        """The assumptions that a commit brings."""
        execution = self.execution
        step = execution.steps[event]
        assert step is not None
        order = execution.co[execution.location[event]]
        if step.kind not in (LOAD, RMW):
            self._add_store(event, order, candidate)
            return
        self._add_load(step, candidate)
        if step.kind == RMW and execution.rmw_stores(step, execution.stored[candidate]):
            self._add_store(step.second, order, order.index(candidate) + 1)

    def _add_load(self, step: Step, source: int) -> None:
        load, here = self._occurrence(step.event)
        store, committed = self._occurrence(source)
        if (
            not self.execution.committed >> source & 1
        ):  # forwarded: there, but without a place in co
            self._assumed.append(committed)
        self._assumed += (here, self._pair("rf", self._rf_of, self._rf, store, load))

    def _add_store(self, event: int, order: list[int], place: int) -> None:
        store, here = self._occurrence(event)
        assumed = self._assumed
        assumed.append(here)
        co_of, co = self._co_of, self._co
        for i, other_event in enumerate(order):
            other, _ = self._occurrence(other_event)
            pair = (other, store) if i < place else (store, other)
            assumed.append(self._pair("co", co_of, co, *pair))

    def _occurrence(self, event: int) -> tuple[int, int]:
        """The number of an event's occurrence and the literal of its commit."""
        found = self.occurrences.find(event)
        if found is None:
            found = self.occurrences.make(event)
            self._here.append(self.logic.variable(("here", found.number)))
            self._ground(found)
        return found.number, self._here[found.number]

    def _pair(
        self, name: str, known: dict[tuple[int, int], int], relation: h.HornRelation, a: int, b: int
    ) -> int:
        literal = known.get((a, b))
        if literal is None:
            literal = known[(a, b)] = self.logic.variable((name, a, b))
            self.horn.queue.append((relation, a, b, literal))
            self.horn.run()
        return literal

    def _ground(self, new: Occurrence) -> None:
        """The pointwise relations between a new occurrence and those that are there; and all that
        follows."""
        occurrences, queue = self.occurrences, self.horn.queue
        number = new.number
        bit = 1 << number
        possible = self.horn.compatible[number]
        for index, node in self._pointwise.items():
            row = occurrences.row(node, number) & possible
            column = occurrences.column(node, number) & possible
            mask = self._masks.get(index)
            if mask is not None:
                mask.append(row)
                for start in members(column & ~bit):
                    mask[start] |= bit
            leaf = self._leaves.get(index)
            if leaf is not None:
                for end in members(row):
                    queue.append((leaf, number, end, self._both(number, end)))
                for start in members(column & ~bit):
                    queue.append((leaf, start, number, self._both(start, number)))
        if self._identity is not None:
            queue.append((self._identity, number, number, self._here[number]))
        self.horn.run()

    def _both(self, a: int, b: int) -> int:
        """A literal that is true when both are committed."""
        if a == b:
            return self._here[a]
        if a > b:
            a, b = b, a
        literal = self._both_of.get((a, b))
        if literal is None:
            literal = self._both_of[(a, b)] = self.logic.variable(("both", a, b))
            self.logic.add((-self._here[a], -self._here[b], literal))
        return literal

    # ---- judging

    def _judge(self) -> bool:
        if not self._edges:
            return self.logic.propagate(self._assumed)
        while True:
            implied = self.logic.implied(self._assumed)
            if implied is None:
                return False
            cycles = [clause for edges in self._edges for clause in edges.cycles(implied)]
            if not cycles:
                return True
            for clause in cycles:
                self.logic.add(clause)

    # ---- from the plan to relations

    def _axiom(self, axiom: core.Axiom, node: Node) -> int:
        """The literal under which the axiom holds."""
        if node.level == FREE or axiom.negated:
            raise InputError(
                f"the {self.name} oracle judges what more events can only break, and the axiom {axiom.name} of "
                f"{self.model.name} can also become true again: it takes away or negates what grows",
                axiom.span,
                hint="Use --oracle graph.",
            )
        active = self.logic.variable(("axiom", axiom.name))
        horn = self.horn
        test = axiom.test
        if test is not core.Test.EMPTY and node.op == Op.PLUS and node.level >= GROW:
            node, test = node.args[0], core.Test.ACYCLIC
        if test is core.Test.IRREFLEXIVE and node.op == Op.SEQ and node.level >= GROW:
            sides = [self._relation(arg) for arg in node.args]
            h.Irreflexive(horn, sides, active, True)
            return active
        parts = [self._relation(part) for part in _parts(node)]
        if test is core.Test.IRREFLEXIVE:
            h.Irreflexive(horn, parts, active, False)
        elif test is core.Test.EMPTY:
            h.HornEmpty(horn, parts, active)
        elif self.acyclicity == "closure":
            h.Acyclic(horn, parts, active)
        elif self.acyclicity == "lazy":
            self._edges.append(h.Edges(horn, parts, active))
        else:
            h.Ordered(horn, parts, active)
        return active

    def _mask(self, node: Node) -> list[int]:
        """The rows of a pointwise relation, kept for looking up."""
        self._pointwise[node.index] = node
        return self._masks.setdefault(node.index, [])

    def _relation(self, node: Node) -> h.HornRelation:
        relation = self._built.get(node.index)
        if relation is None:
            if node.op == Op.RECURSIVE:
                relation = self._built[node.index] = h.HornUnion(self.horn)
                for part in _parts(node.args[0]):
                    self._relation(part).users.append((relation, 0))
                return relation
            if node.level < GROW:
                relation = h.HornRelation(self.horn)
                self._pointwise[node.index] = node
                self._leaves[node.index] = relation
            else:
                relation = self._operator(node)
            self._built[node.index] = relation
        return relation

    def _operator(self, node: Node) -> h.HornRelation:
        op, args, horn = node.op, node.args, self.horn
        if op == Op.RF:
            return self._rf
        if op == Op.CO:
            return self._co
        if op == Op.FR:
            return h.HornSequence(horn, h.HornInverse(horn, [self._rf]), self._co)
        if op == Op.UNION:
            return h.HornUnion(horn, [self._relation(part) for part in _parts(node)])
        if op == Op.INTER and args[0].level < GROW:
            inner, mask = args[1], self._mask(args[0])
            if inner.op == Op.SEQ and inner.index not in self._built:
                left, right = (self._relation(arg) for arg in inner.args)
                return h.HornSequence(horn, left, right, mask)
            return h.Masked(horn, self._relation(inner), mask, True)
        if op == Op.INTER:
            return h.HornIntersection(horn, self._relation(args[0]), self._relation(args[1]))
        if op == Op.DIFF:
            return h.Masked(horn, self._relation(args[0]), self._mask(args[1]), False)
        if op == Op.FROM:
            return self._restricted(args[1], args[0], True)
        if op == Op.INTO:
            return self._restricted(args[0], args[1], False)
        if op == Op.SEQ:
            return h.HornSequence(horn, self._relation(args[0]), self._relation(args[1]))
        if op == Op.PLUS:
            return h.HornClosure(horn, [self._relation(part) for part in _parts(args[0])])
        if op == Op.STAR:
            parts = [self._relation(part) for part in _parts(args[0])]
            return h.Merge(horn, [h.HornClosure(horn, parts), self._identities()])
        inner_relation = self._relation(args[0])
        if op == Op.OPT:
            return h.Merge(horn, [inner_relation, self._identities()])
        if op == Op.INVERSE:
            return h.HornInverse(horn, [inner_relation])
        if op == Op.DOMAIN or op == Op.RANGE:
            return h.EndsOf(horn, inner_relation, op == Op.RANGE)
        raise InternalError(f"no clauses for {node!r}")

    def _restricted(self, node: Node, inside: Node, start: bool) -> h.HornRelation:
        self._sets.append(inside)
        members_of = self.occurrences.members
        return h.HornRestriction(self.horn, self._relation(node), members_of, inside.index, start)

    def _identities(self) -> h.HornRelation:
        if self._identity is None:
            self._identity = h.HornRelation(self.horn)
        return self._identity


def _parts(node: Node) -> list[Node]:
    """The operands of nested unions that are not pointwise as a whole."""
    if node.op != Op.UNION or node.level < GROW:
        return [node]
    return [part for arg in node.args for part in _parts(arg)]
