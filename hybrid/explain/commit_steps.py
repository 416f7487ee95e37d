"""A trace committed once more, event by event: what is fetched at each step, with which parameters
the event could have been committed, and why the model refuses the others.

Nothing is taken from the engine that found the trace: the commits are those of the RSMC paper
(Fig. 4), in the order of the trace's run or, where it has none, in one that its model's
commit-before allows, and the graph oracle judges every parameter at every step. So it works for any
witness, and for a candidate that the model forbids: there it ends with the commit that is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.engine.api import Limits
from hybrid.engine.commit_before import CommitBefore
from hybrid.engine.rsmc.engine import check_supported
from hybrid.errors import InputError
from hybrid.execution.bits import members
from hybrid.execution.execution import FAIL, Execution
from hybrid.execution.numbering import numbering_for
from hybrid.execution.step import CHOICE, CONDITIONAL, LOAD, RMW, Step
from hybrid.execution.trace import EventId, TraceData
from hybrid.execution.unfolding import Unfolding
from hybrid.model.core import Model
from hybrid.oracle.make import make_oracle
from hybrid.oracle.reason import Reason
from hybrid.program.expr import evaluate
from hybrid.program.instructions import Select
from hybrid.witness.run import commits

_CIRCLE = (
    "the model's commit-before orders events of this execution in a circle: the steps shown go on "
    "without it"
)
MOST = 400  # parameters that are judged for one trace; of later steps only one that is refused is


@dataclass(frozen=True, slots=True)
class Judged:
    """A parameter that came into question."""

    source: EventId | None  # of an access that reads
    # of one that only writes: the stores between which it would come in co, with its place there;
    # 0 is the first after the initial write
    place: int | None
    between: tuple[EventId | None, EventId | None]
    taken: bool
    allowed: bool
    why: str = ""  # it is refused, and not by an axiom
    reason: Reason | None = None  # the axiom that refuses it


@dataclass(frozen=True, slots=True)
class CommitStep:
    event: EventId
    fetched: tuple[EventId, ...]  # by this commit
    waiting: tuple[EventId, ...]  # fetched before, and not committed yet
    judged: tuple[Judged, ...]  # empty: not looked at
    refused: bool = False  # the trace's own parameter is


@dataclass(frozen=True, slots=True)
class CommitSteps:
    first: tuple[EventId, ...]  # fetched before the first commit
    steps: tuple[CommitStep, ...]
    note: str = ""  # what is missing, and why


def commit_steps(data: TraceData, model: Model, limits: Limits, most: int = MOST) -> CommitSteps:
    """The commits of a trace of `data.program` under `model`. `limits` are those under which it was
    found; `most` parameters are judged."""
    if any(axiom.negated for axiom in model.constraints):
        note = f"{model.name} has an axiom that can become true later: steps are not judged"
        return CommitSteps((), (), note)
    try:
        check_supported(data.program, model)
    except InputError as error:
        free = f"in an order of dependencies and reads-from alone: {error.message}"
        return _Walk(data, model, limits, most, free).steps()
    return _Walk(data, model, limits, most).steps()


class _Walk:
    """An execution that is led along a trace. Events are committed as commit-before allows; where
    it leads no further (a candidate against which it speaks), or is not known (`free` says why), as
    soon as their operands and their sources are there."""

    def __init__(
        self, data: TraceData, model: Model, limits: Limits, most: int, free: str = ""
    ) -> None:
        program = data.program
        guess = bool(free) or not CommitBefore.holds_po(model)
        gated = not free and guess and CommitBefore.gates_cas(model, program)
        numbering = numbering_for(program, model)
        self.data = data
        self.forwards = model.forward is not None
        self.free = free
        self.execution = Execution(
            Unfolding(
                program, limits.unroll, guess, self.forwards, limits.max_steps, numbering, gated
            )
        )
        self.before = None if free else CommitBefore(model, self.execution)
        self.oracle = make_oracle("graph", model, self.execution)
        self.taken_in = 0 if self.before is None else self.before.take_in(0)
        self.left = most
        self.skipped = False  # some steps are not judged
        self.rank = {event: place for place, (event, _) in enumerate(data.run)}
        if not self.rank:
            found = commits(data) or ()
            self.rank = {commit.step.id: place for place, commit in enumerate(found)}
        self.among = {e: (order, i) for order in data.co.values() for i, e in enumerate(order)}

    # ---- the walk

    def steps(self) -> CommitSteps:
        execution = self.execution
        first = self._fetched(execution.initial)
        found: list[CommitStep] = []
        while (chosen := self._choose()) is not None:
            step, parameter = chosen
            if step.kind == CHOICE:
                if not self.oracle.settled(execution):
                    break
                self._commit(step, parameter)
                continue
            waiting = self._waiting(step)
            judged, fine = self._judge(step, parameter)
            if not fine:
                found.append(CommitStep(self._id(step), (), waiting, judged, refused=True))
                return CommitSteps(first, tuple(found), self._note(", but for the last,"))
            fetched = execution.fetched
            self._commit(step, parameter)
            more = tuple(each for each in self._fetched(fetched) if each != self._id(step))
            found.append(CommitStep(self._id(step), more, waiting, judged))
        return CommitSteps(first, tuple(found), self._note() or self._missing())

    def _note(self, but: str = "") -> str:
        few = f"the parameters of later steps{but} were not looked at: there are too many"
        return "; ".join(filter(None, (self.free, few if self.skipped else "")))

    def _missing(self) -> str:
        """Whether accesses of the trace are left over."""
        done = {self.execution.event_id(e) for e in members(self.execution.committed)}
        accesses = [e.id for e in self.data.events if e.kind in "RW" and e.thread >= 0]
        if all(event in done for event in accesses):
            return ""
        return "the values of this execution justify themselves in a circle: there is no such run"

    def _choose(self) -> tuple[Step, int] | None:
        """The next step with its parameter in the trace, in the order of the run where that is
        possible: one that is enabled; else a load that takes the value of a store which is not
        committed; else whatever can be committed at all."""
        execution, before = self.execution, self.before
        pending = [s for e in members(execution.pending) if (s := execution.steps[e]) is not None]
        pending.sort(key=lambda s: (s.kind != CHOICE, self.rank.get(self._id(s), 0), s.event))
        if before is not None:
            for step in pending:
                if (parameter := self._parameter(step)) is not None and before.enabled(step):
                    return step, parameter
            for step in pending if self.forwards else ():
                store = self._parameter(step, early=True)
                if store is not None and before.enabled_reading(step, store):
                    return step, store
        for step in pending:
            parameter = self._parameter(step)
            if parameter is not None and execution.known(step.needs | step.value.slots):
                if before is not None:
                    self.free = _CIRCLE
                    self.before = None
                return step, parameter
        return None

    def _commit(self, step: Step, parameter: int) -> None:
        execution, before = self.execution, self.before
        past = 0
        if before is not None:
            past = before.before(step)
            if step.kind in (LOAD, RMW):
                past |= before.by_source(step, parameter)
        self.oracle.commit(step.event, parameter)
        execution.commit(step.event, parameter)
        if before is None:
            return
        before.past[step.event] = past
        if step.kind == RMW and execution.committed >> step.second & 1:
            before.past[step.event] = past | 1 << step.second
            before.past[step.second] = past | 1 << step.event
        if execution.fetched & ~self.taken_in:
            self.taken_in = before.take_in(self.taken_in)

    # ---- what the trace says

    def _id(self, step: Step) -> EventId:
        return step.thread, step.index

    def _parameter(self, step: Step, early: bool = False) -> int | None:
        """With which parameter the trace has the step; None: it has none that can be committed now.
        `early`: one that reads from a store which is not committed."""
        event = self._id(step)
        if step.kind == CHOICE:
            return None if early else self._outcome(step)
        if not self.execution.resolved >> step.event & 1:
            return None
        if step.kind in (LOAD, RMW):
            return self._source(event, early)
        if early:
            return None
        if event not in self.among:
            return FAIL if step.kind == CONDITIONAL and not step.amo else None
        order, place = self.among[event]
        before = set(order[:place])
        here = self.execution.co[self.execution.location[step.event]]
        return 1 + sum(self.execution.event_id(store) in before for store in here[1:])

    def _source(self, load: EventId, early: bool) -> int | None:
        source = self.data.rf.get(load)
        if source is None:
            return None
        execution = self.execution
        among = execution.pending if early else execution.committed
        for event in members(among):
            if execution.event_id(event) == source:
                step = execution.steps[event]
                if early and (step is None or not execution.known(step.value.slots)):
                    return None
                return event
        return None

    def _outcome(self, step: Step) -> int | None:
        """How the trace has a choice: whether the access stores, or what a select selects."""
        thread, index = self._id(step)
        if isinstance(step.instruction, Select):
            return self._selected(step, step.instruction)
        stored = (thread, index + 1) if step.instruction and step.instruction.reads else None
        if stored is not None:
            return int(((thread, index), stored) in self.data.amo)
        return int((thread, index) in self.among)

    def _selected(self, step: Step, select: Select) -> int:
        """By the values that the trace has for the loads before it."""
        values = [0] * len(self.execution.steps)
        for number in members(step.before.po):
            event = self.data.by_id.get(self.execution.event_id(number))
            if event is not None and event.value is not None:
                values[number] = event.value
        held = {
            name: register.bound.evaluate(values)
            for name, register in step.before.registers.items()
            if name in select.uses
        }
        return int(
            evaluate(select.condition, {name: held.get(name, 0) for name in select.uses}) != 0
        )

    # ---- what the model says

    def _judge(self, step: Step, parameter: int) -> tuple[tuple[Judged, ...], bool]:
        """All that came into question for an enabled step, in the order of co; and whether the
        trace's own parameter is allowed."""
        if self.left < 0 and self._allows(step, parameter):
            self.skipped = True
            return (), True
        found: list[Judged] = []
        fine = True
        for candidate in self._candidates(step, parameter):
            taken = candidate == parameter
            self.left -= 1
            shown = self._shown(step, candidate)
            if not taken and not self._fits(step, candidate):
                found.append(Judged(*shown, taken, False, "not the value that it waits for"))
            elif self._allows(step, candidate):
                found.append(Judged(*shown, taken, True))
            else:
                fine &= not taken
                found.append(Judged(*shown, taken, False, reason=self.oracle.reason()))
        if fine and not self._allows(step, parameter):  # the last that is asked for is committed
            fine = False
        return tuple(found), fine

    def _candidates(self, step: Step, parameter: int) -> list[int]:
        order = self.execution.co[self.execution.location[step.event]]
        if step.kind in (LOAD, RMW):
            return order if parameter in order else [*order, parameter]
        places = list(range(1, len(order) + 1))
        if step.amo:
            places = [parameter]
        return [*places, FAIL] if step.kind == CONDITIONAL and parameter == FAIL else places

    def _fits(self, step: Step, candidate: int) -> bool:
        """Whether an await takes the value."""
        if step.kind not in (LOAD, RMW) or not (step.guards or step.late):
            return True
        return self.execution.satisfies(step, self.execution.stored[candidate])

    def _allows(self, step: Step, candidate: int) -> bool:
        if candidate == FAIL:
            return self.oracle.settled(self.execution)
        return bool(self.oracle.allowed(self.execution, step.event, [candidate]))

    def _shown(
        self, step: Step, candidate: int
    ) -> tuple[EventId | None, int | None, tuple[EventId | None, EventId | None]]:
        """The source; or the place, and the stores around it."""
        execution = self.execution
        if step.kind in (LOAD, RMW):
            return execution.event_id(candidate), None, (None, None)
        if candidate == FAIL:
            return None, None, (None, None)
        order = execution.co[execution.location[step.event]]
        after = execution.event_id(order[candidate]) if candidate < len(order) else None
        return None, candidate - 1, (execution.event_id(order[candidate - 1]), after)

    # ---- what is fetched

    def _fetched(self, before: int) -> tuple[EventId, ...]:
        return self._ids(self.execution.fetched & ~before)

    def _waiting(self, step: Step) -> tuple[EventId, ...]:
        return self._ids(self.execution.pending & ~(1 << step.event))

    def _ids(self, events: int) -> tuple[EventId, ...]:
        """The steps of these events, choices left out."""
        execution = self.execution
        steps = [execution.steps[event] for event in members(events & ~execution.initial)]
        found = {self._id(step) for step in steps if step is not None and step.kind != CHOICE}
        return tuple(sorted(found))
