"""The graph oracle: runs any model on partial traces with bitset relations and no solver.

What is fixed at fetch comes from the StaticTable and is restricted to committed events here; what a
commit changes is propagated through the plan's growing relations (see relations.py); parts of a
model that are not monotone are evaluated afresh at each check. apply_undo.py says how it follows an
execution.

A store whose value a load takes before it is committed counts from then on, all but its place in
co: what follows from that comes with its own commit.
"""

from __future__ import annotations

from hybrid.execution.bits import members
from hybrid.execution.execution import FAIL, Execution
from hybrid.execution.step import CHOICE, CONDITIONAL, LOAD, RMW, Step
from hybrid.model import core
from hybrid.oracle.api import Candidate, Reason
from hybrid.oracle.apply_undo import CommitFrame, FollowingOracle
from hybrid.oracle.columns import FREE, Node, Op, growing_parts
from hybrid.oracle.from_scratch import Fresh
from hybrid.oracle.network import Network
from hybrid.oracle.plan import shared_plan
from hybrid.oracle.pointwise import Points
from hybrid.oracle.reasons import find_reason, full_plan
from hybrid.oracle.relations import (
    SOURCES,
    Log,
    Relation,
)
from hybrid.oracle.static import StaticTable
from hybrid.oracle.unreachable_names import absent_names
from hybrid.oracle.within_thread import WithinThread


class GraphFrame(CommitFrame):
    """One commit: how to undo it."""

    __slots__ = ("committed", "log")

    def __init__(self, event: int, candidate: int, seen: int, committed: int) -> None:
        super().__init__(event, candidate, seen)
        self.log: Log = []
        self.committed = committed  # Points.committed before


class _Check:
    """An axiom and the relations whose union it speaks of; there are none when that must be
    evaluated afresh."""

    __slots__ = ("axiom", "node", "relations", "test")

    def __init__(self, axiom: core.Axiom, node: Node, relations: list[Relation]) -> None:
        self.axiom = axiom
        self.test = axiom.test
        self.node = node
        self.relations = relations


