"""The graph oracle: runs any model on partial traces with bitset relations and no solver.

What is fixed at fetch comes from the StaticTable and is restricted to committed events here; what a
commit changes is propagated through the plan's growing relations (see relations.py); parts of a
model that are not monotone are evaluated afresh at each check. Where events come in an order with
which po and rf agree, much is known column by column and judged by the places of events in
coherence (see onward.py and onward_axioms.py). apply_undo.py says how it follows an execution.

A store whose value a load takes before it is committed counts from then on, all but its place in
co: what follows from that comes with its own commit.
"""

from __future__ import annotations

from hybrid.execution.bits import bit_of
from hybrid.execution.execution import FAIL, Execution
from hybrid.execution.step import CHOICE, CONDITIONAL, LOAD, RMW, Step
from hybrid.model import core
from hybrid.oracle.api import Candidate, CommitFrame
from hybrid.oracle.apply_undo import FollowingOracle
from hybrid.oracle.from_scratch import Fresh
from hybrid.oracle.graph_flags import GraphFlags
from hybrid.oracle.graph_frame import GraphFrame
from hybrid.oracle.graph_reason import reason_now
from hybrid.oracle.network import Network
from hybrid.oracle.onward import Onward
from hybrid.oracle.onward_nodes import LOADS, OTHERS, STORES
from hybrid.oracle.plan import shared_plan
from hybrid.oracle.pointwise import Points
from hybrid.oracle.reason import Reason
from hybrid.oracle.relations import Log
from hybrid.oracle.sorted_axioms import SortedAxioms
from hybrid.oracle.static import StaticTable
from hybrid.oracle.unreachable_names import absent_names
from hybrid.oracle.within_thread import WithinThread


