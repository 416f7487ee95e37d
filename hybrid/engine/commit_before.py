"""Commit-before: which fetched events must be committed before which, as the model's text says.

The relation is a union (its transitive closure is implied) of parts known at fetch, parts known
once addresses are (see within_thread.py), rf, and compositions of these. To it we add what the
execution model needs in any case (the paper's cb⁰): an event comes after those whose results it
needs and those that decided its path.

A model may say that loads can take the value of an earlier store of their thread before that store
is committed (`forward`). A load waits for such a store unless it reads from it; then it comes after
what the store's address, value and path need, not after the store.
"""

from __future__ import annotations

from functools import lru_cache

from hybrid.errors import InputError
from hybrid.execution.bits import bit_of
from hybrid.execution.execution import Execution
from hybrid.execution.step import BRANCH, CHOICE, FENCE, LOAD, RMW, Step
from hybrid.model import core
from hybrid.oracle.columns import GROW, STATIC, ColumnEvaluator, Node, Op
from hybrid.oracle.plan import Plan
from hybrid.oracle.pointwise import Points
from hybrid.oracle.sets import contains
from hybrid.oracle.static import StaticTable
from hybrid.oracle.unreachable_names import absent_names
from hybrid.oracle.within_thread import WithinThread, is_local
from hybrid.program import instructions as ins
from hybrid.program.program import Program


