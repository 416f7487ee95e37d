"""What one exploration of a program under a model says: the answer, the outcomes with their counts,
and traces that show them."""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field

from hybrid.engine.api import Counters, Limits
from hybrid.engine.probes.estimate import Estimate, executions
from hybrid.engine.races import Races, default_races
from hybrid.execution.trace import Trace, TraceData
from hybrid.model.core import RACE, Model
from hybrid.program.loops import CutPlace
from hybrid.program.program import Expectation, Program
from hybrid.report.sightings import Violation
from hybrid.verdict import Verdict

INTERRUPTED = "interrupted"  # the `partial` of a result after Ctrl-C
TIME_OUT = "time-out"  # how `partial` begins when the time was over
# the `offence` of a result whose witness contradicts the final condition
NOT_EXISTS_BROKEN = "an execution satisfies the condition of ~exists"
FORALL_BROKEN = "an execution does not satisfy the condition of forall"

Outcome = tuple[int, ...]  # the values of Program.terms


@dataclass(slots=True)
class Result:
    """What one exploration of a program under a model says."""

    program: Program
    model: Model
    engine: str
    oracle: str  # empty for an engine that asks none
    equivalence: str
    limits: Limits
    answer: Verdict = Verdict.INCONCLUSIVE  # what was computed, whatever the file expects
    verdict: Verdict = Verdict.INCONCLUSIVE  # the answer; VIOLATED when the file expects another
    expected: Expectation | None = None
    as_expected: bool | None = None  # None: the file expects nothing, or the answer is open
    liveness: bool = False  # a run in which a thread waits for ever violates a claim
    demanded: str = ""  # the verdict that the caller expects (`--expect`), whatever the file says
    # Always, Sometimes, Never; Unknown when the exploration is unfinished
    observation: str | None = None
    # and does not show it; None without a condition
    outcomes: dict[Outcome, int] = field(default_factory=dict)  # to the number of traces
    marked: set[Outcome] = field(default_factory=set)  # the outcomes that satisfy the formula
    traces: int = 0  # complete ones that the program's filter lets through
    filtered: int = 0  # complete ones that it leaves out
    satisfying: int = 0  # traces that satisfy the condition's formula
    failing: int = 0  # runs in which some assert fails, leaks aside
    mixed: int = 0  # runs that end with accesses of other sizes than the cells', and with no fault
    counters: Counters = field(default_factory=Counters)
    seconds: float = 0.0
    estimate: Estimate | None = None  # of the number of executions, if one was made …
    estimated_after: float = 0.0  # … and after how many seconds
    witness: Trace | None = None  # what violates, else the first that satisfies an `exists`
    waiting: Trace | None = None  # a run in which threads wait for ever
    partial: str = ""  # why the exploration did not reach its end; empty if it did
    continued: str = ""  # the checkpoint whose counts are taken over; empty: none
    saved: str = ""  # the checkpoint that has what is left to be explored; empty: none
    flags: dict[str, int] = field(default_factory=dict)  # raised flags to the number of traces
    cuts: dict[tuple[CutPlace, ...], int] = field(
        default_factory=dict
    )  # where threads reached a bound, to the number of runs
    duplicates: int | None = None  # traces whose key came before; None: not counted
    offence: str = ""  # how the witness violates a claim; one of the messages
    violations: list[Violation] = field(default_factory=list)  # what violates claims, by place
    beside: list[Violation] = field(default_factory=list)  # what was seen and violates nothing
    unsupported: str = ""  # of the answer ERROR: what hybrid does not take
    messages: list[str] = field(default_factory=list)
    compared: list[str] = field(default_factory=list)  # those of them that `compare` has written
    asked_races: InitVar[Races | None] = None  # None: what suits the program
    races: Races = field(init=False)  # what a race does to the answer
    race: TraceData | None = None  # a run with a race, whatever else is wrong with it; its `races`
    # are the accesses; None: none was found

    def __post_init__(self, asked_races: Races | None) -> None:
        self.races = asked_races or default_races(self.program)

    @property
    def wrong_race(self) -> bool:
        """Whether there is a race, and a program with one has no meaning."""
        return self.race is not None and self.races is Races.ERROR

    @property
    def negative(self) -> int:
        return self.traces - self.satisfying

    @property
    def raised(self) -> tuple[str, ...]:
        """The flags that executions raise; a race also when it shows only in runs that do not come
        to their end."""
        return tuple(sorted({*self.flags, *([RACE] if self.race is not None else [])}))

    @property
    def graph_counts(self) -> dict[str, int]:
        """What explorers of graphs count besides, where there is any."""
        counts = {"revisits": self.counters.revisits, "stored": self.counters.stored}
        return {word: number for word, number in counts.items() if number}

    @property
    def interleaving_counts(self) -> dict[str, int]:
        """The same for explorers of interleavings."""
        counters = self.counters
        counts = {"sleep_blocked": counters.sleep_blocked, "wakeup_nodes": counters.wakeup_nodes}
        return {word: number for word, number in counts.items() if number}

    @property
    def explored(self) -> int:
        """The executions, as an estimate counts them: traces and runs that wait, were cut or go
        wrong."""
        return executions(self.counters)

    @property
    def unfinished(self) -> bool:
        """There may be traces that were not seen, the loop bound aside."""
        return bool(self.partial or self.counters.stuck or self.counters.thin_air)

    @property
    def counted(self) -> Verdict:
        """The verdict as it counts for exit codes: one that is expected is a good one, any other a
        violation."""
        if self.as_expected is None:
            return self.verdict
        return Verdict.HOLDS if self.as_expected else Verdict.VIOLATED

    @property
    def exit_code(self) -> int:
        return self.counted.exit_code
