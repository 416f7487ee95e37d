"""The graph oracle: runs any model on partial traces with bitset relations and no solver.

What is fixed at fetch comes from the StaticTable and is restricted to committed events here; what a commit changes is propagated through the
plan's growing relations (see relations.py); parts of a model that are not monotone are evaluated afresh at each check.
"""

from __future__ import annotations

from hybrid.errors import InternalError
from hybrid.execution.execution import FAIL, Execution
from hybrid.execution.unfolding import CHOICE, CONDITIONAL, LOAD, RMW, Step
from hybrid.model import core
from hybrid.oracle.absent import absent_names
from hybrid.oracle.api import Candidate, Reason
from hybrid.oracle.fresh import Fresh
from hybrid.oracle.plan import FREE, GROW, STATIC, Node, Op, Plan
from hybrid.oracle.points import Points
from hybrid.oracle.relations import (
    SOURCES,
    DomainOf,
    Filtered,
    InterOf,
    InverseOf,
    Log,
    PlusOf,
    RangeOf,
    Relation,
    Restricted,
    SeqOf,
    UnionOf,
)
from hybrid.oracle.static import StaticTable


class _Frame:
    """One commit: how to undo it."""

    __slots__ = ("allowed", "candidate", "committed", "event", "log", "seen")

    def __init__(self, event: int, candidate: int, committed: int, seen: int) -> None:
        self.event = event
        self.candidate = candidate
        self.log: Log = []
        self.committed = committed  # Points.committed before
        self.seen = seen  # fetched events already taken in, before
        self.allowed = True


class _Leaf:
    """A stored pointwise relation; most are a STATIC one, or one restricted to equal locations."""

    __slots__ = ("forward", "located", "node", "relation", "static")

    def __init__(self, relation: Relation, node: Node) -> None:
        self.relation = relation
        self.node = node
        self.static = -1  # index of the STATIC node, if it is one of the two
        self.located = False
        if node.level == STATIC:
            self.static = node.index
        elif node.op == Op.INTER and node.args[0].level == STATIC and node.args[1].op == Op.LOC:
            self.static = node.args[0].index
            self.located = True
        self.forward = self.static >= 0  # it is within po and the identity


class _Check:
    """An axiom and the relation it speaks of; `relation` is None when that must be evaluated afresh."""

    __slots__ = ("axiom", "node", "relation", "test")

    def __init__(self, axiom: core.Axiom, node: Node, relation: Relation | None) -> None:
        self.axiom = axiom
        self.test = axiom.test
        self.node = node
        self.relation = relation


