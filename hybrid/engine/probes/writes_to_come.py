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
    """Of one execution, at any moment."""

    def __init__(self, program: Program, execution: Execution) -> None:
        self._execution = execution
        places = access_addresses(program.locations, program.threads)
        self._from = [_written_from(thread, places) for thread in program.threads]

    def may_come(self, location: int, reader: int) -> bool:
        """Whether a thread other than `reader` may still write to a location."""
        execution = self._execution
        pending = execution.pending & ~execution.thread_bits[reader]
        while pending:
            low = pending & -pending
            pending ^= low
            event = low.bit_length() - 1
            step = execution.steps[event]
            assert step is not None
            if step.kind == LOAD or step.kind == CHOICE:
                continue
            if not execution.resolved & low or execution.location[event] == location:
                return True
        address = execution.numbering.locations[location].address
        for thread, following in enumerate(execution.next):
            if thread != reader and isinstance(following, Step):
                places = self._from[thread][following.before.code_index]
                if places is None or address in places:
                    return True
        return False


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
