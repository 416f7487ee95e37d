"""RSMC: Relaxed Stateless Model Checking (Abdulla, Atig, Jonsson, Leonardsson, CAV 2016, Fig. 7).

The paper's names: τ is `execution.run`, σ the Execution; an `RsmcFrame` with `template` None is a
call of Explore, otherwise one of Traverse; P[e] is the frame's `length` (the run up to there) and Q[e]
its `templates`. DetectRace is `_detect_races`, cut and normalize are in `_template`.

Where the paper leaves a choice open:
- P and Q live as long as the frame of Explore that commits the load; kept longer they hold
  templates of another prefix.
- A load that Traverse commits inside a template has no frame, so DetectRace passes it by; only the
  last one belongs to the frame whose template it is.
- A store's parameter in a template is its place among the stores of P[e] and of the template before
  it.
- normalize orders by the size of the cb-past, then by event: a linear extension of cb that depends
  on the trace alone.
- A template is remembered after it was explored, since the same race is met again and again.

Read-modify-writes are one step with a source as parameter; as stores they race under that
parameter, since their cb-past depends on it.

Loads that wait for a value (awaits, and compare-and-swaps whose outcome was guessed) are chosen
after all others, when some parameter is allowed. The proof of soundness needs, for a load whose
source comes later, some other parameter that leaves the rest of the trace possible; with a guard
there may be none, so such a load has a further parameter, SKIP: the run goes on without it, and
later stores race with it all the same.

Where a model looks ahead, a load may find no source, as what is committed has no completion: each
of its sources would take away the place of a store that was passed over. It is skipped too, and a
run that ends without it is none.

An await is also skipped where nothing can go on then, if the run is one that waits for ever: what
stays in memory is not the awaited value, though an earlier store has it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import cast

from hybrid.engine.api import Counters, Limits
from hybrid.engine.commit_before import CommitBefore
from hybrid.engine.end_of_run import end_of_class, end_of_run, may_wait_for_ever, observed_locations
from hybrid.engine.rsmc.frame import ANY, SKIP, Path, RsmcFrame, Template
from hybrid.errors import InternalError
from hybrid.execution.execution import FAIL, Execution
from hybrid.execution.numbering import numbering_for
from hybrid.execution.step import CHOICE, CONDITIONAL, LOAD, RMW, STORE, Step
from hybrid.execution.trace import Trace
from hybrid.execution.unfolding import Unfolding
from hybrid.model import core
from hybrid.oracle.api import Oracle, RfOracle
from hybrid.oracle.coherence import coherent
from hybrid.program.instructions import Select
from hybrid.program.program import Program


class RsmcExploration:
    def __init__(
        self,
        program: Program,
        model: core.Model,
        limits: Limits,
        counters: Counters,
        policy: str,
        seed: int,
        classes: bool,
        make: Callable[[core.Model, Execution], Oracle],
    ) -> None:
        guess = not CommitBefore.holds_po(model)
        self.limits = limits
        self.counters = counters
        self.policy = policy
        self.random = random.Random(seed)
        self.apart = model.forward is not None  # the events of an rmw are committed apart
        selects = any(isinstance(i, Select) for t in program.threads for i in t.code)
        self.unsure = self.apart or selects  # guesses may be left to be confirmed at the end
        self.looks_ahead = model.look_ahead is not None
        numbering = numbering_for(program, model)
        self.execution = Execution(
            Unfolding(program, limits.unroll, guess, self.apart, limits.max_steps, numbering)
        )
        self.before = CommitBefore(model, self.execution)
        self.classes = classes  # reads-from classes: stores carry no parameter
        self.oracle = make(model, self.execution)  # for classes an RfOracle
        self.observed = observed_locations(program, numbering) if classes else ()
        self.coherent = coherent(model)
        self.has_flags = bool(model.flags)
        self.fetched = self.before.take_in(0)
        self.size: list[int] = []  # of the cb-past of committed events, for normalize
        self.stack: list[RsmcFrame] = []
        self.frame_of: dict[int, RsmcFrame] = {}  # of loads that Explore is committing
        self.framed = 0  # the events in it
        self.skipped = 0  # the events that are left out
        self.steps_taken = 0
        self.until: float | None = None  # in time.monotonic() seconds: when to pause
        self.offered: list[tuple[Path, Template]] = []  # of frames below the subtree explored

    def run(self) -> Iterator[Trace]:
        yield from self._explore()
        yield from self.proceed()

    def proceed(self) -> Iterator[Trace]:
        """Explores all that is on the stack; or stops when `until` is over, at a moment at which
        the stack says all that is left."""
        stack = self.stack
        while stack:
            frame = stack[-1]
            self._step_back(frame)
            if not self._next(frame):
                if frame.explored < len(frame.templates):
                    template = frame.templates[frame.explored]
                    frame.explored += 1
                    self._traverse(template, 0, frame)
                else:
                    self._leave(frame)
            elif frame.template is not None and frame.place + 1 < len(frame.template):
                assert frame.owner is not None
                self._traverse(frame.template, frame.place + 1, frame.owner)
            else:
                yield from self._explore()
            if self.until is not None and time.monotonic() > self.until:
                return

    # ---- Explore

    def _explore(self) -> Sequence[Trace]:
        """Enters Explore: pushes a frame for an enabled event, or ends the run; gives its trace if
        it is one to show (reads-from classes: one for each choice of final stores)."""
        self.steps_taken += 1
        if not self.steps_taken & 255:
            self.limits.check_time()
        frame = self._choose()
        if frame is None:
            return self._end()
        self.stack.append(frame)
        kind = frame.step.kind
        if kind == LOAD or kind == RMW:
            self.frame_of[frame.event] = frame
            self.framed |= 1 << frame.event
        return ()

    def _choose(self) -> RsmcFrame | None:
        """A frame for an enabled event (line 2); None when there is none that can go on."""
        execution = self.execution
        pending = execution.pending & ~self.skipped
        waiting: list[Step] = []
        if self.apart:
            pair = self._choose_pair(pending)
            if pair is not None:
                return pair
        while pending:
            bit = self._pick(pending)
            pending ^= bit
            step = execution.steps[bit.bit_length() - 1]
            assert step is not None
            if not self.before.enabled(step):
                continue
            if self._may_wait(step):
                waiting.append(step)
                continue
            frame = self._frame(step)
            frame.candidates = self._candidates(step, frame.past)
            if step.kind != LOAD and step.kind != CHOICE:
                self._detect_store_races(frame)
            return frame
        if waiting:
            return self._choose_waiting(waiting)
        if execution.pending and not self.skipped:
            # Pending events, none of them enabled: commit-before has a cycle through an event not
            # committed.
            self.counters.stuck += 1
        return None

    def _choose_pair(self, pending: int) -> RsmcFrame | None:
        """A frame for the store of an rmw in two steps: these come as soon as they can. If one has
        no place, as another store came between it and its source, the run ends there."""
        while pending:
            low = pending & -pending
            pending ^= low
            step = self.execution.steps[low.bit_length() - 1]
            assert step is not None
            if step.amo and self.before.enabled(step):
                frame = self._frame(step)
                frame.candidates = self._candidates(step, frame.past)
                self._detect_store_races(frame)
                return frame
        return None

    def _choose_waiting(self, waiting: list[Step]) -> RsmcFrame | None:
        """A frame for one of the events that wait, the only ones enabled: the first that can go on.
        It can also be skipped, if another can go on then."""
        ready: list[RsmcFrame] = []
        for step in waiting:
            frame = self._frame(step)
            frame.candidates = self._candidates(step, frame.past)
            frame.checked = True
            if step.kind != LOAD:
                self._detect_store_races(frame)
            frame.candidates = self._allowed(step, frame.candidates)
            if frame.candidates:
                ready.append(frame)
        if not ready:
            return None
        if len(ready) > 1:
            if ready[0].step.kind != CONDITIONAL:
                ready[0].candidates.append(SKIP)
        elif ready[0].step.is_await and may_wait_for_ever(self.execution, self.classes):
            ready[0].candidates.append(SKIP)
        return ready[0]

    def _pick(self, pending: int) -> int:
        if self.policy == "first":
            return pending & -pending
        if self.policy == "last":
            return 1 << (pending.bit_length() - 1)
        bits = [1 << i for i in range(pending.bit_length()) if pending >> i & 1]
        return self.random.choice(bits)

    def _frame(self, step: Step) -> RsmcFrame:
        execution = self.execution
        past = self.before.before(step)
        frame = RsmcFrame(step, len(execution.run), execution.committed, past)
        frame.fetched = self.fetched
        return frame

    def _may_wait(self, step: Step) -> bool:
        """Whether the event may find no allowed parameter now, and nothing is wrong."""
        if step.late and self._settled_guards(step, self.before.before(step)):
            return True
        return bool(step.guards) or (step.kind == CONDITIONAL and not step.decides)

    def _may_succeed(self, step: Step) -> bool:
        """Whether a store-conditional's address is that of its load-reserve."""
        execution = self.execution
        reserve = step.reserve
        return (
            reserve is not None
            and execution.committed >> reserve.event & 1 == 1
            and execution.location[reserve.event] == execution.location[step.event]
        )

    def _candidates(self, step: Step, past: int) -> list[int]:
        """All parameters that come into question for an enabled step with this cb-past."""
        execution = self.execution
        kind = step.kind
        if kind == CHOICE:
            return [1, 0]
        order = execution.co[execution.location[step.event]]
        if kind == LOAD or kind == RMW:
            if not step.guards and not step.late:
                return order.copy()
            stored = execution.stored
            return [w for w in order if self._fits(step, stored[w], past)]
        if kind == CONDITIONAL:
            places: list[int] = []
            if self._may_succeed(step):
                places = self._places(step, order)
            return [*places, FAIL] if step.decides else places
        return self._places(step, order)

    def _places(self, step: Step, order: list[int]) -> list[int]:
        """Places in co, the last first; where the model forces coherence, only those after the
        store's own predecessors. In a reads-from class a store has none: co is just a list of
        stores."""
        if self.classes:
            return [len(order)]
        if step.amo:
            assert step.reserve is not None
            return [order.index(self.execution.source[step.reserve.event]) + 1]
        first = 1
        if self.coherent:
            own = step.po
            for place in range(len(order) - 1, 0, -1):
                if own >> order[place] & 1:
                    first = place + 1
                    break
        return list(range(len(order), first - 1, -1))

    def _allowed(self, step: Step, candidates: list[int]) -> list[int]:
        self.counters.checks += len(candidates)
        return self.oracle.allowed(self.execution, step.event, candidates)

    def _next(self, frame: RsmcFrame) -> bool:
        """Commits the event with its next allowed parameter; False when there is none left."""
        step = frame.step
        while frame.tried < len(frame.candidates):
            candidate = frame.candidates[frame.tried]
            frame.tried += 1
            if candidate == SKIP:
                self._skip(frame)
                return True
            # A lone answer is kept by the oracle, so that the commit need not be computed twice.
            if frame.checked or candidate == FAIL or step.kind == CHOICE:
                if not self.oracle.settled(self.execution):
                    continue
            elif not self._allowed(step, [candidate]):
                continue
            frame.found += 1
            self._commit(frame, candidate)
            return True
        if not frame.found:
            if self.looks_ahead and frame.template is None and step.kind in (LOAD, RMW):
                frame.found = 1
                self._skip(frame)
                return True
            if frame.template is not None or step.amo:
                self.counters.blocked += 1
            else:
                self.counters.stuck += 1
            frame.found = 1
        return False

    def _commit(self, frame: RsmcFrame, candidate: int) -> None:
        execution, step, event = self.execution, frame.step, frame.event
        self.oracle.commit(event, candidate)
        execution.commit(event, candidate)
        frame.open = True
        frame.parameter = candidate
        pasts = self.before.past
        past = frame.past
        kind = step.kind
        if kind == LOAD or kind == RMW:
            if self.apart:
                past |= self.before.by_source(step, candidate)
            elif not execution.numbering.initial_writes >> candidate & 1:
                past |= pasts[candidate] | 1 << candidate
        pasts[event] = past
        if len(self.size) < len(execution.steps):
            self.size.extend([0] * (len(execution.steps) - len(self.size)))
        self.size[event] = past.bit_count()
        if kind == RMW and execution.committed >> step.second & 1:
            # Both events come as one: whoever needs one of them needs both.
            pasts[event] = past | 1 << step.second
            pasts[step.second] = past | 1 << event
        if execution.fetched & ~self.fetched:
            self.fetched = self.before.take_in(self.fetched)

    def _step_back(self, frame: RsmcFrame) -> None:
        """Undoes what the frame has done to the execution."""
        if frame.open:
            self.execution.rollback()
            self.oracle.rollback()
            self.fetched = frame.fetched
            frame.open = False
        elif frame.skipping:
            self.skipped ^= 1 << frame.event
            frame.skipping = False

    def _skip(self, frame: RsmcFrame) -> None:
        frame.skipping = True
        self.skipped |= 1 << frame.event

    def _leave(self, frame: RsmcFrame) -> None:
        self.stack.pop()
        if frame.template is None and frame.event in self.frame_of:
            del self.frame_of[frame.event]
            self.framed &= ~(1 << frame.event)

    def _end(self) -> Sequence[Trace]:
        """The run goes no further: count it and show it, unless it is blocked and no assert fails
        in it."""
        execution, counters = self.execution, self.counters
        if execution.unconfirmed() or (
            self.unsure and self.oracle.settled(execution) and not execution.fits()
        ):
            counters.blocked += 1
            return ()
        if self.classes:
            oracle = cast(RfOracle, self.oracle)
            return end_of_class(execution, oracle, counters, self.has_flags, self.observed)
        return end_of_run(execution, self.oracle, counters, self.has_flags)

    # ---- DetectRace

    def _detect_races(self, event: int, store: int, parameter: int, value: int, past: int) -> None:
        """Loads of the run that could have read from `store`, the store of step `event` with this
        parameter and cb-past."""
        execution = self.execution
        location = execution.location[event]
        racing = execution.loads[location] & self.framed & ~past & ~(1 << event)
        if self.skipped:
            racing |= self._skipped_at(location) & ~(1 << event)
        while racing:
            low = racing & -racing
            racing ^= low
            load = low.bit_length() - 1
            step = execution.steps[load]
            assert step is not None
            frame = self.frame_of[load]
            if (step.guards or step.late) and not self._fits(step, value, frame.past):
                continue
            template = (*self._template(frame, past), (event, parameter), (load, store))
            if template not in frame.known:
                frame.known.add(template)
                if frame.path is None:
                    frame.templates.append(template)
                else:
                    self.offered.append((frame.path, template))

    def _settled_guards(self, step: Step, past: int) -> bool:
        """Whether what the guards need is in the cb-past of the load. Otherwise it may change while
        the load stays, and the guards count at the end of the run only."""
        return not any(bound.slots & ~past for _, bound in step.late)

    def _fits(self, step: Step, value: int, past: int) -> bool:
        """Whether a load with this cb-past may read `value`, by its guards."""
        return self.execution.satisfies(step, value, self._settled_guards(step, past))

    def _skipped_at(self, location: int) -> int:
        """The loads of a location that are left out."""
        found = 0
        skipped = self.skipped
        while skipped:
            low = skipped & -skipped
            skipped ^= low
            if self.execution.location[low.bit_length() - 1] == location:
                found |= low
        return found

    def _detect_store_races(self, frame: RsmcFrame) -> None:
        """The races of an enabled event as a store, whether it is allowed here or not: what refuses
        it may be the very load that it races with. An rmw races under each of its sources."""
        execution, step = self.execution, frame.step
        if step.kind != RMW:
            if step.kind == STORE or self._may_succeed(step):
                value = step.value.evaluate(execution.result)
                self._detect_races(frame.event, frame.event, ANY, value, frame.past)
            return
        for source in frame.candidates:
            old = execution.stored[source]
            if execution.rmw_stores(step, old):
                past = frame.past | self.before.by_source(step, source)
                value = execution.rmw_value(step, old)
                self._detect_races(frame.event, step.second, source, value, past)

    def _template(self, frame: RsmcFrame, past: int) -> list[tuple[int, int]]:
        """normalize(cut(τ', e)): what the run did after P[e_r] within `past`, in canonical order."""
        execution, size = self.execution, self.size
        kept = [entry for entry in execution.run[frame.length :] if past >> entry[0] & 1]
        kept.sort(key=lambda entry: (size[entry[0]], entry[0]))
        present = frame.committed
        template: list[tuple[int, int]] = []
        for event, parameter in kept:
            step = execution.steps[event]
            assert step is not None
            if self.classes and step.kind != LOAD and step.kind != RMW and parameter != FAIL:
                template.append((event, ANY if step.kind != CHOICE else parameter))
            elif step.kind == STORE or (step.kind == CONDITIONAL and parameter != FAIL):
                place = 0
                for store in execution.co[execution.location[event]]:
                    if store == event:
                        break
                    place += present >> store & 1
                template.append((event, place))
                present |= 1 << event
            else:
                template.append((event, parameter))
                if step.kind == RMW:
                    present |= 1 << step.second
        return template

    # ---- Traverse

    def _traverse(self, template: Template, place: int, owner: RsmcFrame) -> None:
        """Enters Traverse for one event of a template."""
        event, parameter = template[place]
        execution = self.execution
        if not execution.pending >> event & 1:
            raise InternalError(f"event {event} of a template is not there to be committed")
        step = execution.steps[event]
        assert step is not None
        frame = self._frame(step)
        frame.template = template
        frame.place = place
        frame.owner = owner
        if parameter == ANY:
            order = execution.co[execution.location[event]]
            frame.candidates = self._places(step, order)
        else:
            frame.candidates = [parameter]
            if step.kind == RMW and place + 1 == len(template):
                self._detect_store_races(frame)
        self.stack.append(frame)