class GraphOracle(FollowingOracle[GraphFrame]):
    """Keeps the model's relations over the committed events of one execution."""

    def __init__(
        self,
        model: core.Model,
        execution: Execution,
        in_order: bool = False,
        keeps_base: bool = False,
    ) -> None:
        """`in_order`: no event is committed before one that is po- or rf-before it. `keeps_base`:
        rf, co and fr are kept, even if no axiom looks at them."""
        super().__init__(model, execution, GraphFrame(-1, -1, 0, 0, 0, 0))
        self._log = Log()
        self.plan = shared_plan(model, absent_names(execution.unfolding.program))
        roots = [self.plan.node(axiom.expr) for axiom in model.constraints]
        flags = [(flag, self.plan.node(flag.expr)) for flag in model.flags]
        ahead = [] if model.look_ahead is None else [self.plan.node(model.look_ahead)]
        asked = [*roots, *(node for _, node in flags), *ahead]
        self.table = StaticTable(self.plan, execution.numbering.initial_writes, asked)
        self.ahead = WithinThread(execution, self.table, ahead) if ahead else None
        self.points = Points(execution, self.table)
        self._forwards = model.forward is not None
        by_orders = not keeps_base and not self._forwards
        self._onward: Onward | None = None
        if in_order and by_orders:
            self._onward = Onward(self.points, len(execution.steps))
        self.network = Network(self.points, self._onward)
        self._held = 0  # fences and branches that were fetched, and come with an earlier access
        axioms = SortedAxioms(roots, model, execution, self.network, self._onward, by_orders)
        self._atomic = axioms.atomic
        self._onward_axioms = axioms.onward_axioms
        self._checks = axioms.checks
        self._hiding_sources = axioms.hiding_sources
        self._hiding_places = axioms.hiding_places
        self._torn = False  # a new event breaks an axiom that is judged as events come
        self._known = False  # this round is known to be allowed
        self._flags = GraphFlags(flags, self.points, self.network, self._onward)
        base = keeps_base or self._flags.needs_base
        self._keeps_base = base or any(check.whole for check in self._checks)
        if self._keeps_base:
            for leaf in (self.network.reads_from, self.network.coherence, self.network.from_read):
                leaf.stored = True
        self.network.number()
        if not self._keeps_base:
            for check in self._checks:
                check.join_leaves(self._checks)
        leaves = (self.network.reads_from, self.network.coherence, self.network.from_read)
        self._bare = not any(leaf.stored or leaf.users for leaf in leaves)  # nobody looks at these
        self.rf = self.network.reads_from
        self.co = self.network.coherence
        self.fr = self.network.from_read
        # by location the committed ones, and the initial write, be it touched or not
        self._stores = [1 << order[0] for order in execution.co]
        self.network.grow(len(execution.steps))
        self._start()

    # ---- what need not be tried

    def hides_sources(self, step: Step) -> int:
        order = self._hiding_sources
        return step.po if order is None else self._before(step, order)

    def hides_places(self, step: Step) -> int:
        order = self._hiding_places
        return step.po if order is None else self._before(step, order)

    def _before(self, step: Step, order: list[int]) -> int:
        """What the order has before the last committed event of the thread, and po."""
        own = step.po
        there = own & self.points.committed
        if not there:
            return own
        self._forget()
        return own | order[there.bit_length() - 1]

    # ---- whole traces

    def flags(self) -> tuple[str, ...]:
        """The names of the model's flags that the trace raises."""
        self._forget()
        return self._flags.raised(self.rf.columns, self.co.columns, self.fr.columns)

    def _reason_now(self) -> Reason | None:
        """Why the trace as it stands is refused."""
        tried = self._tried
        event, candidate = (-1, -1) if tried is None else (tried.event, tried.candidate)
        kept: list[list[int]] | None = None
        if self._keeps_base:
            kept = [self.rf.columns, self.co.columns, self.fr.columns]
        return reason_now(self.model, self.execution, self.points, kept, event, candidate)

    def _fresh(self) -> Fresh:
        return Fresh(self.points, self.rf.columns, self.co.columns, self.fr.columns)

    # ---- one commit

    def _start(self) -> None:
        """The initial writes and what is fetched before the first commit."""
        for event in range(len(self.execution.steps)):
            if self.execution.numbering.initial_writes >> event & 1:
                self.points.committed |= 1 << event
                self.points.by_location[self.execution.location[event]] |= 1 << event
                self._come(event, STORES, 0, self._log)
        self.network.propagate(self._log)
        self._seen = self.execution.numbering.initial_writes
        self._bottom.judged = self._judge()
        self.network.settle()
        self._take_in(self._bottom, False)

    def _take_in(self, frame: GraphFrame, known: bool) -> None:
        execution = self.execution
        new = execution.fetched & ~self._seen
        self._seen = execution.fetched
        self._grow()
        inserted = False
        while new:
            low = new & -new
            new ^= low
            event = low.bit_length() - 1
            step = execution.steps[event]
            if step is None or event == step.second or step.kind == CHOICE:
                continue  # an initial write comes with the first access of its location
            self.table.fetch(step)
            if step.kind > CONDITIONAL:
                if self._onward is not None and step.po & execution.pending:
                    self._held |= low
                    continue
                self._pass(event, known)
                inserted = True
        if inserted:
            self._round(frame, known)

    def _pass(self, event: int, known: bool) -> None:
        """A fence or branch comes."""
        self.points.committed |= bit_of(event)
        self.points.stores &= ~bit_of(event)
        self._come(event, OTHERS, 0, self._log)
        if not known:
            self._look(event, False, 0, 0)

    def _release(self, step: Step, known: bool) -> None:
        """The fences and branches come that had to wait for a step, which is about to happen."""
        execution = self.execution
        pending = execution.pending & ~(1 << step.event)
        held = self._held & execution.thread_bits[step.thread]
        while held:
            low = held & -held
            held ^= low
            found = execution.steps[low.bit_length() - 1]
            assert found is not None
            if not found.po & pending:
                self._held ^= low
                self._pass(found.event, known)

    def _grow(self) -> None:
        size = len(self.execution.steps)
        self.network.grow(size)
        if self._onward is not None:
            self._onward.grow(size)

    def _come(self, event: int, kind: int, sources: int, log: Log) -> None:
        """A committed event of this kind, which reads from `sources`, in all relations but rf, co
        and fr."""
        self.network.insert(event, log)
        if self._onward is not None:
            self._onward.come(event, kind, sources)
            self.network.feed(event, log)

    def _look(self, event: int, is_store: bool, later: int, readers: int) -> None:
        """Judges a new event by the axioms that are judged so."""
        for axiom in self._onward_axioms:
            if not axiom.holds(event, is_store, later, readers):
                self._torn = True

    def _round(self, frame: GraphFrame, known: bool) -> None:
        """Carries what was added through the network and judges it, unless it is known to be
        allowed."""
        self.network.propagate(self._log)
        fine = known or self._judge()
        self._torn = False
        self.network.settle()
        if not known and frame.judged:
            frame.judged = fine and self._completes()

    def _allows(self, frame: GraphFrame) -> bool:
        return frame.judged is True

    def _completes(self) -> bool:
        """Whether what is left open can be filled in; here nothing is."""
        return True

    def _apply(self, event: int, candidate: Candidate, known: bool) -> GraphFrame:
        if len(self._stores) < len(self.execution.co):
            self._add_locations()
        frame = GraphFrame(
            event, candidate, self._seen, self.points.committed, self._held, self._log.length()
        )
        frame.judged = known or (self._frames[-1] if self._frames else self._bottom).judged
        step = self.execution.steps[event]
        assert step is not None
        if step.kind == CHOICE:
            return frame
        self._known = known
        if candidate != FAIL:
            self._add(step, candidate, self._log)
        if self._held:
            self._release(step, known)
        if candidate != FAIL or self._held != frame.held:
            self._round(frame, known)
        return frame

    def _add_locations(self) -> None:
        """Takes in the locations that the execution has got since."""
        execution = self.execution
        for location in range(len(self._stores), len(execution.co)):
            event = execution.numbering.initial_write(location)
            self.table.add_initial_write(event)
            self._stores.append(1 << event)
            self.points.by_location.append(0)
        self._grow()

    def _add(self, step: Step, candidate: Candidate, log: Log) -> None:
        """The events of a step, with rf and co as the candidate says."""
        execution = self.execution
        if step.kind in (LOAD, RMW):
            self._add_load(step, candidate, log)
            if step.kind == RMW and execution.rmw_stores(step, execution.stored[candidate]):
                self._add_store(step.second, candidate, bit_of(step.event), log)
        else:
            order = execution.co[execution.location[step.event]]
            self._add_store(step.event, order[candidate - 1], 0, log)

    def _add_load(self, step: Step, source: int, log: Log) -> None:
        event = step.event
        bit, from_bit = bit_of(event), bit_of(source)
        location = self.execution.location[event]
        if self.points.stores & bit:
            self.points.stores ^= bit
        self._enter(event, location, LOADS, log, from_bit)
        if self._forwards and not self._stores[location] & from_bit:  # it has no place in co yet
            if not self.points.committed & from_bit:
                self._enter(source, location, STORES, log)
            self.network.leaf_gains(self.rf, event, from_bit, log)
            return
        if not self._bare:
            self.network.leaf_gains(self.rf, event, from_bit, log)
        elif self._known:
            return
        order = self.execution.co[location]
        place = len(order) - 1
        later = readers = 0
        while order[place] != source:
            store = order[place]
            if not self._bare:
                self.network.leaf_gains(self.fr, store, bit, log)
            later |= bit_of(store)
            readers |= self.execution.readers[store]
            place -= 1
        if not self._known:
            self._look(event, False, later, readers)

    def _add_store(self, event: int, previous: int, own: int, log: Log) -> None:
        """Adds a store directly after `previous` in co; `own` is the load of an rmw."""
        bit = bit_of(event)
        location = self.execution.location[event]
        readers = 0
        self.points.stores |= bit
        if self._forwards and self.points.committed & bit:  # loads took its value before
            readers = self.execution.readers[event]
        else:
            self._enter(event, location, STORES, log)
        stores = self._stores[location]
        log.note(self._stores, location)
        self._stores[location] = stores | bit
        if self._bare and self._known:
            return
        order = self.execution.co[location]
        place = len(order) - 1
        later = later_readers = 0
        while order[place] != previous:
            store = order[place]
            if not self._bare:
                self.network.leaf_gains(self.co, store, bit, log)
                if readers:
                    self.network.leaf_gains(self.fr, store, readers, log)
            later |= bit_of(store)
            later_readers |= self.execution.readers[store]
            place -= 1
        if not self._known:
            for axiom in self._atomic:
                self._torn = self._torn or not axiom.holds(event, order, place, own)
            self._look(event, True, later, later_readers)
        if self._bare:
            return
        if place == len(order) - 1 and not self._forwards:
            before = stores
            reading = self.points.by_location[location] ^ stores ^ bit  # all but the stores
        else:
            before = reading = 0
            for earlier in order[: place + 1]:
                before |= 1 << earlier
                reading |= self.execution.readers[earlier]
            reading |= own
        self.network.leaf_gains(self.co, event, before, log)
        if reading:
            self.network.leaf_gains(self.fr, event, reading, log)

    def _enter(self, event: int, location: int, kind: int, log: Log, sources: int = 0) -> None:
        """Adds an access, which reads from `sources`, to the events that count; the first of a
        location that had to wait for its number brings the initial write along."""
        points = self.points
        accesses = points.by_location[location]
        log.note(points.by_location, location)
        if not accesses:
            initial = self.execution.numbering.initial_write(location)
            accesses = points.by_location[location] = 1 << initial
            points.committed |= accesses
            self._come(initial, STORES, 0, log)
        bit = bit_of(event)
        points.committed |= bit
        points.by_location[location] = accesses | bit
        self._come(event, kind, sources, log)

    def _undo(self, frame: GraphFrame) -> None:
        self._log.undo_to(frame.mark)
        self.points.committed = frame.committed
        self._held = frame.held
        self._seen = frame.seen
        if self.execution.numbering.lazy:  # locations that have come since stay
            self._seen |= self.execution.initial

    def lift(self) -> CommitFrame | None:
        if self._tried is not None:
            self._forget()
        frame = self._frames.pop()
        frame.lifted = self._log.lift_to(frame.mark)
        before, after = frame.committed, self.points.committed
        if self._onward is not None:
            frame.lifted_columns = self._onward.lift(after & ~before)
            frame.lifted_stores = self.points.stores & after & ~before
        self.points.committed, frame.committed = before, after
        before, after = frame.seen, self._seen
        self._seen, frame.seen = before | self.execution.initial, after
        return frame

    def put_back(self, execution: Execution, frame: CommitFrame) -> None:
        assert isinstance(frame, GraphFrame) and frame.lifted is not None
        if self._tried is not None:
            self._forget()
        if len(self._stores) < len(execution.co):
            self._add_locations()
        frame.mark = self._log.length()
        self._log.put_back(frame.lifted)
        frame.lifted = None
        before, after = self.points.committed, frame.committed
        self.points.committed, frame.committed = after, before
        if self._onward is not None:
            self._onward.put_back(after & ~before, frame.lifted_columns)
            self.points.stores = self.points.stores & ~(after & ~before) | frame.lifted_stores
        before, after = self._seen, frame.seen
        self._fetch(after & ~before)
        self._seen, frame.seen = after | execution.initial, before
        self._frames.append(frame)

    def _fetch(self, events: int) -> None:
        """Makes what is known at fetch right for these events, which count already."""
        while events:
            low = events & -events
            events ^= low
            event = low.bit_length() - 1
            step = self.execution.steps[event]
            if step is not None and event != step.second and step.kind != CHOICE:
                self.table.fetch(step)

    # ---- axioms

    def _judge(self, whole: bool = True) -> bool:
        """Whether all axioms hold, given that they held before this round. Unless `whole`, those
        that must be evaluated afresh are left out: they need all of co."""
        if self._torn:
            return False
        for check in self._checks:
            if not check.whole:
                if not check.holds():
                    return False
            elif whole and not check.holds_afresh(self._fresh()):
                return False
        return True
