"""Executions as a report shows them: the picture, the commits one by one, and the cycle against an
axiom."""

from __future__ import annotations

from collections.abc import Mapping

from hybrid.engine.api import Limits
from hybrid.execution.trace import EventId, TraceData
from hybrid.explain.commit_steps import CommitStep, Judged, commit_steps
from hybrid.explain.refusals import Refused, cycle_text, emphasis_of
from hybrid.model.core import Model
from hybrid.oracle.of_trace import own_relations
from hybrid.oracle.reason import Reason
from hybrid.printable import number_of
from hybrid.report.html.source_view import axiom_view, relation_view
from hybrid.report.html.views import (
    ALLOWED,
    REFUSED,
    TAKEN,
    ChoiceView,
    EdgeView,
    EventName,
    RelationView,
    RunView,
    StepView,
)
from hybrid.witness.graph import Emphasis
from hybrid.witness.picture import key_of_event, picture_of
from hybrid.witness.run import NO_RUN, Commit, commits, ordinal, run_text
from hybrid.witness.steps import WitnessStep, location_name, steps_of, value_text

MOST_PAIRS = 200  # of a relation that are drawn: more could not be told apart
MOST_EVENTS = 300  # of an execution whose relations are shown

Steps = Mapping[EventId, WitnessStep]


def run_view(
    data: TraceData,
    model: Model,
    limits: Limits,
    heading: str,
    emphasis: Emphasis | None = None,
) -> RunView:
    """An execution, found under `limits`, with its commits judged anew."""
    steps = steps_of(data)
    walked = commit_steps(data, model, limits)
    shown = tuple(_step(data, steps, each) for each in walked.steps)
    note = walked.note
    if not shown:
        order = commits(data)
        shown = tuple(_plain(data, each) for each in order or ())
        note = NO_RUN if order is None else note
    return RunView(
        heading,
        "" if data.program.compiled else run_text(data),
        picture_of(data, emphasis),
        _heads(steps, walked.first),
        shown,
        note,
        named=_relations(data, steps, model),
    )


def refused_view(refused: Refused, model: Model, limits: Limits, count: int) -> RunView:
    """A candidate that an axiom refuses, one of `count`, with the cycle over its picture."""
    data, reason = refused.data, refused.reason
    steps = steps_of(data)
    shown = run_view(data, model, limits, f"Forbidden by {reason.axiom}", emphasis_of(refused))
    counted = f"It refuses {number_of(count, 'candidate execution')} that would reach the outcome."
    return RunView(
        shown.heading,
        shown.run,
        shown.picture,
        shown.first,
        shown.steps,
        shown.note,
        axiom_view(model, reason.axiom, _cycle(steps, reason), cycle_text(refused), counted),
        shown.named,
    )


def _relations(data: TraceData, steps: Steps, model: Model) -> tuple[RelationView, ...]:
    """The model's own relations, from box to box: what is within one box cannot be drawn."""
    if len(data.events) > MOST_EVENTS:
        return ()
    found = []
    for definition, pairs in own_relations(data, model):
        keys = ((_key(steps, source), _key(steps, target)) for source, target in sorted(pairs))
        drawn = list(dict.fromkeys(f"{a}>{b}" for a, b in keys if a != b))
        if drawn:
            shown = drawn if len(drawn) <= MOST_PAIRS else []
            found.append(relation_view(definition, shown, len(drawn)))
    return tuple(found)


# ---- commits


def _step(data: TraceData, steps: Steps, commit: CommitStep) -> StepView:
    step = steps[commit.event]
    choices = tuple(_choice(data, steps, commit, each) for each in commit.judged)
    taken = next((c for c in choices if c.state == TAKEN or commit.refused), None)
    own = next((c for c, j in zip(choices, commit.judged, strict=True) if j.taken), taken)
    return StepView(
        key_of_event(step.id),
        step.label,
        step.head,
        "" if own is None else own.parameter,
        "" if own is None else own.meaning,
        _heads(steps, commit.fetched),
        _heads(steps, commit.waiting),
        choices,
        commit.refused,
    )