class GraphOracle(FollowingOracle[GraphFrame]):
    """Keeps the model's relations over the committed events of one execution."""

    def __init__(self, model: core.Model, execution: Execution) -> None:
        super().__init__(model, execution, GraphFrame(-1, -1, 0, 0))
        self.plan = shared_plan(model, absent_names(execution.unfolding.program))
        roots = [self.plan.node(axiom.expr) for axiom in model.constraints]
        self._flag_nodes = [(flag, self.plan.node(flag.expr)) for flag in model.flags]
        ahead = [] if model.look_ahead is None else [self.plan.node(model.look_ahead)]
        self.table = StaticTable(self.plan, execution.numbering.initial_writes)
        self.ahead = WithinThread(execution, self.table, ahead) if ahead else None
        self.points = Points(execution, self.table)
        self.network = Network(self.points)
        self.rf = self.network.reads_from
        self.co = self.network.coherence
        self.fr = self.network.from_read
        self._checks: list[_Check] = []
        for axiom, node in zip(model.constraints, roots, strict=True):
            if node.op == Op.EMPTY and not axiom.negated:
                continue  # it speaks of nothing in this program
            free = node.level == FREE or axiom.negated
            relations = (
                [] if free else [self.network.relation(part) for part in growing_parts(node)]
            )
            self._checks.append(_Check(axiom, node, relations))
        for check in self._checks:  # a union that is stored for another's sake
            if check.relations and check.node.index in self.network.built:
                check.relations = [self.network.relation(check.node)]
        self.network.number()
        self._stores = [1 << order[0] for order in execution.co]  # committed ones by location
        self.network.grow(len(execution.steps))
        self._start()

    # ---- whole traces

    def flags(self) -> tuple[str, ...]:
        """The names of the model's flags that the trace raises."""
        self._forget()
        if not self._flag_nodes:
            return ()
        fresh = self._fresh()
        return tuple(
            flag.name
            for flag, node in self._flag_nodes
            if fresh.satisfies(flag.test, flag.negated, node)
        )

    def _reason_now(self) -> Reason | None:
        """Why the trace as it stands is refused."""
        plan = full_plan(self.model)
        table = StaticTable(plan, self.execution.numbering.initial_writes)
        for step in self._fetched_steps():
            table.fetch(step)
        points = Points(self.execution, table)
        points.committed = self.points.committed
        points.by_location = self.points.by_location
        fresh = Fresh(points, self.rf.columns, self.co.columns, self.fr.columns)
        return find_reason(self.model, plan, fresh)

    def _fetched_steps(self) -> list[Step]:
        """In po order a thread."""
        steps = self.execution.steps
        numbers = members(self.execution.fetched)
        found = [(n, steps[n]) for n in numbers]
        return [s for n, s in found if s is not None and n == s.event]

    def _fresh(self) -> Fresh:
        return Fresh(self.points, self.rf.columns, self.co.columns, self.fr.columns)

    # ---- one commit

    def _start(self) -> None:
        """The initial writes and what is fetched before the first commit."""
        for event in range(len(self.execution.steps)):
            if self.execution.numbering.initial_writes >> event & 1:
                self.points.committed |= 1 << event
                self.points.by_location[self.execution.location[event]] |= 1 << event
                self.network.insert(event, self._bottom.log)
        self.network.propagate(self._bottom.log)
        self._seen = self.execution.numbering.initial_writes
        self._bottom.judged = self._judge()
        self.network.settle()
        self._take_in(self._bottom, False)

    def _take_in(self, frame: GraphFrame, known: bool) -> None:
        execution = self.execution
        new = execution.fetched & ~self._seen
        self._seen = execution.fetched
        self.network.grow(len(execution.steps))
        inserted = False
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
                self.points.committed |= low
                self.network.insert(event, frame.log)
                inserted = True
        if inserted:
            self._round(frame, known)

    def _round(self, frame: GraphFrame, known: bool) -> None:
        """Carries what was added through the network and judges it, unless it is known to be
        allowed."""
        self.network.propagate(frame.log)
        fine = known or self._judge()
        self.network.settle()
        if not known and frame.judged:
            frame.judged = fine and self._completes()

    def _allows(self, frame: GraphFrame) -> bool:
        return frame.judged is True

    def _completes(self) -> bool:
        """Whether what is left open can be filled in; here nothing is."""
        return True

    def _apply(self, event: int, candidate: Candidate, known: bool) -> GraphFrame:
        frame = GraphFrame(event, candidate, self._seen, self.points.committed)
        frame.judged = known or (self._frames[-1] if self._frames else self._bottom).judged
        step = self.execution.steps[event]
        assert step is not None
        if step.kind != CHOICE and candidate != FAIL:
            self._add(step, candidate, frame.log)
            self._round(frame, known)
        return frame

    def _add(self, step: Step, candidate: Candidate, log: Log) -> None:
        """The events of a step, with rf and co as the candidate says."""
        execution = self.execution
        if step.kind in (LOAD, RMW):
            self._add_load(step, candidate, log)
            if step.kind == RMW and execution.rmw_stores(step, execution.stored[candidate]):
                self._add_store(step.second, candidate, log)
        else:
            order = execution.co[execution.location[step.event]]
            self._add_store(step.event, order[candidate - 1], log)

    def _add_load(self, step: Step, source: int, log: Log) -> None:
        event = step.event
        bit = 1 << event
        location = self.execution.location[event]
        self._enter(event, location, log)
        stores = self._stores[location]
        if not stores >> source & 1:  # forwarded: the store has no place in co yet
            if not self.points.committed >> source & 1:
                self._enter(source, location, log)
            self.network.leaf_gains(self.rf, event, 1 << source, log)
            return
        self.network.leaf_gains(self.rf, event, 1 << source, log)
        after = stores & ~self.co.columns[source] & ~(1 << source)
        while after:
            low = after & -after
            after ^= low
            self.network.leaf_gains(self.fr, low.bit_length() - 1, bit, log)

    def _add_store(self, event: int, previous: int, log: Log) -> None:
        """Adds a store directly after `previous` in co."""
        bit = 1 << event
        location = self.execution.location[event]
        readers = 0
        if self.points.committed >> event & 1:  # loads took its value before
            readers = self.execution.readers[event]
        else:
            self._enter(event, location, log)
        co = self.co
        before = co.columns[previous] | 1 << previous
        stores = self._stores[location]
        after = stores & ~before
        log.append((self._stores, location, stores))
        self._stores[location] = stores | bit
        self.network.leaf_gains(co, event, before, log)
        while after:
            low = after & -after
            after ^= low
            co.add(low.bit_length() - 1, bit, log)
            if readers:
                self.network.leaf_gains(self.fr, low.bit_length() - 1, readers, log)
        reading = self.fr.columns[previous] | self._reading(previous)
        if reading:
            self.network.leaf_gains(self.fr, event, reading, log)

    def _reading(self, store: int) -> int:
        """The committed loads that read from `store`, the load of an rmw under way included."""
        readers = self.execution.readers[store]
        for event, bits in self.rf.gained:
            if bits >> store & 1:
                readers |= 1 << event
        return readers

    def _enter(self, event: int, location: int, log: Log) -> None:
        points = self.points
        points.committed |= 1 << event
        accesses = points.by_location[location]
        log.append((points.by_location, location, accesses))
        points.by_location[location] = accesses | 1 << event
        self.network.insert(event, log)

    def _undo(self, frame: GraphFrame) -> None:
        log = frame.log
        for i in range(len(log) - 1, -1, -1):
            columns, index, value = log[i]
            columns[index] = value
        self.points.committed = frame.committed
        self._seen = frame.seen

    # ---- axioms

    def _judge(self, whole: bool = True) -> bool:
        """Whether all axioms hold, given that they held before this round. Unless `whole`, those
        that must be evaluated afresh are left out: they need all of co."""
        for check in self._checks:
            relations = check.relations
            if not relations:
                if whole and not self._fresh().satisfies(
                    check.test, check.axiom.negated, check.node
                ):
                    return False
            elif check.test is core.Test.ACYCLIC:
                if _close_cycle(relations, self.network.new):
                    return False
            else:
                for relation in relations:
                    if relation.gained and (
                        check.test is core.Test.EMPTY
                        or any(bits >> event & 1 for event, bits in relation.gained)
                    ):
                        return False
        return True


