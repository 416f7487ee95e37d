"""Which flags of a model a whole trace raises: the model's encoding with everything known, so that
each flag comes out true or false."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hybrid.encoding.clauses import TRUE
from hybrid.encoding.logic import Logic
from hybrid.encoding.model import encode_model
from hybrid.errors import InternalError
from hybrid.execution.bits import members
from hybrid.execution.execution import Execution
from hybrid.execution.step import CONDITIONAL, LOAD, RMW
from hybrid.model import core
from hybrid.model.reach import base_names

Pairs = dict[tuple[int, int], int]


class TraceFlags:
    def __init__(self, model: core.Model, flags: Sequence[core.Axiom], logic: Logic) -> None:
        self.model = replace(model, axioms=tuple(flags))
        self.logic = logic
        self._used = base_names(model, (flag.expr for flag in flags))

    def raised(self, execution: Execution, orders: Sequence[Sequence[int]]) -> tuple[str, ...]:
        """Of the committed events, with coherence orders by location, the initial write first."""
        if not self.model.axioms:
            return ()
        events = list(members(execution.committed))
        sets, relations = self._sets(execution, events), self._relations(execution, events)
        relations["co"] = {
            (store, later): TRUE
            for order in orders
            for place, store in enumerate(order)
            for later in order[place + 1 :]
        }
        encoded = encode_model(self.model, self.logic, events, sets, relations)
        if any(abs(x) != TRUE for x in encoded.flags.values()):
            raise InternalError("a flag of a whole trace is left open")
        return tuple(name for name, x in encoded.flags.items() if x == TRUE)

    def _sets(self, execution: Execution, events: list[int]) -> dict[str, dict[int, int]]:
        sets: dict[str, dict[int, int]] = {}
        for event in events:
            step = execution.steps[event]
            if step is None:
                names = {"W", "IW"}
            else:
                kind = "W" if event == step.second else "RWRWFB"[step.kind]
                names = {kind, *step.tags}
            for name in names:
                sets.setdefault(name, {})[event] = TRUE
        return sets

    def _relations(self, execution: Execution, events: list[int]) -> dict[str, Pairs]:
        relations: dict[str, Pairs] = {name: {} for name in core_relations()}
        committed = execution.committed
        for event in events:
            step = execution.steps[event]
            if step is None:
                continue
            depends = step.depends_of(event)
            past = {"po": step.po, "addr": depends.addr, "data": depends.data}
            past |= {"ctrl": depends.ctrl, "pick": depends.pick}
            if event == step.second:
                past["po"] |= 1 << step.event
                relations["amo"][(step.event, event)] = TRUE
            elif step.kind == CONDITIONAL and step.reserve is not None:
                relations["amo" if step.amo else "lxsx"][(step.reserve.event, event)] = TRUE
            for name, bits in past.items():
                for earlier in members(bits & committed):
                    relations[name][(earlier, event)] = TRUE
            if step.kind in (LOAD, RMW) and event != step.second:
                relations["rf"][(execution.source[event], event)] = TRUE
        wanted = self._used & {"int", "ext", "loc"}
        if wanted:
            self._pointwise(execution, events, relations)
        return relations

    def _pointwise(
        self, execution: Execution, events: list[int], relations: dict[str, Pairs]
    ) -> None:
        steps, location = execution.steps, execution.location
        threads = {e: -1 if (s := steps[e]) is None else s.thread for e in events}
        for a in events:
            for b in events:
                relations["int" if threads[a] == threads[b] else "ext"][(a, b)] = TRUE
                if location[a] == location[b] and self._accesses(execution, a, b):
                    relations["loc"][(a, b)] = TRUE

    def _accesses(self, execution: Execution, *events: int) -> bool:
        kinds = [execution.steps[e] for e in events]
        return all(step is None or step.kind <= CONDITIONAL for step in kinds)


def core_relations() -> tuple[str, ...]:
    return ("po", "rf", "co", "loc", "int", "ext", "addr", "data", "ctrl", "pick", "amo", "lxsx")
