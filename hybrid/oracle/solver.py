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
from hybrid.encoding import horn_axioms as axioms
from hybrid.encoding.logic import Logic
from hybrid.errors import InputError
from hybrid.execution.bits import members
from hybrid.execution.execution import FAIL, Execution
from hybrid.execution.step import CHOICE, CONDITIONAL, LOAD, RMW, Step
from hybrid.model import core
from hybrid.oracle.api import Candidate, CommitFrame
from hybrid.oracle.apply_undo import FollowingOracle
from hybrid.oracle.columns import FREE, GROW, Node, Op
from hybrid.oracle.core_reason import core_reason
from hybrid.oracle.horn_relations import HornRelations
from hybrid.oracle.occurrences import Occurrence, Occurrences
from hybrid.oracle.plan import shared_plan
from hybrid.oracle.reason import Reason
from hybrid.oracle.solver_flags import SolverFlags
from hybrid.oracle.static import StaticTable
from hybrid.oracle.unreachable_names import absent_names
from hybrid.oracle.within_thread import WithinThread


class SolverFrame(CommitFrame):
    """One commit: where its assumptions begin. It is judged when that is asked for first."""

    __slots__ = ("start",)

    def __init__(self, event: int, candidate: int, seen: int, start: int) -> None:
        super().__init__(event, candidate, seen)
        self.start = start  # length of the assumptions before


