"""RSMC: Relaxed Stateless Model Checking (Abdulla, Atig, Jonsson, Leonardsson, CAV 2016, Fig. 7).

The paper's names: τ is `execution.run`, σ the Execution; an `RsmcFrame` with `template` None is a
call of Explore, otherwise one of Traverse; P[e] is the frame's `length` (the run up to there) and
Q[e] its `templates`. Explore is `explore` and Traverse is `traverse`, and their recursion is the
loop in `proceed`; DetectRace is race_detector.py.

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
run that ends without it does not count.

An await is also skipped where nothing can go on then, if the run is one that waits for ever: what
stays in memory is not the awaited value, though an earlier store has it.

An exploration in pieces: `follow` goes to a stack that is given as a `Path`, and `resume`,
`explore` or `traverse` starts there; the frames on the stack say what they have left.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hybrid.engine.api import Counters, Limits
from hybrid.engine.commit_before import CommitBefore
from hybrid.engine.end_of_run import end_of_class, end_of_run, may_wait_for_ever, observed_locations
from hybrid.engine.rsmc.frame import (
    ANY,
    OWNER,
    SKIP,
    SKIPPING,
    TRAVERSED,
    Path,
    RsmcFrame,
    RsmcRemainder,
    Template,
)
from hybrid.engine.rsmc.parameters import Parameters
from hybrid.engine.rsmc.race_detector import RaceDetector
from hybrid.engine.rsmc.sure_awaits import sure_awaits
from hybrid.errors import InternalError
from hybrid.execution.bits import bit_of
from hybrid.execution.execution import FAIL, Execution
from hybrid.execution.numbering import numbering_for
from hybrid.execution.step import CHOICE, CONDITIONAL, LOAD, RMW, Step
from hybrid.execution.trace import Trace
from hybrid.execution.unfolding import Unfolding
from hybrid.model import core
from hybrid.oracle.api import Oracle
from hybrid.program.instructions import Select
from hybrid.program.program import Program

_NO_TEMPLATE: Final[Template] = ()


class RsmcExploration:
    """Fig. 7 with a stack of its own."""

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
        lazy: bool = False,
    ) -> None:
        """`lazy`: the oracle takes locations that get their numbers on the way."""
        guess = not CommitBefore.holds_po(model)
        gated = guess and CommitBefore.gates_cas(model, program)
        self.limits = limits
        self.counters = counters
        self.policy = policy
        self.random = random.Random(seed)
        self.apart = model.forward is not None  # the events of an rmw are committed apart
        selects = any(isinstance(i, Select) for t in program.threads for i in t.code)
        self.unsure = self.apart or selects  # guesses may be left to be confirmed at the end
        self.looks_ahead = model.look_ahead is not None
        numbering = numbering_for(program, model, lazy=lazy)
        self.execution = Execution(
            Unfolding(program, limits.unroll, guess, self.apart, limits.max_steps, numbering, gated)
        )
        self.before = CommitBefore(model, self.execution)
        self.classes = classes  # reads-from classes: stores carry no parameter
        self.oracle = make(model, self.execution)
        self.observed = observed_locations(program, numbering) if classes else ()
        self.parameters = Parameters(self.execution, model, self.oracle, classes)
        self.races = RaceDetector(self.execution, self.before, self.parameters, classes)
        self.sure = sure_awaits(program)  # labels
        self.has_flags = bool(model.flags)
        self.fetched = self.before.take_in(0)
        self.stack: list[RsmcFrame] = []
        self.steps_taken = 0
        self.until: float | None = None  # in time.monotonic() seconds: when to pause

    def run(self) -> Iterator[Trace]:
        yield from self.explore()
        yield from self.proceed()

    def proceed(self) -> Iterator[Trace]:
        """Explores all that is on the stack; or stops when `until` is over, at a moment at which
        the stack says all that is left."""
        stack = self.stack
        while stack:
            frame = stack[-1]
            self._step_back(frame)
            if not self._next(frame):
                template = frame.next_template()
                if template is not None:
                    self.traverse(template, 0, frame)
                else:
                    self._leave(frame)
            elif frame.template is not None and frame.place + 1 < len(frame.template):
                assert frame.owner is not None
                self.traverse(frame.template, frame.place + 1, frame.owner)
            else:
                yield from self.explore()
            if self.until is not None and time.monotonic() > self.until:
                return

    # ---- in pieces

    def follow(self, path: Path) -> None:
        """Puts the frames of a path on the empty stack. They have nothing left to do; a template
        that is found for one of them is put into `races.offered`, with the path to its owner."""
        for depth, (kind, event, parameter) in enumerate(path):
            frame = self._push(event, _NO_TEMPLATE if kind == TRAVERSED else None)
            frame.path = (*path[:depth], (OWNER, event, 0))
            frame.found = 1
            if kind == SKIPPING:
                self._skip(frame)
            elif kind != OWNER:
                self._commit_again(frame, self.execution.numbering.here(parameter))

    def resume(self, path: Path, left: RsmcRemainder) -> None:
        """Puts a frame on the stack, above this path, that has this left to do."""
        owner = None
        if left.template:
            owner = next(f for f in reversed(self.stack) if f.template is None)
        frame = self._push(left.event, left.template or None)
        frame.candidates = [self.execution.numbering.here(c) for c in left.candidates]
        frame.checked = left.checked
        frame.found = left.found
        if left.template:
            frame.place = left.place
            frame.owner = owner
        else:
            frame.path = (*path, (OWNER, left.event, 0))

    def rewind(self) -> None:
        """Back to the empty stack."""
        while self.stack:
            self._step_back(self.stack[-1])
            self._leave(self.stack[-1])

    def _push(self, event: int, template: Template | None) -> RsmcFrame:
        """A frame of Explore, or with a template of Traverse, without anything to try."""
        step = self.execution.steps[event]
        assert step is not None
        frame = self._frame(step)
        frame.template = template
        self.stack.append(frame)
        if template is None:
            self.races.enter(frame)
        return frame

    def _commit_again(self, frame: RsmcFrame, parameter: int) -> None:
        """Commits what is known to be allowed; the oracle has to be asked all the same."""
        if parameter == FAIL or frame.step.kind == CHOICE:
            fine = self.oracle.settled(self.execution)
        else:
            fine = self.oracle.allows(self.execution, frame.event, parameter)
        if not fine:
            raise InternalError("the path to a subtree is not allowed")
        self._commit(frame, parameter)

    # ---- Explore

    def explore(self) -> Sequence[Trace]:
        """Enters Explore: pushes a frame for an enabled event, or ends the run; gives its trace if
        it is one to show (reads-from classes: one for each choice of final stores)."""
        self.steps_taken += 1
        if not self.steps_taken & 255:
            self.limits.check_time()
        frame = self._choose()
        if frame is None:
            return self._end()
        self.stack.append(frame)
        self.races.enter(frame)
        return ()

    def _choose(self) -> RsmcFrame | None:
        """A frame for an enabled event (line 2); None when there is none that can go on."""
        execution = self.execution
        pending = execution.pending
        if self.races.skipped:
            pending &= ~self.races.skipped
        waiting: list[Step] = []
        if self.apart:
            pair = self._choose_pair(pending)
            if pair is not None:
                return pair
        while pending:
            bit = self._pick(pending)
            step = execution.steps[bit.bit_length() - 1]
            assert step is not None
            if not self.before.enabled(step):
                pending ^= bit
                continue
            if self._may_wait(step):
                waiting.append(step)
                pending ^= bit
                continue
            frame = self._frame(step)
            frame.candidates = self.parameters.candidates(step, frame.past)
            if step.kind != LOAD and step.kind != CHOICE:
                self.races.detect(frame)
            return frame
        if waiting:
            return self._choose_waiting(waiting)
        if execution.pending and not self.races.skipped:
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
                frame.candidates = self.parameters.candidates(step, frame.past)
                self.races.detect(frame)
                return frame
        return None

    def _choose_waiting(self, waiting: list[Step]) -> RsmcFrame | None:
        """A frame for one of the events that wait, the only ones enabled: the first that can go on.
        It can also be skipped, if another can go on then, unless nothing can spoil it."""
        ready: list[RsmcFrame] = []
        for step in waiting:
            frame = self._frame(step)
            frame.candidates = self.parameters.candidates(step, frame.past)
            frame.checked = True
            if step.kind != LOAD:
                self.races.detect(frame)
            frame.candidates = self._allowed(step, frame.candidates)
            if frame.candidates:
                ready.append(frame)
        if not ready:
            return None
        for frame in ready:
            if frame.step.label in self.sure:
                return frame
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
        if step.late and self.parameters.settled_guards(step, self.before.before(step)):
            return True
        return bool(step.guards) or (step.kind == CONDITIONAL and not step.decides)

    def _allows(self, step: Step, candidate: int) -> bool:
        self.counters.checks += 1
        if self.oracle.allows(self.execution, step.event, candidate):
            return True
        self.counters.refused += 1
        return False

    def _allowed(self, step: Step, candidates: list[int]) -> list[int]:
        self.counters.checks += len(candidates)
        allowed = self.oracle.allowed(self.execution, step.event, candidates)
        self.counters.refused += len(candidates) - len(allowed)
        return allowed

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
            elif not self._allows(step, candidate):
                continue
            frame.found += 1
            self._commit(frame, candidate)
            return True
        return not frame.found and self._skip_or_count(frame)

    def _skip_or_count(self, frame: RsmcFrame) -> bool:
        """An event for which no parameter was allowed: skips it where that may be (True), otherwise
        counts it."""
        step = frame.step
        frame.found = 1
        if self.looks_ahead and frame.template is None and step.kind in (LOAD, RMW):
            self._skip(frame)
            return True
        if frame.template is not None or step.amo:
            self.counters.blocked += 1
        else:
            self.counters.stuck += 1
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
            elif not (past >> candidate | execution.numbering.initial_writes >> candidate) & 1:
                past |= pasts[candidate] | bit_of(candidate)
        pasts[event] = past
        self.races.note_past(event, past)
        if kind == RMW and execution.committed >> step.second & 1:
            # Both events come as one: what needs one of them needs both.
            pasts[event] = past | 1 << step.second
            pasts[step.second] = past | 1 << event
        if execution.fetched != self.fetched:
            self.fetched = self.before.take_in(self.fetched)

    def _step_back(self, frame: RsmcFrame) -> None:
        """Undoes what the frame has done to the execution."""
        if frame.open:
            self.execution.rollback()
            self.oracle.rollback()
            self.fetched = frame.fetched
            if self.execution.numbering.lazy:
                self.fetched |= self.execution.initial
            frame.open = False
        elif frame.skipping:
            self.races.skipped ^= 1 << frame.event
            frame.skipping = False

    def _skip(self, frame: RsmcFrame) -> None:
        frame.skipping = True
        self.races.skipped |= 1 << frame.event

    def _leave(self, frame: RsmcFrame) -> None:
        self.stack.pop()
        if frame.template is None:
            self.races.leave(frame)

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
            oracle = self.oracle
            return end_of_class(execution, oracle, counters, self.has_flags, self.observed)
        return end_of_run(execution, self.oracle, counters, self.has_flags)

    # ---- Traverse

    def traverse(self, template: Template, place: int, owner: RsmcFrame) -> None:
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
            frame.candidates = self.parameters.places(step, order)
        else:
            frame.candidates = [execution.numbering.here(parameter)]
            if step.kind == RMW and place + 1 == len(template):
                self.races.detect(frame)
        self.stack.append(frame)
