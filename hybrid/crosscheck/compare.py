"""Several configurations on one program: their traces must be the same.

Traces are compared by key, one by one: final registers and memory, failing asserts and raised flags
too. A configuration that counts reads-from classes is compared with the projection of the full
traces: what there is, where each load reads, and which store comes last at the locations that the
program's condition speaks of; the coherence order that it shows for a class must be one of the full
traces. Runs in which threads wait for ever are compared in the same way, one by one; by class,
nothing is said of which store comes last. Other runs that are not complete traces (the loop bound,
an access to no location, a failing assert in a blocked run) are compared as endings.py says.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from hybrid.catalogue.engines import make
from hybrid.catalogue.spelling import not_applicable, spelled
from hybrid.crosscheck.complete import check_complete
from hybrid.crosscheck.endings import difference
from hybrid.crosscheck.found import (
    Facts,
    Found,
    Lens,
    Recheck,
    count,
    find,
)
from hybrid.crosscheck.relocated import differs_elsewhere
from hybrid.engine.api import FAA, RF, TRACE, Engine, Limits, Stopped
from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError
from hybrid.execution.trace import Key, Status
from hybrid.model.core import Model
from hybrid.program.program import Program
from hybrid.verdict import Verdict

# What two configurations can differ in.
MISSING = "missing"  # a trace that the reference has
EXTRA = "extra"  # a trace that the reference has not
WITNESS = "witness"  # a class is right, the coherence order shown for it is not a trace
DUPLICATE = "duplicate"
STUCK = "stuck"
OUTCOME = "outcome"  # final values, failing asserts or flags of one trace
WAITING = "waiting"  # runs in which threads wait for ever
ENDING = "ending"  # cut, erring or failing runs that are neither these nor complete traces
CRASH = "crash"  # an exception that is a bug
INCOMPLETE = "incomplete"  # the formula has a trace that the reference has not
REFUSED = "refused"  # the formula has not all traces of the reference
REPLAY = "replay"  # the witness of a run is not confirmed
PLACES = "places"  # the traces depend on where locations lie

FORMULA_SOLVER = "sat"
FORMULA = "formula"  # stands for a configuration in INCOMPLETE and REFUSED


@dataclass(frozen=True, slots=True)
class Difference:
    kind: str
    name: str  # the configuration at fault, or that differs from the reference
    against: str  # the reference; empty where the fault shows without one
    text: str
    keys: tuple[Key, ...] = ()  # the traces in question, the smallest first

    def __str__(self) -> str:
        return self.text


@dataclass(slots=True)
class Comparison:
    """Empty `differences` mean agreement of what there was to compare."""

    program: Program
    model: Model
    limits: Limits
    findings: list[Found] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)  # configuration, why
    differences: list[Difference] = field(default_factory=list)
    lens: Lens | None = None  # by which traces were looked at
    completeness: str = ""  # what `--complete` says; empty: not asked for
    complete: bool | None = None  # nothing but what was found; None: not known
    # no time was left to run the program with its locations in other places
    not_relocated: bool = False

    @property
    def agree(self) -> bool:
        return not self.differences

    @property
    def open(self) -> list[str]:
        """Why agreement would not say everything."""
        reasons = [
            f"{found.name}: {found.unfinished}" for found in self.findings if found.unfinished
        ]
        if len(self.findings) < 2:
            who = f"{self.findings[0].name} alone" if self.findings else "no configuration"
            reasons.append(f"nothing to compare: {who} takes it")
        reference = reference_of(self.findings)
        if reference is not None:
            reasons += [
                f"{found.name}: nothing to compare its classes with"
                for found in self.findings
                if not common(reference, found)
            ]
        if self.completeness and self.complete is None:
            reasons.append(f"completeness: {self.completeness}")
        if self.not_relocated:
            reasons.append("with the locations in other places: no time")
        return reasons

    @property
    def verdict(self) -> Verdict:
        if self.differences:
            return Verdict.DISAGREE
        return Verdict.INCONCLUSIVE if self.open else Verdict.HOLDS

    def named(self, name: str) -> Found:
        return next(found for found in self.findings if found.name == name)


def crosscheck(
    program: Program,
    model: Model,
    configurations: Sequence[Configuration],
    limits: Limits,
    *,
    seconds: float | None = None,
    seed: int = 0,
    complete: bool = False,
    recheck: Recheck | None = None,
    relocate: bool = False,
    on_start: Callable[[Configuration, Engine], None] | None = None,
) -> Comparison:
    """Runs every configuration that takes the program and the model, each for at most `seconds`,
    and compares; with `complete` the reference also with the formula, with `recheck` the witnesses
    of some runs are replayed, with `relocate` the program is also run with its locations in other
    places."""
    result = Comparison(program, model, limits)
    lens = Lens(program, any(each.equivalence == FAA for each in configurations))
    result.lens = lens
    for configuration in configurations:
        reason = not_applicable(configuration, model, program)
        if not reason:
            engine = make(configuration, seed)
            if on_start is not None:
                on_start(configuration, engine)
            own = _own_limits(limits, seconds)
            try:
                found = find(
                    engine,
                    spelled(configuration),
                    program,
                    model,
                    own,
                    configuration.equivalence,
                    lens,
                    recheck,
                )
            except InputError as error:
                reason = error.message
            else:
                result.findings.append(found)
        if reason:
            result.left_out.append((spelled(configuration), reason))
    result.differences += differences(result.findings, lens)
    if complete:
        _complete(result, _own_limits(limits, seconds))
    if relocate:
        _relocate(result, configurations, _own_limits(limits, seconds), seed)
    return result


def _relocate(
    result: Comparison, configurations: Sequence[Configuration], limits: Limits, seed: int
) -> None:
    """The traces of the configuration that was quickest, with the locations in other places."""
    whole = [f for f in result.findings if not f.unfinished and not f.crash]
    traced = [found for found in whole if found.equivalence == TRACE]
    if not traced:
        return
    found = min(traced, key=lambda found: found.counters.checks)
    configuration = next(c for c in configurations if spelled(c) == found.name)
    text = ""
    try:
        text = differs_elsewhere(
            result.program,
            found.keys,
            set(found.waiting),
            {Status(ending.status) for ending in found.endings} & {Status.CUT, Status.ERROR},
            result.model,
            lambda: make(configuration, seed),
            limits,
        )
    except Stopped:
        result.not_relocated = True
    if text:
        text = f"{found.name}, with the locations in other places: {text}"
        result.differences.append(Difference(PLACES, found.name, "", text))


def _complete(result: Comparison, limits: Limits) -> None:
    """The reference's traces against the formula."""
    reference = reference_of(result.findings)
    if reference is None or reference.equivalence != TRACE:
        result.completeness = "not known: no configuration has found all traces"
        return
    start = time.monotonic()
    try:
        found = check_complete(
            result.program,
            result.model,
            reference.traces,
            reference.waiting,
            limits,
            FORMULA_SOLVER,
        )
    except Stopped as stop:
        given = max((limits.deadline or start) - start, 0.0)
        result.completeness = f"not known: {stop.told or f'time-out after {given:.3g} s'}"
        return
    result.complete = found.further is None and not found.refused
    traces = count(len(reference.traces), "trace")
    if reference.waiting:
        traces += f" and {count(len(reference.waiting), 'waiting run')}"
    if result.complete:
        result.completeness = f"the formula has the {traces} of {reference.name} and no other"
        return
    result.completeness = f"the formula differs from the {traces} of {reference.name}"
    if found.refused:
        text = f"the formula excludes {count(len(found.refused), 'run')} of {reference.name}"
        keys = _sorted(found.refused)
        result.differences.append(Difference(REFUSED, FORMULA, reference.name, text, keys))
    if found.further is not None:
        text = f"the formula has a run that {reference.name} has not"
        keys = (found.further,)
        result.differences.append(Difference(INCOMPLETE, FORMULA, reference.name, text, keys))


