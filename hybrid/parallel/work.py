"""What a parallel exploration hands around.

A **unit** is a list of tasks (see engine/subtrees.py) that one worker explores for a while; the
worker answers with one **part**: what it has counted, and the tasks that are left. A part comes
whole or not at all, so a unit whose worker was lost is done again elsewhere, and nothing counts
twice. The coordinator takes each task that is offered once.
"""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.engine.api import Counters, Limits
from hybrid.engine.configuration import Configuration
from hybrid.engine.subtrees import Left, Task
from hybrid.model.core import Model
from hybrid.program.program import Program
from hybrid.report.result import Result
from hybrid.report.tally import Counts


@dataclass(frozen=True, slots=True)
class Job:
    """What is explored, and how; the same for all units."""

    program: Program
    model: Model
    configuration: Configuration  # completed
    # bytes that a worker may have; it does not matter to what is explored
    max_memory: int | None = None

    def new_result(self, limits: Limits) -> Result:
        """For what is to be counted."""
        how = self.configuration
        result = Result(
            self.program,
            self.model,
            how.engine,
            how.oracle,
            how.equivalence,
            limits,
            asked_races=how.races,
        )
        result.liveness = how.claims_liveness(self.program)
        return result


@dataclass(frozen=True, slots=True)
class WorkUnit:
    tasks: tuple[Task, ...]
    seconds: float  # how long to explore before handing back what is left
    first: bool  # stop at the first trace that answers


@dataclass(slots=True)
class Part:
    """What a worker answers."""

    counts: Counts
    counters: Counters
    left: Left
    answered: bool  # a trace answers the question
    full: bool = False  # the worker has more memory than it may have