def _close_cycle(relations: list[Relation], new: int) -> bool:
    """Whether a cycle goes through a pair that their union gained in this round. Such a pair mostly
    has a new event at one end: it is enough to look for a cycle through that."""
    tests = sources = 0
    for relation in relations:
        sources |= relation.columns[SOURCES]
        for event, bits in relation.gained:
            if bits & ~new:
                tests |= 1 << event
            else:
                tests |= bits
    tests &= sources
    if not tests:
        return False
    tables = [relation.columns for relation in relations]
    if tests & (tests - 1):
        return _cyclic(tables, tests)
    event = tests.bit_length() - 1
    past = 0
    for columns in tables:
        past |= columns[event]
    todo = past
    while todo:
        if past & tests:
            return True
        low = todo & -todo
        todo ^= low
        event = low.bit_length() - 1
        found = 0
        for columns in tables:
            found |= columns[event]
        found &= ~past
        if found:
            past |= found
            todo |= found
    return False


def _cyclic(tables: list[list[int]], tests: int) -> bool:
    """Whether some of the events in `tests`, or of those from which they can be reached, are on a
    cycle."""
    done = 0
    while tests:
        low = tests & -tests
        path = low  # those on the way, and …
        way = [low.bit_length() - 1]  # … in order
        while way:
            event = way[-1]
            found = 0
            for columns in tables:
                found |= columns[event]
            found &= ~done
            if found & path:
                return True
            if found:
                low = found & -found
                path |= low
                way.append(low.bit_length() - 1)
            else:
                way.pop()
                path ^= 1 << event
                done |= 1 << event
        tests &= ~done
    return False