def compare(
    program: Program, model: Model, engines: list[tuple[str, Engine]], limits: Limits
) -> Comparison:
    """The same for engines at hand, which count traces."""
    result = Comparison(program, model, limits)
    lens = Lens(program)
    for name, engine in engines:
        result.findings.append(find(engine, name, program, model, limits, TRACE, lens))
    result.differences += differences(result.findings, lens)
    return result


def _own_limits(limits: Limits, seconds: float | None) -> Limits:
    if seconds is None:
        return limits
    deadline = time.monotonic() + seconds
    return replace(limits, deadline=min(deadline, limits.deadline or deadline))


def differences(findings: Sequence[Found], lens: Lens) -> list[Difference]:
    """First what shows in each alone, then each against the reference."""
    result: list[Difference] = []
    for found in findings:
        result += _alone(found)
    reference = reference_of(findings)
    for found in findings:
        if reference is not None and found is not reference and not found.crash:
            result += _against(reference, found, lens)
    return result


def reference_of(findings: Sequence[Found]) -> Found | None:
    """The first that finished, one with full traces before one with classes."""
    whole = [found for found in findings if not found.unfinished and not found.crash]
    whole.sort(key=lambda found: found.equivalence != TRACE)
    return whole[0] if whole else None


def common(one: Found, other: Found) -> str:
    """By which equivalence the two can be compared; empty: by none, as each counts classes of its
    own."""
    kinds = {one.equivalence, other.equivalence} - {TRACE}
    return "" if len(kinds) > 1 else next(iter(kinds), TRACE)