class SolverOracle(FollowingOracle[SolverFrame]):
    """Follows one execution; see api.py."""

    def __init__(
        self, name: str, model: core.Model, execution: Execution, logic: Logic, acyclicity: str
    ) -> None:
        """`acyclicity` is one that make.py knows; `logic` has to be able to do it."""
        super().__init__(model, execution, SolverFrame(-1, -1, 0, 0))
        self.name = name
        self.logic = logic
        self.acyclicity = acyclicity
        self.plan = shared_plan(model, absent_names(execution.unfolding.program))
        roots = [self.plan.node(axiom.expr) for axiom in model.constraints]
        flags = [self.plan.node(flag.expr) for flag in model.flags]
        ahead = [] if model.look_ahead is None else [self.plan.node(model.look_ahead)]
        self.table = StaticTable(self.plan, execution.numbering.initial_writes)
        self.ahead = WithinThread(execution, self.table, ahead) if ahead else None
        self.horn = h.Horn(logic)
        self.occurrences = Occurrences(execution, self.table, self.horn)
        self._relations = HornRelations(self.horn, self.occurrences)
        self._edges: list[axioms.Edges] = []  # of `acyclic` axioms that are checked lazily
        self._active = [self._axiom(a, n) for a, n in zip(model.constraints, roots, strict=True)]
        self._flags = SolverFlags(model, flags, self._relations, logic)
        self._relations.prepare()
        # by key of a pair of occurrences
        self._both_of: dict[int, int] = {}
        self._rf_of: dict[int, int] = {}
        self._co_of: dict[int, int] = {}
        self._here: list[int] = []  # by occurrence: the literal of its commit
        self._assumed: list[int] = list(self._active)
        self._seen = execution.numbering.initial_writes
        self._start(execution)
        self._take_in(self._bottom, False)

    # ---- flags and reasons

    def flags(self) -> tuple[str, ...]:
        return self._raised(self.execution.co, self._assumed)

    def _raised(self, orders: list[list[int]], assumed: list[int]) -> tuple[str, ...]:
        """The flags of the committed trace, given coherence orders and what they mean."""
        self._forget()
        execution = self.execution
        if not self._flags.names:
            return ()
        if execution.fetched & ~self._seen:
            self._take_in(self._top(), False)
        numbers = [self._occurrence(event).number for event in members(execution.committed)]
        true = self.logic.consequences(assumed)
        return self._flags.raised(execution, orders, numbers, true)

    def _reason_now(self) -> Reason:
        """From a core of the solver: assumptions from which none can be left out."""
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
        broken = [
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
        return core_reason(self.model, broken, self.execution, events, pairs["rf"], pairs["co"])

    # ---- one commit

    def _start(self, execution: Execution) -> None:
        for order in execution.co:
            self._assumed.append(self._here[self._occurrence(order[0]).number])

    def _undo(self, frame: SolverFrame) -> None:
        del self._assumed[frame.start :]
        self._seen = frame.seen

    def _take_in(self, frame: SolverFrame, known: bool) -> None:
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
                self._assumed.append(self._here[self._occurrence(event).number])
                frame.judged = None

    def _apply(self, event: int, candidate: Candidate, known: bool) -> SolverFrame:
        frame = SolverFrame(event, candidate, self._seen, len(self._assumed))
        step = self.execution.steps[event]
        assert step is not None
        if step.kind == CHOICE or candidate == FAIL:
            frame.judged = self._top().judged
        else:
            self._add(event, candidate)
        if known:
            frame.judged = True
        return frame

    def _allows(self, frame: SolverFrame) -> bool:
        if frame.judged is None:
            frame.judged = self._judge()
        return frame.judged

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
        load = self._occurrence(step.event).number
        store = self._occurrence(source).number
        assumed, here = self._assumed, self._here
        if not self.execution.committed >> source & 1:
            # forwarded: there, but without a place in co
            assumed.append(here[store])
        assumed.append(here[load])
        assumed.append(self._reads(store, load))

    def _add_store(self, event: int, order: list[int], place: int) -> None:
        store = self._occurrence(event).number
        assumed = self._assumed
        assumed.append(self._here[store])
        for i, other_event in enumerate(order):
            other = self._occurrence(other_event).number
            assumed.append(self._before(other, store) if i < place else self._before(store, other))

    def _occurrence(self, event: int) -> Occurrence:
        """That of an event; `_here` has the literal of its commit."""
        found = self.occurrences.find(event)
        if found is None:
            found = self.occurrences.make(event)
            self._here.append(self.logic.fresh(("here", found.number)))
            self._ground(found)
        return found

    def _reads(self, store: int, load: int) -> int:
        """The literal of a reads-from pair."""
        key = h.key_of(store, load)
        literal = self._rf_of.get(key)
        if literal is None:
            literal = self._rf_of[key] = self.logic.fresh(("rf", store, load))
            self.horn.queue.append((self._relations.reads_from, store, load, literal))
            self.horn.run()
        return literal

    def _before(self, first: int, second: int) -> int:
        """The literal of a coherence pair."""
        key = h.key_of(first, second)
        literal = self._co_of.get(key)
        if literal is None:
            literal = self._co_of[key] = self.logic.fresh(("co", first, second))
            self.horn.queue.append((self._relations.coherence, first, second, literal))
            self.horn.run()
        return literal

    def _ground(self, new: Occurrence) -> None:
        """The pointwise relations between a new occurrence and those that are there; and all that
        follows."""
        queue, number = self.horn.queue, new.number
        queue += [(leaf, a, b, self._both(a, b)) for leaf, a, b in self._relations.ground(new)]
        if self._relations.identity is not None:
            queue.append((self._relations.identity, number, number, self._here[number]))
        self.horn.run()

    def _both(self, a: int, b: int) -> int:
        """A literal that is true when both are committed."""
        if a == b:
            return self._here[a]
        key = h.key_of(b, a) if a > b else h.key_of(a, b)
        literal = self._both_of.get(key)
        if literal is None:
            literal = self._both_of[key] = self.logic.fresh()
            self.logic.put((-self._here[a], -self._here[b], literal))
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

    # ---- axioms

    def _axiom(self, axiom: core.Axiom, node: Node) -> int:
        """The literal under which the axiom holds."""
        if node.level == FREE or axiom.negated:
            raise InputError(
                f"the {self.name} oracle judges what more events can only break, and the axiom "
                f"{axiom.name} of {self.model.name} can also become true again: it takes away or "
                "negates what grows",
                axiom.span,
                hint="Use --oracle graph.",
            )
        active = self.logic.variable(("axiom", axiom.name))
        if node.op == Op.EMPTY:
            return active  # it speaks of nothing in this program
        horn = self.horn
        test = axiom.test
        if test is not core.Test.EMPTY and node.op == Op.PLUS and node.level >= GROW:
            node, test = node.args[0], core.Test.ACYCLIC
        if test is core.Test.IRREFLEXIVE and node.op == Op.SEQ and node.level >= GROW:
            relation = self._relations.relation
            axioms.NoWayBack(horn, relation(node.args[0]), relation(node.args[1]), active)
            return active
        parts = self._relations.parts(node)
        if test is core.Test.IRREFLEXIVE:
            axioms.Irreflexive(horn, parts, active)
        elif test is core.Test.EMPTY:
            axioms.HornEmpty(horn, parts, active)
        elif self.acyclicity == "closure":
            axioms.Acyclic(horn, parts, active)
        elif self.acyclicity == "lazy":
            self._edges.append(axioms.Edges(horn, parts, active))
        else:
            axioms.Ordered(horn, parts, active)
        return active
