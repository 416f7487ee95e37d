"""DetectRace of RSMC (Fig. 7): which loads of the run could have read from a store that comes
later, and by which template each of them would. explorer.py has the algorithm.

The paper's names: cut and normalize are in `_template`. P[e] and Q[e] are kept in the frame of the
load e: `length` is the run up to there, `templates` are those found for it.
"""

from __future__ import annotations

from typing import cast

from hybrid.engine.commit_before import CommitBefore
from hybrid.engine.rsmc.frame import ANY, Path, RsmcFrame, Template
from hybrid.engine.rsmc.parameters import Parameters
from hybrid.execution.bits import bit_of
from hybrid.execution.execution import FAIL, Execution
from hybrid.execution.step import CHOICE, CONDITIONAL, LOAD, RMW, STORE


class RaceDetector:
    """Knows the loads with which a store can race: those that Explore is committing."""

    def __init__(
        self, execution: Execution, before: CommitBefore, parameters: Parameters, classes: bool
    ) -> None:
        self.execution = execution
        self.before = before
        self.parameters = parameters
        self.classes = classes  # reads-from classes: stores carry no parameter
        self.frame_of: dict[int, RsmcFrame] = {}  # of loads that Explore is committing
        self.framed = 0  # the events in it
        self.skipped = 0  # the events that are left out
        self.size: list[int] = []  # of the cb-past of committed events, for normalize
        self.offered: list[tuple[Path, Template]] = []  # of frames below the subtree explored
        # What templates are made of, once: they are many, and mostly made of the same. As objects,
        # since native code takes pairs of numbers apart and makes them anew.
        self._pairs: dict[object, object] = {}

    def enter(self, frame: RsmcFrame) -> None:
        """A frame of Explore comes on the stack."""
        kind = frame.step.kind
        if kind == LOAD or kind == RMW:
            self.frame_of[frame.event] = frame
            self.framed |= bit_of(frame.event)

    def leave(self, frame: RsmcFrame) -> None:
        """A frame of Explore goes."""
        kind = frame.step.kind
        if kind == LOAD or kind == RMW:
            del self.frame_of[frame.event]
            self.framed ^= bit_of(frame.event)

    def take_offered(self) -> list[tuple[Path, Template]]:
        """The templates that are offered, each with the path to its owner, for the last time."""
        offered = self.offered
        self.offered = []
        return offered

    def note_past(self, event: int, past: int) -> None:
        """An event is committed with this cb-past."""
        missing = len(self.execution.steps) - len(self.size)
        if missing > 0:
            self.size.extend([0] * missing)
        self.size[event] = past.bit_count()

    def detect(self, frame: RsmcFrame) -> None:
        """The races of an enabled event as a store, whether it is allowed here or not: what refuses
        it may be the very load that it races with. An rmw races under each of its sources."""
        execution, step = self.execution, frame.step
        if step.kind != RMW:
            if step.kind == STORE or self.parameters.may_succeed(step):
                value = step.value.evaluate(execution.result)
                self.detect_under(frame.event, frame.event, ANY, value, frame.past)
            return
        for source in frame.candidates:
            old = execution.stored[source]
            if execution.rmw_stores(step, old):
                past = frame.past | self.before.by_source(step, source)
                value = execution.rmw_value(step, old)
                self.detect_under(frame.event, step.second, source, value, past)

    def detect_under(self, event: int, store: int, parameter: int, value: int, past: int) -> None:
        """Adds a template to each load of the run that could have read from `store`, the store of
        step `event` with this parameter and cb-past."""
        execution = self.execution
        if parameter != ANY:
            parameter = execution.numbering.portable(parameter)
        location = execution.location[event]
        racing = execution.accesses[location] & self.framed  # the event itself is in neither
        if racing:
            racing &= ~past
        if self.skipped:
            racing |= self._skipped_at(location) & ~(1 << event)
        while racing:
            low = racing & -racing
            racing ^= low
            load = low.bit_length() - 1
            step = execution.steps[load]
            assert step is not None
            frame = self.frame_of[load]
            guarded = step.guards or step.late
            if guarded and not self.parameters.fits(step, value, frame.past):
                continue
            template = (*self._template(frame, past), (event, parameter), (load, store))
            if frame.has(template):
                continue
            template = self._sharing(template)
            frame.add(template)
            if frame.path is not None:
                self.offered.append((frame.path, template))

    def _sharing(self, template: Template) -> Template:
        """The same, made of pairs that are there already where others have them."""
        known = self._pairs
        pairs = [known.setdefault(pair, pair) for pair in cast(tuple[object, ...], template)]
        return cast(Template, tuple(pairs))

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

    def _template(self, frame: RsmcFrame, past: int) -> list[tuple[int, int]]:
        """normalize(cut(τ', e)): what the run did after P[e_r] within `past`, in canonical
        order."""
        execution, size = self.execution, self.size
        kept = [entry for entry in execution.run[frame.length :] if past >> entry[0] & 1]
        kept.sort(key=lambda entry: (size[entry[0]], entry[0]))
        present = frame.committed | execution.initial
        template: list[tuple[int, int]] = []
        for event, parameter in kept:
            step = execution.steps[event]
            assert step is not None
            if self.classes and step.kind != LOAD and step.kind != RMW and parameter != FAIL:
                template.append((event, ANY if step.kind != CHOICE else parameter))
            elif step.kind == STORE or (step.kind == CONDITIONAL and parameter != FAIL):
                template.append((event, self._place_among(event, present)))
                present |= 1 << event
            elif step.kind == LOAD or step.kind == RMW:
                template.append((event, execution.numbering.portable(parameter)))
                if step.kind == RMW:
                    present |= 1 << step.second
            else:
                template.append((event, parameter))
        return template

    def _place_among(self, event: int, present: int) -> int:
        """The place of a store in co, among those of its location that are present."""
        place = 0
        for store in self.execution.co[self.execution.location[event]]:
            if store == event:
                break
            place += present >> store & 1
        return place