def _choice(data: TraceData, steps: Steps, commit: CommitStep, judged: Judged) -> ChoiceView:
    state = TAKEN if judged.taken else ALLOWED
    why = judged.why
    cycle: tuple[EdgeView, ...] = ()
    if not judged.allowed:
        state = REFUSED
    if judged.reason is not None:
        why = f"{judged.reason.axiom}: {_cycle_text(steps, judged.reason)}"
        cycle = _cycle(steps, judged.reason)
    return ChoiceView(
        _parameter(steps, judged), _meaning(data, steps, commit.event, judged), state, why, cycle
    )


def _parameter(steps: Steps, judged: Judged) -> str:
    if judged.source is not None:
        return _name(steps, judged.source)
    return "fail" if judged.place is None else str(judged.place)


def _meaning(data: TraceData, steps: Steps, event: EventId, judged: Judged) -> str:
    """What committing the event with this parameter means."""
    if judged.source is not None:
        value = value_text(data, data.by_id[judged.source])
        step = steps[event]
        more = ""
        if judged.taken and step.write is not None and step.write.id != event:
            more = f", writes {value_text(data, step.write)}"
        if judged.source[0] < 0:
            return f"reads {value}, the initial value{more}"
        return f"reads {value} from {_name(steps, judged.source)}{more}"
    if judged.place is None:
        return "fails, stores nothing"
    before, after = judged.between
    around = [f"after {_name(steps, before)}" if before is not None else ""]
    around += [f"before {_name(steps, after)}" if after is not None else ""]
    where = f"{ordinal(judged.place).lower()} in coherence ({', '.join(filter(None, around))})"
    write = data.by_id.get(event)
    return f"stores, {where}" if write is None else f"writes {value_text(data, write)}, {where}"


def _plain(data: TraceData, commit: Commit) -> StepView:
    """A commit of which nothing else is known."""
    step, parts = commit.step, []
    if step.read is not None and commit.source is not None:
        parts.append(f"reads {value_text(data, step.read)} from {commit.source.name}")
    if step.write is not None and commit.place is not None:
        place = ordinal(commit.place).lower()
        where = f"{place} in the coherence order of {location_name(data, step.write.address)}"
        parts.append(f"writes {value_text(data, step.write)}, {where}")
    meaning = "; ".join(parts) or "fails, stores nothing"
    return StepView(key_of_event(step.id), step.label, step.head, commit.parameter, meaning)


# ---- names


def _heads(steps: Steps, events: tuple[EventId, ...]) -> tuple[EventName, ...]:
    """The steps of these events that the trace has, each once."""
    found = {steps[event].id: steps[event] for event in events if event in steps}
    shown = [step for step in found.values() if not step.hidden]
    return tuple(EventName(key_of_event(step.id), step.head) for step in shown)


def _name(steps: Steps, event: EventId) -> str:
    return steps[event].name if event in steps else ".".join(map(str, event))


def _cycle(steps: Steps, reason: Reason) -> tuple[EdgeView, ...]:
    """The cycle as its edges are made up, box by box."""
    edges = [
        each
        for edge in reason.edges
        for each in edge.steps or ((edge.start, edge.label, edge.end),)
    ]
    return tuple(
        EdgeView(_key(steps, a), label, _key(steps, b), _name(steps, a), _name(steps, b))
        for a, label, b in edges
    )


def _cycle_text(steps: Steps, reason: Reason) -> str:
    if not reason.edges:
        return reason.test
    start = _name(steps, reason.edges[0].start)
    return start + "".join(f" --{e.label}--> {_name(steps, e.end)}" for e in reason.edges)


def _key(steps: Steps, event: EventId) -> str:
    return key_of_event(steps[event].id if event in steps else event)