class GraphOracle:
    """Keeps the model's relations over the committed events of one execution."""

    def __init__(self, model: core.Model, execution: Execution) -> None:
        self.model = model
        self.execution = execution
        self.plan = Plan(model, absent_names(execution.unfolding.program))
        roots = [self.plan.node(axiom.expr) for axiom in model.constraints]
        self._flag_nodes = [(flag, self.plan.node(flag.expr)) for flag in model.flags]
        self.table = StaticTable(self.plan, execution.unfolding.initial_writes)
        self.points = Points(execution, self.table)
        self._order: list[Relation] = []
        self._built: dict[int, Relation] = {}
        self._leaves: list[_Leaf] = []  # pointwise relations that are stored
        self._identity: Relation | None = None
        self.rf = self._leaf()
        self.co = self._leaf()
        self.fr = self._leaf()
        self._checks: list[_Check] = []
        for axiom, node in zip(model.constraints, roots, strict=True):
            free = node.level == FREE or axiom.negated
            relation = None if free else self._relation(node)
            self._checks.append(_Check(axiom, node, relation))
        self._number()
        self._size = 0
        self._dirty = 0
        self._touched: list[Relation] = []  # may have gained something in this round
        self._new = 0  # events that this round adds
        self._frames: list[_Frame] = []
        self._tried: _Frame | None = None  # applied, but not committed
        self._refused: tuple[int, int] | None = None
        self._bottom = _Frame(-1, -1, 0, 0)  # takes what is fetched before the first commit
        self._seen = 0  # fetched events already taken in
        self._stores = [1 << order[0] for order in execution.co]  # committed ones by location
        self._grow(len(execution.steps))
        self._start()

    # ---- building

    def _leaf(self) -> Relation:
        relation = Relation([], False)
        self._order.append(relation)
        return relation

    def _relation(self, node: Node) -> Relation:
        """The growing relation of a node; pointwise nodes become leaves."""
        relation = self._built.get(node.index)
        if relation is not None:
            return relation
        op = node.op
        if op == Op.RF:
            return self.rf
        if op == Op.CO:
            return self.co
        if op == Op.FR:
            return self.fr
        if node.level < GROW:
            relation = self._leaf()
            self._leaves.append(_Leaf(relation, node))
        elif op == Op.RECURSIVE:
            relation = UnionOf([], True)
            self._order.append(relation)
            self._built[node.index] = relation
            relation.inputs = [self._relation(part) for part in _parts(node.args[0])]
            relation.read = [0] * len(relation.inputs)
            return relation
        else:
            relation = self._operator(node)
            self._order.append(relation)
        self._built[node.index] = relation
        return relation

    def _operator(self, node: Node) -> Relation:
        op, args, recursive = node.op, node.args, node.recursive
        if op == Op.UNION:
            return UnionOf([self._relation(part) for part in _parts(node)], recursive)
        if op == Op.INTER:
            if args[0].level < GROW:
                inner = self._relation(args[1])
                return Filtered(inner, self.points, args[0], True, recursive)
            return InterOf([self._relation(args[0]), self._relation(args[1])], recursive)
        if op == Op.DIFF:
            return Filtered(self._relation(args[0]), self.points, args[1], False, recursive)
        if op == Op.FROM:
            inner = self._relation(args[1])
            return Restricted(inner, self.table.members, args[0], True, recursive)
        if op == Op.INTO:
            inner = self._relation(args[0])
            return Restricted(inner, self.table.members, args[1], False, recursive)
        if op == Op.SEQ:
            return SeqOf([self._relation(args[0]), self._relation(args[1])], recursive)
        inner = self._relation(args[0])
        if op == Op.PLUS:
            return PlusOf([inner], recursive)
        if op == Op.STAR:
            return PlusOf([inner, self._identity_leaf()], recursive)
        if op == Op.OPT:
            return UnionOf([inner, self._identity_leaf()], recursive)
        if op == Op.INVERSE:
            return InverseOf([inner], recursive)
        if op == Op.DOMAIN:
            return DomainOf([inner], recursive)
        if op == Op.RANGE:
            return RangeOf([inner], recursive)
        raise InternalError(f"no growing relation for {node!r}")

    def _identity_leaf(self) -> Relation:
        if self._identity is None:
            self._identity = self._leaf()
        return self._identity

    def _number(self) -> None:
        for index, relation in enumerate(self._order):
            relation.index = index
        for relation in self._order:
            for source in relation.inputs:
                source.users |= 1 << relation.index

    def _grow(self, size: int) -> None:
        if size > self._size:
            self._size = size
            for relation in self._order:
                relation.grow(size)

    # ---- the interface

    def allowed(
        self, execution: Execution, event: int, candidates: list[Candidate]
    ) -> list[Candidate]:
        top = self._frames[-1] if self._frames else self._bottom
        if self._tried is not None:
            self._undo(self._tried)
            self._tried = None
        if execution.fetched & ~self._seen:
            self._take_in(top)
        found: list[Candidate] = []
        for candidate in candidates:
            if self._tried is not None:
                self._undo(self._tried)
            self._tried = self._apply(event, candidate)
            if self._tried.allowed and top.allowed:
                found.append(candidate)
            else:
                self._refused = (event, candidate)
        return found

    def commit(self, event: int, candidate: Candidate) -> None:
        tried = self._tried
        self._tried = None
        if tried is not None:
            if tried.event == event and tried.candidate == candidate:
                self._frames.append(tried)
                return
            self._undo(tried)
        if self.execution.fetched & ~self._seen:
            raise InternalError("committed without asking whether it is allowed")
        self._frames.append(self._apply(event, candidate))

    def rollback(self) -> None:
        if self._tried is not None:
            self._undo(self._tried)
            self._tried = None
        self._undo(self._frames.pop())

    def settled(self, execution: Execution) -> bool:
        if self._tried is not None:
            self._undo(self._tried)
            self._tried = None
        top = self._frames[-1] if self._frames else self._bottom
        if execution.fetched & ~self._seen:
            self._take_in(top)
        return top.allowed

    def flags(self) -> tuple[str, ...]:
        """The names of the model's flags that the trace raises."""
        if not self._flag_nodes:
            return ()
        fresh = self._fresh()
        return tuple(
            flag.name
            for flag, node in self._flag_nodes
            if fresh.satisfies(flag.test, flag.negated, node)
        )

    def reason(self) -> Reason:
        from hybrid.oracle.reasons import find_reason

        if self._refused is None:
            raise InternalError("no candidate was refused")
        event, candidate = self._refused
        if self._tried is not None:
            self._undo(self._tried)
        self._tried = self._apply(event, candidate)
        reason = find_reason(self.model, self.plan, self._fresh())
        if reason is None:
            raise InternalError("a refused candidate violates no axiom")
        return reason

    def _fresh(self) -> Fresh:
        return Fresh(self.points, self.rf.columns, self.co.columns, self.fr.columns)

    # ---- one commit

    def _start(self) -> None:
        """The initial writes and what is fetched before the first commit."""
        for event in range(self._size):
            if self.execution.unfolding.initial_writes >> event & 1:
                self.points.committed |= 1 << event
                self.points.by_location[self.execution.location[event]] |= 1 << event
                self._insert(event, self._bottom.log)
        self._propagate(self._bottom.log)
        self._seen = self.execution.unfolding.initial_writes
        self._bottom.allowed = self._judge()
        self._settle()
        self._take_in(self._bottom)

    def _take_in(self, frame: _Frame) -> None:
        """Events fetched since the last look: sets and columns; fences and branches are committed at once."""
        execution = self.execution
        new = execution.fetched & ~self._seen
        self._seen = execution.fetched
        self._grow(len(execution.steps))
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
                self._insert(event, frame.log)
        self._propagate(frame.log)
        frame.allowed = self._judge() and frame.allowed
        self._settle()

    def _apply(self, event: int, candidate: Candidate) -> _Frame:
        frame = _Frame(event, candidate, self.points.committed, self._seen)
        step = self.execution.steps[event]
        assert step is not None
        kind = step.kind
        if kind == CHOICE or candidate == FAIL:
            return frame
        log = frame.log
        if kind in (LOAD, RMW):
            self._add_load(step, candidate, log)
            if kind == RMW and self.execution.rmw_stores(step, self.execution.stored[candidate]):
                self._add_store(step.second, candidate, log)
        else:
            order = self.execution.co[self.execution.location[event]]
            self._add_store(event, order[candidate - 1], log)
        self._propagate(log)
        frame.allowed = self._judge()
        self._settle()
        return frame

    def _add_load(self, step: Step, source: int, log: Log) -> None:
        event = step.event
        bit = 1 << event
        location = self.execution.location[event]
        self._enter(event, location, log)
        self._leaf_gains(self.rf, event, 1 << source, log)
        after = self._stores[location] & ~self.co.columns[source] & ~(1 << source)
        while after:
            low = after & -after
            after ^= low
            self._leaf_gains(self.fr, low.bit_length() - 1, bit, log)

    def _add_store(self, event: int, previous: int, log: Log) -> None:
        """Adds a store directly after `previous` in co."""
        bit = 1 << event
        location = self.execution.location[event]
        self._enter(event, location, log)
        co = self.co
        before = co.columns[previous] | 1 << previous
        stores = self._stores[location]
        after = stores & ~before
        log.append((self._stores, location, stores))
        self._stores[location] = stores | bit
        self._leaf_gains(co, event, before, log)
        while after:
            low = after & -after
            after ^= low
            co.add(low.bit_length() - 1, bit, log)
        reading = self.fr.columns[previous] | self._reading(previous)
        if reading:
            self._leaf_gains(self.fr, event, reading, log)

    def _leaf_gains(self, leaf: Relation, event: int, bits: int, log: Log) -> None:
        if not leaf.gained:
            self._touched.append(leaf)
            self._dirty |= leaf.users
        leaf.add(event, bits, log)

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
        self._insert(event, log)

    def _insert(self, event: int, log: Log) -> None:
        """The new event in the stored pointwise relations."""
        bit = 1 << event
        self._new |= bit
        points = self.points
        committed = points.committed
        step = self.execution.steps[event]
        later = 0
        if step is not None:
            later = committed & self.execution.thread_bits[step.thread] & -(bit << 1)
        for leaf in self._leaves:
            if leaf.static >= 0:
                column = points.columns[leaf.static][event]
                if leaf.located and column:
                    column &= points.same_location(event)
            else:
                column = points.column(leaf.node, event)
            column &= committed
            if column:
                self._leaf_gains(leaf.relation, event, column, log)
            if later or not leaf.forward:
                row = points.row(leaf.node, event) & committed & ~bit
                while row:
                    low = row & -row
                    row ^= low
                    self._leaf_gains(leaf.relation, low.bit_length() - 1, bit, log)
        if self._identity is not None:
            self._leaf_gains(self._identity, event, bit, log)

    def _propagate(self, log: Log) -> None:
        order = self._order
        dirty = self._dirty
        touched = self._touched
        while dirty:
            low = dirty & -dirty
            dirty ^= low
            relation = order[low.bit_length() - 1]
            before = len(relation.gained)
            relation.update(log)
            if not before:
                touched.append(relation)
            if len(relation.gained) > before:
                dirty |= relation.users
        self._dirty = 0

    def _settle(self) -> None:
        """Forgets what this round has gained."""
        for relation in self._touched:
            if relation.gained:
                relation.gained = []
            if relation.recursive:
                relation.read = [0] * len(relation.read)
        self._touched.clear()
        self._new = 0

    def _undo(self, frame: _Frame) -> None:
        log = frame.log
        for i in range(len(log) - 1, -1, -1):
            columns, index, value = log[i]
            columns[index] = value
        self.points.committed = frame.committed
        self._seen = frame.seen

    # ---- axioms

    def _judge(self) -> bool:
        """Whether all axioms hold, given that they held before this round."""
        for check in self._checks:
            relation = check.relation
            if relation is None:
                if not self._fresh().satisfies(check.test, check.axiom.negated, check.node):
                    return False
            elif relation.gained:
                if check.test is core.Test.ACYCLIC:
                    if _closes_cycle(relation, self._new):
                        return False
                elif check.test is core.Test.EMPTY or any(
                    bits >> event & 1 for event, bits in relation.gained
                ):
                    return False
        return True


def _closes_cycle(relation: Relation, new: int) -> bool:
    """Whether a cycle goes through a pair gained in this round. Such a pair mostly has a new event at one end: it
    is enough to look for a cycle through that."""
    columns = relation.columns
    tests = 0
    for event, bits in relation.gained:
        if bits & ~new:
            tests |= 1 << event
        else:
            tests |= bits
    tests &= columns[SOURCES]
    while tests:
        bit = tests & -tests
        tests ^= bit
        past = columns[bit.bit_length() - 1]
        todo = past
        while todo:
            if past & bit:
                return True
            low = todo & -todo
            todo ^= low
            found = columns[low.bit_length() - 1] & ~past
            if found:
                past |= found
                todo |= found
    return False


def _parts(node: Node) -> list[Node]:
    """The operands of nested unions that are not stored as a whole."""
    if node.op != Op.UNION or node.level < GROW:
        return [node]
    return [part for arg in node.args for part in _parts(arg)]