class CommitBefore:
    """Pasts are bitsets of accesses and choices; fences and branches are looked through."""

    def __init__(self, model: core.Model, execution: Execution) -> None:
        self.execution = execution
        plan, terms = _checked_terms(model)
        self._static = [t for t in terms if t.level == STATIC]
        self._located: list[Node] = []  # STATIC & loc
        self._other: list[Node] = []
        local: list[Node] = []
        special = model.forward is not None or model.look_ahead is not None
        for term in terms:
            if term.level == STATIC or term.op == Op.RF:
                continue
            if term.op == Op.INTER and term.args[0].level == STATIC and term.args[1].op == Op.LOC:
                self._located.append(term.args[0])
            elif is_local(term) and (special or not _is_checked(term)):
                local.append(term)
            else:
                self._other.append(term)
        forward = [] if model.forward is None else [plan.node(model.forward)]
        self._table = StaticTable(plan, execution.numbering.initial_writes)
        self._points = Points(execution, self._table)
        self._over_fetched = _FetchedColumns(execution, self._points)
        self._local = WithinThread(execution, self._table, local) if local else None
        self._forward = WithinThread(execution, self._table, forward) if forward else None
        self._direct: list[int] = []  # STATIC predecessors, through fences and branches
        self._fetched = 0
        self.past: list[int] = []  # of committed accesses and choices, the closure of cb

    @staticmethod
    def check(model: core.Model) -> None:
        """Raises InputError when the model has no commit-before, or one that cannot be evaluated
        over fetched events."""
        _checked_terms(model)

    @staticmethod
    def holds_po(model: core.Model) -> bool:
        """Whether po as a whole is in the commit-before relation."""
        return Op.PO in _operators(model)

    @staticmethod
    def holds_po_and_rf(model: core.Model) -> bool:
        """Whether po and rf as wholes are in it, so that the model claims po | rf to be acyclic."""
        return {Op.PO, Op.RF} <= _operators(model)

    @staticmethod
    def gates_cas(model: core.Model, program: Program) -> bool:
        """Whether what follows a branch on the outcome of a cas comes after the cas, and the cas
        comes after the same events whether it stores or not."""
        if model.forward is not None or model.look_ahead is not None:
            return False
        if Op.CTRL not in _operators(model):
            return False
        assert model.commit_before is not None
        tags = {
            instruction.tags
            for thread in program.threads
            for instruction in thread.code
            if isinstance(instruction, ins.Rmw) and instruction.op == "cas"
        }
        plan = Plan(model, absent_names(program))
        terms = _terms(plan, plan.node(model.commit_before))
        return all(term.op == Op.RF or _ends_alike(term, tags) for term in terms)

    def take_in(self, known: int) -> int:
        """Makes the tables right for events fetched since `known`, the value that the last call
        gave at that point of the run."""
        execution = self.execution
        new = execution.fetched & ~known
        size = len(execution.steps)
        if len(self._direct) < size:
            self._direct.extend([0] * (size - len(self._direct)))
            self.past.extend([0] * (size - len(self.past)))
        while new:
            low = new & -new
            new ^= low
            event = low.bit_length() - 1
            step = execution.steps[event]
            if step is None:
                self._table.add_initial_write(event)
                continue
            if event == step.second:
                continue
            self._table.fetch(step)
            direct = 0
            if step.kind != CHOICE:
                direct = self._columns(event) | step.needs
                if step.kind == RMW:
                    direct |= self._columns(step.second)
                    direct &= ~(1 << event | 1 << step.second)
            direct |= step.before.control
            self._direct[event] = self._through(direct)
        return execution.fetched

    def _columns(self, event: int) -> int:
        direct = 0
        for node in self._static:
            direct |= self._table.columns[node.index][event]
        return direct & ~(1 << event)

    def _through(self, direct: int) -> int:
        """Fences and branches replaced by their own predecessors."""
        steps = self.execution.steps
        result = 0
        while direct:
            low = direct & -direct
            direct ^= low
            step = steps[low.bit_length() - 1]
            if step is None:
                continue
            if step.kind == FENCE or step.kind == BRANCH:
                result |= self._direct[step.event]
            else:
                result |= low
        return result

    def enabled(self, step: Step) -> bool:
        """Whether all events before this one are committed, for a pending step."""
        execution = self.execution
        event = step.event
        if self._direct[event] & execution.pending:
            return False
        if step.needs and not execution.known(step.needs):
            return False
        if step.kind == CHOICE:
            return True
        if not execution.resolved >> event & 1:
            return False
        for node in self._located:
            waiting = self._table.columns[node.index][event] & execution.pending
            if step.kind == RMW:
                waiting |= self._table.columns[node.index][step.second] & execution.pending
            if waiting:
                waiting &= execution.resolved & ~(1 << event)
            while waiting:
                low = waiting & -waiting
                waiting ^= low
                if execution.location[low.bit_length() - 1] == execution.location[event]:
                    return False
        if self._local is not None and self._locals(step) & execution.pending:
            return False
        if self._forward is not None and step.kind == LOAD and self._near(step) & execution.pending:
            return False
        return not self._other or not self._others(step) & execution.pending

    def enabled_reading(self, step: Step, store: int) -> bool:
        """Whether a pending load that takes the value of this store of its thread is enabled, while
        the store is pending."""
        if self._forward is None or step.kind != LOAD or not self._near(step) >> store & 1:
            return False
        pending = self.execution.pending
        self.execution.pending = pending & ~(1 << store)
        found = self.enabled(step)
        self.execution.pending = pending
        return found

    def _locals(self, step: Step) -> int:
        """The accesses and choices before an access in parts that need addresses."""
        assert self._local is not None
        found = self._local.before(step)
        own = 1 << step.event
        if step.kind == RMW:
            own |= 1 << step.second
        return self._through(found & self.execution.fetched & ~own)

    def _near(self, step: Step) -> int:
        """The stores whose values a load can take before they are committed; it waits for those
        that it does not read."""
        assert self._forward is not None
        near = self._forward.before(step) & self.execution.fetched
        if near:
            near &= ~self._direct[step.event]
            if self._local is not None:
                near &= ~self._locals(step)
        return near

    def orders(self, first: int, second: int) -> bool:
        """Whether the model's text relates two fetched accesses of one location and thread, by one
        part of the relation."""
        columns = [self._table.columns[n.index][second] for n in (*self._static, *self._located)]
        step = self.execution.steps[second]
        if self._local is not None and step is not None and step.event == second:
            columns.append(self._local.before(step))
        return any(column >> first & 1 for column in columns)

    def leads(self, first: int, second: int) -> bool:
        """Whether fetched access `second` comes after `first` whatever loads read."""
        todo = 1 << second
        reached = 0
        while todo:
            low = todo & -todo
            reached |= low
            step = self.execution.steps[low.bit_length() - 1]
            assert step is not None
            todo |= self._direct[step.event]
            if self._local is not None and step.kind != CHOICE:
                todo |= self._locals(step)
            todo &= ~reached
        return reached >> first & 1 == 1

    def by_source(self, step: Step, source: int) -> int:
        """What reading from `source` adds to the cb-past of a load or an rmw."""
        pasts = self.past
        past = 0
        if self._forward is not None and step.kind == LOAD:
            near = self._near(step)
            if near >> source & 1:
                return self._needed(source)
            while near:
                low = near & -near
                near ^= low
                past |= pasts[low.bit_length() - 1] | low
        if not self.execution.numbering.initial_writes >> source & 1:
            past |= pasts[source] | 1 << source
        return past

    def _needed(self, store: int) -> int:
        """What must be committed for the address and the value of a store to be known, with its
        past."""
        step = self.execution.steps[store]
        assert step is not None
        needs = step.address.slots | step.value.slots | step.before.control
        past = 0
        while needs:
            low = needs & -needs
            needs ^= low
            past |= self.past[low.bit_length() - 1] | low
        return past

    def before(self, step: Step) -> int:
        """The cb-past of an enabled step, a load's or an rmw's source left out."""
        execution = self.execution
        event = step.event
        direct = self._direct[event]
        if step.kind != CHOICE:
            for node in self._located:
                column = self._table.columns[node.index][event]
                if step.kind == RMW:
                    column |= self._table.columns[node.index][step.second]
                direct |= column & execution.accesses[execution.location[event]]
            if self._local is not None:
                direct |= self._locals(step)
            if self._other:
                direct |= self._others(step)
            own = direct >> event & 1
            if own:
                direct ^= bit_of(event)
            if step.kind == RMW:
                direct &= ~(1 << step.second)
        past = 0
        pasts = self.past
        while direct:  # the latest first: it mostly holds the others
            last = direct.bit_length() - 1
            past |= pasts[last] | bit_of(last)
            direct &= ~past
        return past

    # ---- parts that are neither static nor located

    def _others(self, step: Step) -> int:
        if not self._other:
            return 0
        self._points.committed = self.execution.fetched
        self._points.by_location = [0] * len(self.execution.co)
        accesses = self.execution.fetched & self.execution.resolved
        while accesses:
            low = accesses & -accesses
            accesses ^= low
            self._points.by_location[self.execution.location[low.bit_length() - 1]] |= low
        direct = 0
        for node in self._other:
            direct |= self._over_fetched.column(node, step.event)
            if step.kind == RMW:
                direct |= self._over_fetched.column(node, step.second)
        own = 1 << step.event | (1 << step.second if step.kind == RMW else 0)
        return self._through(direct & self.execution.fetched) & ~own


