"""Which locations the threads of a growing execution may still write to.

Sound, not exact: where a location is left out, no store to it comes any more.
"""

from __future__ import annotations

from hybrid.execution.execution import Execution
from hybrid.execution.step import CHOICE, LOAD, Step
from hybrid.program.program import Program
from hybrid.program.reached import access_addresses
from hybrid.program.thread import Thread

Places = frozenset[int] | None  # addresses; None: any

_NOWHERE: Places = frozenset()


class WritesToCome:
    """Of one execution, as it was when `look` was called."""

    def __init__(self, program: Program, execution: Execution) -> None:
        self._execution = execution
        places = access_addresses(program.locations, program.threads)
        self._from = [_written_from(thread, places) for thread in program.threads]
        # Threads, as bits:
        self._fetched: dict[int, int] = {}  # by location, those with such a write to be committed
        self._anywhere = 0  # those of which it is not known where they write
        # what is not fetched yet: threads, one at a time, and where they may write then
        self._later: list[tuple[int, frozenset[int]]] = []

    def look(self) -> None:
        execution = self._execution
        self._fetched, self._anywhere, self._later = {}, 0, []
        pending = execution.pending
        while pending:
            low = pending & -pending
            pending ^= low
            event = low.bit_length() - 1
            step = execution.steps[event]
            assert step is not None
            if step.kind == LOAD or step.kind == CHOICE:
                continue
            if execution.resolved & low:
                location = execution.location[event]
                self._fetched[location] = self._fetched.get(location, 0) | 1 << step.thread
            else:
                self._anywhere |= 1 << step.thread
        for thread, following in enumerate(execution.next):
            if isinstance(following, Step):
                places = self._from[thread][following.before.code_index]
                if places is None:
                    self._anywhere |= 1 << thread
                elif places:
                    self._later.append((1 << thread, places))

    def may_come(self, location: int, reader: int) -> bool:
        """Whether a thread other than `reader` may still write to a location."""
        others = ~(1 << reader)
        if (self._fetched.get(location, 0) | self._anywhere) & others:
            return True
        address = self._execution.numbering.locations[location].address
        return any(thread & others and address in places for thread, places in self._later)


def _written_from(thread: Thread, places: dict[str, Places]) -> list[Places]:
    """By place in the code: where this instruction and all that may follow write to."""
    code = thread.code
    found: list[Places] = [_NOWHERE] * (len(code) + 1)
    changed = True
    while changed:
        changed = False
        for at in range(len(code) - 1, -1, -1):
            instruction = code[at]
            written = places[instruction.label] if instruction.writes else _NOWHERE
            for after in (at + 1, *instruction.targets):
                more = found[after]
                written = None if written is None or more is None else written | more
            if written != found[at]:
                found[at] = written
                changed = True
    return found
