"""The graph oracle for reads-from classes: a partial trace is allowed when some coherence order
allows it.

Only what is certain of co is kept with the committed events: initial writes first, an rmw's store
after its source. Whether that can be completed to total orders is decided at each check: first the
order that did last time, with the new store last; then by saturation (a pair of stores of which one
order breaks an axiom must have the other) and, where that leaves pairs open, by trying both. All of
it is monotone: more co never mends a broken axiom.

A model's look-ahead names stores that an event must leave a place for although they are not
committed: they take part from the event's commit on. In such a model traces are judged here too
(`ordered`), with the coherence order of committed stores as it is.
"""

from __future__ import annotations

from hybrid.execution.bits import members
from hybrid.execution.execution import Execution
from hybrid.execution.step import LOAD, RMW, Step
from hybrid.model import core
from hybrid.oracle.api import Candidate
from hybrid.oracle.graph import GraphOracle
from hybrid.oracle.onward_nodes import LOADS, STORES
from hybrid.oracle.reason import Reason
from hybrid.oracle.relations import Log

Orders = list[list[int]]  # a total order of stores for each location, the initial write first


class RfGraphOracle(GraphOracle):
    """Unless `ordered`, the execution's own `co` only lists the stores here; `witness` orders
    them."""

    def __init__(self, model: core.Model, execution: Execution, ordered: bool = False) -> None:
        self.ordered = ordered
        self._hint: Orders = [order.copy() for order in execution.co]
        self._new_readers: dict[int, int] = {}  # loads under way, by source
        self._placed = -1  # the store that was ordered last
        super().__init__(model, execution, False, True)

    # ---- what the engine asks for at the end of a run

    def witness(self, last: dict[int, int]) -> Orders | None:
        """Coherence orders that allow the committed trace and end, at the given locations, with the
        given stores; None if there are none."""
        self._forget()
        if len(self._stores) < len(self.execution.co):
            self._add_locations()
        log, mark = self._log, self._log.length()
        try:
            for location, store in last.items():
                for other in members(self._stores[location] & ~(1 << store)):
                    if not self._order(other, store, log):
                        return None
            hint = self._hint_now()
            for location, store in last.items():
                hint[location] = [s for s in hint[location] if s != store] + [store]
            found = self._complete(hint, log)
            if found is None:
                return None
            committed = self.execution.committed
            return [[s for s in order if committed >> s & 1] for order in found]
        finally:
            log.undo_to(mark)

    def flags_of(self, orders: Orders) -> tuple[str, ...]:
        """The names of the model's flags that the trace raises with these coherence orders."""
        self._forget()
        log, mark = self._log, self._log.length()
        self._try_whole(orders, log)
        found = self.flags()
        log.undo_to(mark)
        return found

    # ---- one commit

    def _add(self, step: Step, candidate: Candidate, log: Log) -> None:
        execution = self.execution
        self._new_readers = {}
        location = execution.location[step.event]
        if step.kind not in (LOAD, RMW):
            if not self._stores[location] >> step.event & 1:  # else it takes part already
                self._add_unordered(step.event, location, log)
            if self.ordered:
                self._place(step.event, candidate, log)
            self._look_ahead(step, location, log)
            return
        self._enter(step.event, location, LOADS, log)
        if not self._stores[location] >> candidate & 1:
            self._add_unordered(candidate, location, log)
        bit = 1 << step.event
        self.network.leaf_gains(self.rf, step.event, 1 << candidate, log)
        self._new_readers[candidate] = bit
        co = self.co.columns
        for store in members(self._stores[location]):
            if co[store] >> candidate & 1:
                self.network.leaf_gains(self.fr, store, bit, log)
        if step.kind == RMW and execution.rmw_stores(step, execution.stored[candidate]):
            self._add_unordered(step.second, location, log)
            self._add_order(candidate, step.second, log)
            if self.ordered:
                order = execution.co[location]
                self._place(step.second, order.index(candidate) + 1, log)
        self._look_ahead(step, location, log)

    def _place(self, event: int, place: int, log: Log) -> None:
        """Orders a store among the committed ones."""
        self._placed = event
        order = self.execution.co[self.execution.location[event]]
        self._add_order(order[place - 1], event, log)
        if place < len(order):
            self._add_order(event, order[place], log)

    def _look_ahead(self, step: Step, location: int, log: Log) -> None:
        """Takes in the stores for which the event must leave a place."""
        if self.ahead is None:
            return
        for store in members(self.ahead.before(step) & self.execution.pending):
            if not self._stores[location] >> store & 1 and store != step.event:
                self._add_unordered(store, location, log)

    def _add_unordered(self, event: int, location: int, log: Log) -> None:
        """Adds a store of which only the initial write is known to come first."""
        self._enter(event, location, STORES, log)
        stores = self._stores[location]
        log.note(self._stores, location)
        self._stores[location] = stores | 1 << event
        self._add_order(self.execution.co[location][0], event, log)

    def _readers(self, store: int) -> int:
        readers = self.execution.readers[store] | self._new_readers.get(store, 0)
        return readers & self.points.committed

    def _add_order(self, first: int, second: int, log: Log) -> bool:
        """Puts `first` before `second` in co, with what follows; False if they are ordered the
        other way."""
        co = self.co.columns
        if co[first] >> second & 1:
            return False
        before = co[first] | 1 << first
        if not before & ~co[second]:
            return True
        readers = 0
        for store in members(before):
            readers |= self._readers(store)
        location = self.execution.location[second]
        for store in members(self._stores[location]):
            if store == second or co[store] >> second & 1:
                self.network.leaf_gains(self.co, store, before, log)
                if readers:
                    self.network.leaf_gains(self.fr, store, readers, log)
        return True

    def _order(self, first: int, second: int, log: Log) -> bool:
        """The same as a round of its own; False when it breaks an axiom."""
        if not self._add_order(first, second, log):
            return False
        self.network.propagate(log)
        fine = self._judge(False)
        self.network.settle()
        return fine

    # ---- completing co

    def _completes(self) -> bool:
        if self.ordered:
            if not self._open_pairs():
                return True
            self._hint = self._likely()
        hint = self._hint_now()
        log, mark = self._log, self._log.length()
        found = self._complete(hint, log)
        log.undo_to(mark)
        if found is None:
            return False
        self._hint = found
        return True

    def _hint_now(self) -> Orders:
        """The last witness with new stores at the end and without stores that are no longer
        there."""
        hint: Orders = []
        for location, stores in enumerate(self._stores):
            if location == len(self._hint):  # it has got its number since
                self._hint.append([self.execution.co[location][0]])
            order = [s for s in self._hint[location] if stores >> s & 1]
            known = set(order)
            order += [s for s in members(stores) if s not in known]
            hint.append(order)
        return hint

    def _likely(self) -> Orders:
        """The committed stores as they are ordered, each other one before the first that its thread
        stores later."""
        execution, co = self.execution, self.co.columns
        found: Orders = []
        for stores in self._stores:
            ordered = sorted(members(stores), key=lambda s: co[s].bit_count())
            order = [s for s in ordered if execution.committed >> s & 1 or s == self._placed]
            for store in reversed([s for s in members(stores) if s not in order]):
                place = len(order)
                for i in range(len(order) - 1, 0, -1):
                    step = execution.steps[order[i]]
                    if step is not None and step.po >> store & 1:
                        place = i
                order.insert(place, store)
            found.append(order)
        return found

    def _complete(self, hint: Orders, log: Log) -> Orders | None:
        """Total orders that extend what `log` and the state hold; the log is left for the caller to
        undo."""
        mark = log.length()
        if self._try_whole(hint, log):
            return hint
        log.undo_to(mark)
        return self._search(log)

    def _reason_now(self) -> Reason | None:
        """Where no coherence order is possible, an example: what is wrong with the one that seemed
        likeliest."""
        reason = super()._reason_now()
        if reason is None:
            log, mark = self._log, self._log.length()
            self._try_whole(self._hint_now(), log)
            reason = super()._reason_now()
            log.undo_to(mark)
        return reason

    def _try_whole(self, orders: Orders, log: Log) -> bool:
        """Adds total orders in one round."""
        co = self.co.columns
        for order in orders:
            before = readers = 0
            for store in order:
                if co[store] & ~before:
                    self.network.propagate(log)
                    self.network.settle()
                    return False  # the order contradicts what is certain
                if before:
                    self.network.leaf_gains(self.co, store, before, log)
                if readers:
                    self.network.leaf_gains(self.fr, store, readers, log)
                before |= 1 << store
                readers |= self._readers(store)
        self.network.propagate(log)
        fine = self._judge()
        self.network.settle()
        return fine

    def _open_pairs(self) -> list[tuple[int, int]]:
        co = self.co.columns
        pairs: list[tuple[int, int]] = []
        for stores in self._stores:
            ordered = list(members(stores))
            for i, first in enumerate(ordered):
                pairs.extend(
                    (first, second)
                    for second in ordered[i + 1 :]
                    if not co[first] >> second & 1 and not co[second] >> first & 1
                )
        return pairs

    def _search(self, log: Log) -> Orders | None:
        """Depth-first over open pairs, each level saturated first."""
        # (log length before, first, second): the other way is untried
        choices: list[tuple[int, int, int]] = []
        forward = True
        while True:
            if forward and self._saturate(log):
                pairs = self._open_pairs()
                if not pairs:
                    orders = self._total()
                    if self._whole_is_fine():
                        return orders
                else:
                    first, second = pairs[0]
                    choices.append((log.length(), first, second))
                    forward = self._order(first, second, log)
                    continue
            if not choices:
                return None
            mark, first, second = choices.pop()
            log.undo_to(mark)
            forward = self._order(second, first, log)

    def _saturate(self, log: Log) -> bool:
        """Adds the orders that are forced; False when some pair has none left."""
        changed = True
        while changed:
            changed = False
            for first, second in self._open_pairs():
                co = self.co.columns
                if co[first] >> second & 1 or co[second] >> first & 1:
                    continue
                mark = log.length()
                one = self._order(first, second, log)
                log.undo_to(mark)
                other = self._order(second, first, log)
                log.undo_to(mark)
                if not one and not other:
                    return False
                if not (one and other):
                    changed = True
                    if not (
                        self._order(first, second, log) if one else self._order(second, first, log)
                    ):
                        return False
        return True

    def _total(self) -> Orders:
        co = self.co.columns
        return [
            sorted(members(stores), key=lambda store: co[store].bit_count())
            for stores in self._stores
        ]

    def _whole_is_fine(self) -> bool:
        """The axioms that are judged on whole coherence orders only."""
        return all(check.holds_afresh(self._fresh()) for check in self._checks if check.whole)
