"""What a result says besides its answer: runs that wait, were cut, got stuck or were left out."""

from __future__ import annotations

from hybrid.execution.wait_text import waiting_note
from hybrid.printable import number_of
from hybrid.program.loops import MAX_STEPS, UNROLL, CutPlace
from hybrid.program.program import Program
from hybrid.report.how_far import percent, told
from hybrid.report.result import Result
from hybrid.verdict import Verdict

_PLACES = 5  # as many places are named at which runs are cut


def notes(result: Result, wrong_race: bool) -> list[str]:
    """`wrong_race`: there is a race, and a program with one has no meaning."""
    return [
        *_how_far(result),
        *result.program.remarks,
        *_waiting(result),
        *_emptiness(result, wrong_race),
        *_left_out(result),
    ]


def _how_far(result: Result) -> list[str]:
    """Of an exploration that was ended before its end, if it is known how long that would be."""
    estimate = result.estimate
    if estimate is None or not result.partial:
        return []
    part = result.explored / max(estimate.executions, 1.0)
    done = f"{result.explored:,} of {told(estimate)}"
    return [f"{percent(part)} explored: {done}, by an estimate with its 90 % interval"]


def _waiting(result: Result) -> list[str]:
    told = result.liveness and result.program.compiled  # as a violation
    if result.waiting is None or told:
        return []
    counters, counted = result.counters, result.equivalence != "witness"
    waiting = result.waiting.data().waiting
    return [waiting_note(result.program, counters.deadlocks, counters.livelocks, waiting, counted)]


def _emptiness(result: Result, wrong_race: bool) -> list[str]:
    """Answers that say less than they seem to."""
    found = []
    if wrong_race and result.answer is Verdict.ALLOWED:
        found.append(
            "a program with a data race has no meaning: the answer is about the model alone"
        )
    none = not result.traces and not result.filtered
    if none and result.answer in (Verdict.HOLDS, Verdict.FORBIDDEN):
        found.append(
            "no execution comes to its end (an await, an assume or the model stops each): "
            "the answer is about none"
        )
    return found


def _left_out(result: Result) -> list[str]:
    """Executions that were not looked at to their end, and those that were found twice."""
    counters, found = result.counters, []
    if result.filtered:
        found.append(f"{number_of(result.filtered, 'execution')} left out by the filter")
    if counters.cut:
        found += _cut_messages(result)
    if counters.stuck:
        found.append(
            f"{number_of(counters.stuck, 'stuck run')}: an event without any allowed parameter; "
            f"the commit-before of {result.model.name} does not fit its axioms"
        )
    if counters.thin_air:
        found.append(
            f"{number_of(counters.thin_air, 'allowed execution')} left out: "
            "values that justify themselves in a circle"
        )
    if result.duplicates:
        found.append(f"{number_of(result.duplicates, 'trace')} found more than once")
    return found


def _cut_messages(result: Result) -> list[str]:
    """Which bounds were reached, where, and what shows more."""
    limits, found = result.limits, []
    program = result.program
    reached = {place: bound_of(program, place) for cut in result.cuts for place in cut}
    own = sorted(set(reached.values()) - {UNROLL, MAX_STEPS})  # those that the front end says
    for bound in (UNROLL, *own, MAX_STEPS):
        runs = sum(
            n for cut, n in result.cuts.items() if any(reached[place] == bound for place in cut)
        )
        if not runs:
            continue
        places = sorted({place[:2] for place, each in reached.items() if each == bound})
        threads = program.threads
        named = [
            f"{threads[thread].name}: {_place(result, label)}" for thread, label in places[:_PLACES]
        ]
        where = ", ".join(named) + (", …" if len(places) > _PLACES else "")
        if bound in own:
            found.append(f"{number_of(runs, 'run')} cut at {where}: {bound}")
        elif bound == UNROLL:
            more = limits.unroll * 2 or 1
            found.append(
                f"{number_of(runs, 'run')} cut at the loop bound (--unroll "
                f"{limits.unroll}) at {where}; "
                f"--unroll {more} goes further"
            )
        else:
            found.append(
                f"{number_of(runs, 'run')} cut after "
                f"{number_of(limits.max_steps, 'instruction')} of a thread (--max-steps "
                f"{limits.max_steps}) at {where}: a loop without end, or one that needs "
                "a larger --max-steps"
            )
    return found


def bound_of(program: Program, place: CutPlace) -> str:
    """Which bound was reached: where the front end has put a jump for one of its own, what it says
    of that."""
    origin = program.origins.get(place[1])
    return origin.message if origin is not None and origin.message else place[2]


def _place(result: Result, label: str) -> str:
    """`L3`; of a compiled program `queue.c:41 while (!ready)`."""
    origin = result.program.origins.get(label)
    return label if origin is None else str(origin)