def _alone(found: Found) -> list[Difference]:
    result: list[Difference] = []
    if found.crash:
        result.append(Difference(CRASH, found.name, "", f"{found.name} fails: {found.crash}"))
    if found.duplicates:
        what = "trace" if found.equivalence == TRACE else "class"
        text = f"{found.name} met {count(len(found.duplicates), what)} again"
        result.append(Difference(DUPLICATE, found.name, "", text, _sorted(found.duplicates)))
    if found.misnamed:
        text = (
            f"{found.name} shows {count(len(found.misnamed), 'class')} by a trace of another class"
        )
        result.append(Difference(WITNESS, found.name, "", text, _sorted(found.misnamed)))
    if found.refuted:
        text = f"a witness of {found.name} is not confirmed: {found.refuted[0]}"
        result.append(Difference(REPLAY, found.name, "", text))
    if found.counters.stuck:
        text = f"{found.name} got stuck in {count(found.counters.stuck, 'run')}"
        result.append(Difference(STUCK, found.name, "", text))
    return result


def _against(reference: Found, found: Found, lens: Lens) -> list[Difference]:
    result: list[Difference] = []

    def differ(kind: str, text: str, keys: Sequence[Key] = ()) -> None:
        result.append(Difference(kind, found.name, reference.name, text, _sorted(keys)))

    how = common(reference, found)
    if not how:
        return []
    left, right = _views(reference, found, lens)
    missing = [] if found.unfinished else [left[k][0] for k in left if k not in right]
    extra = [right[k][0] for k in right if k not in left]
    what = "trace" if how == TRACE else "class"
    head = f"{reference.name} has {count(len(left), what)}, {found.name} has {len(right)}: "
    if missing:
        differ(MISSING, f"{head}{len(missing)} missing", missing)
    if extra:
        differ(EXTRA, f"{head}{len(extra)} extra", extra)
    if found.equivalence != TRACE and reference.equivalence == TRACE:
        lost = [
            key for name, (key, _) in right.items() if name in left and key not in reference.traces
        ]
        if lost:
            differ(
                WITNESS,
                f"{found.name} shows {count(len(lost), 'class')} by what {reference.name} has not",
                lost,
            )
    if reference.equivalence == TRACE:
        known = reference.traces
        other = [k for k, facts in found.traces.items() if k in known and known[k] != facts]
    else:
        other = [right[k][0] for k in left if k in right and left[k][1] != right[k][1]]
    if other:
        differ(
            OUTCOME,
            f"{found.name} gives {count(len(other), what)} another outcome than {reference.name}",
            other,
        )
    names = reference.name, found.name
    ends = difference(
        names,
        reference.endings,
        found.endings,
        (reference.failing, found.failing),
        finished=not found.unfinished,
        each=not lens.waits and how != FAA,
        classes=how == RF,
    )
    if ends:
        differ(ENDING, ends)
    if found.raced != reference.raced and (found.raced or not found.unfinished):
        raced, other_one = names if reference.raced else names[::-1]
        differ(ENDING, f"{raced} has runs with a race, {other_one} has none")
    result += _waiting_against(reference, found, lens)
    return result


def _waiting_against(reference: Found, found: Found, lens: Lens) -> list[Difference]:
    """The waiting runs of one against those of the other: by class if one of them counts
    classes."""
    how = common(reference, found)
    by_class = how != TRACE
    if by_class:
        left, right = lens.waiting_classes(reference, how), lens.waiting_classes(found, how)
    else:
        left = {key: (key, standing) for key, standing in reference.waiting.items()}
        right = {key: (key, standing) for key, standing in found.waiting.items()}
    missing = [] if found.unfinished else [left[k][0] for k in left if k not in right]
    extra = [right[k][0] for k in right if k not in left]
    other = [right[k][0] for k in left if k in right and left[k][1] != right[k][1]]
    if found.equivalence != TRACE and reference.equivalence == TRACE:
        extra += [key for key in found.waiting if key not in reference.waiting and key not in extra]
    if not missing and not extra and not other:
        return []
    what = "class" if by_class else "run"
    text = (
        f"{reference.name} has {count(len(left), f'waiting {what}')}, {found.name} has {len(right)}"
    )
    parts = [(missing, "missing"), (extra, "extra"), (other, "with other threads waiting")]
    text += f": {', '.join(f'{len(keys)} {word}' for keys, word in parts if keys)}"
    keys = _sorted([*missing, *extra, *other])
    return [Difference(WAITING, found.name, reference.name, text, keys)]


View = dict[Key, tuple[Key, Facts]]  # from keys of traces or classes to a trace


def _views(reference: Found, found: Found, lens: Lens) -> tuple[View, View]:
    """Both by class if one of them counts classes, else by trace."""
    how = common(reference, found)
    if how != TRACE:
        return lens.classes(reference, how), lens.classes(found, how)
    return (
        {key: (key, facts) for key, facts in reference.traces.items()},
        {key: (key, facts) for key, facts in found.traces.items()},
    )


def size_of(key: Key) -> int:
    """The number of loads and stores."""
    return len(key[0]) + sum(len(stores) for _, stores in key[1])


def _sorted(keys: Sequence[Key]) -> tuple[Key, ...]:
    return tuple(sorted(keys, key=lambda key: (size_of(key), key)))