class _FetchedColumns(ColumnEvaluator):
    """Columns over fetched events, committed or not; of rf, over those that are committed."""

    def __init__(self, execution: Execution, points: Points) -> None:
        super().__init__(points.members)
        self.execution = execution
        self.points = points

    def column(self, node: Node, event: int) -> int:
        if node.level < GROW:
            return self.points.column(node, event) & self.execution.fetched
        return node.column(self, event)

    def base(self, node: Node, event: int) -> int:
        if node.op != Op.RF:
            return super().base(node, event)
        execution = self.execution
        step = execution.steps[event]
        if step is None or step.event != event or not execution.committed >> event & 1:
            return 0
        return 1 << execution.source[event] if step.kind in (LOAD, RMW) else 0


def _ends_alike(term: Node, tags: set[frozenset[str]]) -> bool:
    """Whether a part of the relation ends in the load of an rmw with such tags where it ends in its
    store, what is between the two left aside."""
    if term.op == Op.INTER and term.args[0].level == STATIC and term.args[1].op == Op.LOC:
        term = term.args[0]
    if term.level != STATIC:
        return False
    todo, seen = [term], {term.index}
    while todo:
        node = todo.pop()
        if not node.is_set:
            todo += [each for each in node.args if each.index not in seen]
            seen.update(each.index for each in node.args)
        elif any(contains(node, "R", t, False) != contains(node, "W", t, False) for t in tags):
            return False
    return True


@lru_cache(maxsize=32)
def _operators(model: core.Model) -> set[Op]:
    """Of the parts of the union whose closure commit-before is; none if there is none."""
    if model.commit_before is None:
        return set()
    plan = Plan(model)
    return {term.op for term in _terms(plan, plan.node(model.commit_before))}


@lru_cache(maxsize=32)
def _checked_terms(model: core.Model) -> tuple[Plan, list[Node]]:
    """The plan is shared by all runs of the model: nobody changes it but by asking for nodes."""
    if model.commit_before is None:
        raise InputError(
            f"rsmc needs a commit-before relation, and the model {model.name} has none: "
            f"{model.commit_before_origin}",
            hint="Use --engine enumerate, or add (*% commit-before … *) to the model.",
        )
    plan = Plan(model)
    terms = _terms(plan, plan.node(model.commit_before))
    for term in terms:
        if term.level != STATIC and term.op != Op.RF and not is_local(term):
            _check(term, model)
    if model.forward is not None and not is_local(plan.node(model.forward)):
        raise InputError(
            f"what {model.name} lets loads forward from is not known before events are committed",
            model.forward.span,
            hint="Build it from po, addr, data, ctrl, loc, amo, lxsx, sets and | & \\ ; + * ?.",
        )
    return plan, terms


def _terms(plan: Plan, node: Node) -> list[Node]:
    """The parts of the union whose closure commit-before is."""
    if node.op == Op.PLUS or (node.op == Op.UNION):
        return [term for arg in node.args for term in _terms(plan, arg)]
    return [node]


_MONOTONE = (
    Op.UNION,
    Op.INTER,
    Op.DIFF,
    Op.FROM,
    Op.INTO,
    Op.OPT,
    Op.SEQ,
    Op.PLUS,
    Op.STAR,
    Op.RF,
)


def _check(node: Node, model: core.Model) -> None:
    """Refuses what cannot be evaluated over fetched events."""
    found = _unchecked(node)
    if found is not None:
        span = model.commit_before.span if model.commit_before is not None else None
        raise InputError(
            f"the commit-before of {model.name} uses {found.op.name.lower()}, which rsmc cannot "
            "evaluate before events are committed",
            span,
            hint="Build it from po, addr, data, ctrl, loc, sets, rf and | & ; + * ?.",
        )


def _is_checked(node: Node) -> bool:
    return _unchecked(node) is None


def _unchecked(node: Node) -> Node | None:
    """A part that cannot be evaluated over fetched events, if there is one."""
    if node.level < GROW:
        return None
    if node.op not in _MONOTONE or node.level > GROW:
        return node
    for arg in node.args:
        if not arg.is_set:
            found = _unchecked(arg)
            if found is not None:
                return found
    return None
