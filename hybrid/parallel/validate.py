"""Whether what a checkpoint says can have come from a run of this program: a file may be forged, or
damaged before its checksum was made.

What can be told from the file and the program is checked: every task leads to a place of this
exploration, numbers fit each other, the traces to show are traces of the program that the model
allows and show what they are kept for. What cannot be told is whether the subtrees that are missing
were explored: only exploring them again would show it. A result that goes on from a checkpoint says
so for that reason.
"""

from __future__ import annotations

import math
from dataclasses import fields, replace

from hybrid.engine.api import Counters
from hybrid.engine.enumerate.check import Refusal, check_key
from hybrid.engine.subtrees import Subtrees
from hybrid.execution.trace import DataTrace, TraceData, key_of
from hybrid.parallel.coordinator import ExplorationProgress
from hybrid.parallel.work import Job
from hybrid.program.condition import Quantifier
from hybrid.report.sightings import Sightings, site_of
from hybrid.report.tally import Counts, Tally


class Implausible(Exception):
    """No run of this program leaves such a checkpoint, and why."""


def check_checkpoint(
    job: Job, pieces: Subtrees, progress: ExplorationProgress, counts: Counts
) -> None:
    """Raises Implausible. The traces in `counts` are then as they come out again. `pieces` are left
    at their beginning."""
    _check_numbers(progress, counts)
    _check_tasks(pieces, progress)
    _check_counts(job, progress.counters, counts)
    if counts.offence is not None:
        counts.offence, tally = _again(job, counts.offence, "violates a claim")
        if tally.offence is None:
            raise Implausible("the trace that violates a claim does not")
        counts.offence_is = tally.offence_is
    if counts.example is not None:
        counts.example, tally = _again(job, counts.example, "satisfies the condition")
        if tally.example is None:
            raise Implausible("the trace that satisfies the condition does not")
    if counts.mixing is not None:
        counts.mixing, tally = _again(job, counts.mixing, "mixes sizes")
        if tally.mixing is None:
            raise Implausible("the trace that mixes sizes does not")
    if counts.race is not None:
        counts.race, tally = _again(job, counts.race, "has a race")
        if tally.race is None:
            raise Implausible("the trace that has a race does not")


def _check_numbers(progress: ExplorationProgress, counts: Counts) -> None:
    numbers = [getattr(progress.counters, each.name) for each in fields(Counters)]
    numbers += [progress.lost, progress.made, progress.explored]
    numbers += [counts.traces, counts.filtered, counts.satisfying, counts.failing]
    numbers += [counts.mixed, *(each.runs for each in counts.sites.values())]
    numbers += [*counts.outcomes.values(), *counts.flags.values(), *counts.cuts.values()]
    if min(numbers) < 0 or not 0 <= progress.seconds < math.inf:
        raise Implausible("a number is negative")
    if not all(counts.outcomes.values()):
        raise Implausible("a final state has no trace")


def _check_tasks(pieces: Subtrees, progress: ExplorationProgress) -> None:
    tasks = progress.tasks
    if progress.made - progress.explored != len(tasks):
        raise Implausible(
            f"of {progress.made} tasks {progress.explored} were explored, and {len(tasks)} are left"
        )
    if len(set(tasks)) != len(tasks):
        raise Implausible("a task is there twice")
    for task in tasks:
        try:
            pieces.check(task)
        except Exception:  # of any kind: what is done with it was never meant for such a task
            raise Implausible("a task does not belong to this program") from None


def _check_counts(job: Job, counters: Counters, counts: Counts) -> None:
    tally = _tally(job)
    terms = len(tally.terms)
    if any(len(outcome) != terms for outcome in counts.outcomes):
        raise Implausible("a final state has other terms than the program")
    if sum(counts.outcomes.values()) != counts.traces:
        raise Implausible("the final states have another number of traces than there are")
    if counts.traces + counts.filtered != counters.complete:
        raise Implausible("the number of complete traces is not that of the final states")
    if counts.failing > counters.complete + counters.blocked + counters.cut + counters.errors:
        raise Implausible("more asserts fail than there are runs")
    if (counts.mixed > 0) != (counts.mixing is not None) or counts.mixed > counters.errors:
        raise Implausible("the trace that mixes sizes does not fit the numbers")
    _check_sites(job, counts)
    if sum(counts.cuts.values()) > counters.cut:
        raise Implausible("runs are cut at more places than there are such runs")
    known = {axiom.name for axiom in job.model.flags}
    if not set(counts.flags) <= known or any(n > counts.traces for n in counts.flags.values()):
        raise Implausible("the flags are not those of the model")
    tally.merge(counts)
    satisfying = sum(n for outcome, n in counts.outcomes.items() if outcome in tally.result.marked)
    if satisfying != counts.satisfying:
        raise Implausible("another number of traces satisfies the condition")
    wrong = counts.failing + counters.errors - counts.mixed
    if tally.quantifier is Quantifier.NOT_EXISTS:
        wrong += satisfying
    elif tally.quantifier is Quantifier.FORALL:
        wrong += counts.traces - satisfying
    if (wrong > 0) != (counts.offence is not None):
        raise Implausible("the trace that violates a claim does not fit the numbers")
    if (satisfying > 0) != (counts.example is not None):
        raise Implausible("the trace that satisfies the condition does not fit the numbers")


def _check_sites(job: Job, counts: Counts) -> None:
    """Whether what is said to go wrong is in the program."""
    sightings = Sightings(job.program)
    sightings.merge(counts.sites)
    try:
        told = [site_of(fault) for fault, _ in sightings.faults()]
    except (LookupError, StopIteration, TypeError):
        raise Implausible("what goes wrong is not in the program") from None
    if sorted(told) != sorted(counts.sites):
        raise Implausible("what goes wrong is not where it is said to be")


def _again(job: Job, data: TraceData, what: str) -> tuple[TraceData, Tally]:
    """The trace, computed anew from its key, and a tally that has seen it alone."""
    again = check_key(job.program, job.model, key_of(data), job.configuration.limits())
    if isinstance(again, Refusal):
        raise Implausible(f"the trace that {what} is not one of the program: {again.reason}")
    tally = _tally(job)
    trace = DataTrace(replace(again, run=data.run))
    tally.add(trace)
    said = DataTrace(data).outcome(tally.terms)
    if again.status is not data.status or trace.outcome(tally.terms) != said:
        raise Implausible(f"the trace that {what} is not as the program runs")
    return trace.data(), tally


def _tally(job: Job) -> Tally:
    return Tally(job.new_result(job.configuration.limits()), smallest=True)
