"""What an exploration counts."""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.execution.trace import Wait, is_deadlock


@dataclass
class Counters:
    """Grows while exploring; what is in it stays true when the exploration is given up half-way."""

    complete: int = 0  # complete traces
    # runs that the explorer started and that are not complete traces: a template refused, a failed
    # assume, an await not satisfied
    blocked: int = 0
    deadlocks: int = 0  # waiting runs in which each waiting thread waits at a read-modify-write
    livelocks: int = 0  # the other waiting runs
    cut: int = 0  # runs that reached the loop bound or the bound on steps
    errors: int = 0  # runs with an access to no location
    stuck: int = 0  # enabled events without an allowed parameter: the commit-before is wrong
    # allowed executions whose values justify themselves in a circle: no answer is given
    thin_air: int = 0
    checks: int = 0  # consistency checks of (partial) traces
    refused: int = 0  # checks that an oracle answered with no, of the engines that ask one
    # graphs that came from another by a change of what loads read from, of the engines that count
    # them
    revisits: int = 0
    stored: int = 0  # graphs kept in memory to know them again, of the engines that do
    # of the engines on interleavings: runs given up as all that could follow was explored before,
    # and the most nodes that wakeup trees have had at a time
    sleep_blocked: int = 0
    wakeup_nodes: int = 0

    def count_waiting(self, waiting: tuple[Wait, ...]) -> None:
        """Counts a run in which these threads wait for ever."""
        if is_deadlock(waiting):
            self.deadlocks += 1
        else:
            self.livelocks += 1
