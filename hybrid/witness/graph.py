"""What a drawing of a trace shows: steps as nodes, and of each relation the edges that a reader
needs.

co is drawn between neighbours, fr only to the next store (rf⁻¹ followed by one step of co), ctrl
only to the first event that it reaches (the rest follows through po). Initial writes appear when a
load reads them; they come first in co. An Emphasis marks events and edges, such as the cycle that
forbids an execution: they are drawn in bold, and an edge of it that would not be drawn otherwise is
added.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from hybrid.execution.trace import EventId, Pairs, Status, TraceData
from hybrid.execution.wait_text import over_text, until, waits_text
from hybrid.program.condition import Quantifier, holds, show_condition
from hybrid.witness.faults import failed_faults
from hybrid.witness.races import races_of
from hybrid.witness.steps import WitnessStep, final_values, location_name, steps_of, value_text

# Readers with any kind of colour blindness can tell these apart, on white and on a dark page; text
# in them can be read. Dependencies have one colour and dashes of their own (DASHES). Every edge has
# its name.
COLOURS = {
    "po": "#6e7781",
    "rf": "#c0540c",
    "co": "#0018f0",
    "fr": "#c60cd2",
    "addr": "#48300c",
    "data": "#48300c",
    "ctrl": "#48300c",
    "rmw": "#00844e",
    "race": "#7e126c",
    "marked": "#1b1f24",
}
DARK_COLOURS = {
    "po": "#8b949e",
    "rf": "#f68436",
    "co": "#7eb4f0",
    "fr": "#c048fc",
    "addr": "#fcd20c",
    "data": "#fcd20c",
    "ctrl": "#fcd20c",
    "rmw": "#2afca2",
    "race": "#ea4854",
    "marked": "#f0f3f6",
}
DASHES = {  # lengths of dashes and gaps
    "addr": "9 3 2 3",
    "data": "9 3",
    "ctrl": "3 3",
    "rmw": "5 3",
}
MEANINGS = {
    "po": "program order",
    "rf": "reads from",
    "co": "coherence",
    "fr": "from read",
    "addr": "address dependency",
    "data": "data dependency",
    "ctrl": "control dependency",
    "rmw": "exclusive pair",
    "race": "data race",
    "marked": "a relation of the model",
}
MARKED = "marked"  # the relation of an edge that only an Emphasis has
ACROSS = ("rf", "co", "fr", "race")  # between threads; dependencies stay at their thread's side


# Names of a model's relations that are drawn as one of ours.
_DRAWN_AS = {
    "po-loc": "po",
    "rfe": "rf",
    "rfi": "rf",
    "coe": "co",
    "coi": "co",
    "fre": "fr",
    "fri": "fr",
    "lxsx": "rmw",
}


@dataclass(frozen=True, slots=True)
class Emphasis:
    """What a drawing shows in bold, and why."""

    edges: tuple[tuple[EventId, str, EventId], ...]  # labelled by a relation: `rfe`, `dmb.sy`, `po`
    events: frozenset[EventId] = frozenset()  # besides the ends of the edges
    meaning: str = "the cycle"  # of what is bold, for the legend
    note: str = ""  # a line below the drawing


@dataclass(frozen=True, slots=True)
class DrawnNode:
    step: WitnessStep
    head: str  # `L0: r0 := x`
    body: str  # `R x = 1`; empty for fences and branches
    bold: bool = False

    @property
    def id(self) -> EventId:
        return self.step.id


@dataclass(frozen=True, slots=True, order=True)
class DrawnEdge:
    source: EventId  # ids of steps
    target: EventId
    relation: str  # a key of COLOURS
    label: str = ""  # where the relation's name is not the one to show
    bold: bool = False

    @property
    def text(self) -> str:
        """The label that is shown; none for po."""
        return self.label or ("" if self.relation == "po" else self.relation)


@dataclass(frozen=True, slots=True)
class DrawnGraph:
    initial: tuple[DrawnNode, ...]
    threads: tuple[tuple[DrawnNode, ...], ...]  # in po order
    names: tuple[str, ...]  # of the threads
    edges: tuple[DrawnEdge, ...]
    relations: tuple[str, ...]  # those that occur, in the order of COLOURS
    notes: tuple[str, ...]  # why something is bold; outcome, claim, failed asserts, status
    bold: str = ""  # what is bold in it; empty: nothing is

    @property
    def warnings(self) -> tuple[str, ...]:
        """Those of the notes that tell of something bad."""
        begins = ("assert failed", "violation", "error run", "waiting run", "forbidden")
        return tuple(note for note in self.notes if note.startswith(begins))


def graph_of(data: TraceData, emphasis: Emphasis | None = None) -> DrawnGraph:
    """The nodes and edges of a drawing of `data`."""
    steps = steps_of(data)
    marked = _marked_steps(steps, emphasis)
    threads: list[list[DrawnNode]] = [[] for _ in data.program.threads]
    for event_id, step in steps.items():
        if not step.initial and step.id == event_id and not step.hidden:
            threads[step.thread].append(_node(data, step, step.id in marked))
    edges = _edges(data, steps, threads)
    if emphasis is not None:
        edges = _emphasised(edges, steps, emphasis)
    read = sorted({edge.source for edge in edges if edge.source[0] < 0})
    relations = {edge.relation for edge in edges}
    return DrawnGraph(
        tuple(
            DrawnNode(steps[i], steps[i].name, f"W {steps[i].text}", steps[i].id in marked)
            for i in read
        ),
        tuple(map(tuple, threads)),
        tuple(thread.name for thread in data.program.threads),
        tuple(sorted(edges)),
        tuple(name for name in COLOURS if name in relations and name != MARKED),
        notes(data) if emphasis is None else (*filter(None, (emphasis.note,)), *notes(data)),
        "" if emphasis is None else emphasis.meaning,
    )


def _marked_steps(steps: dict[EventId, WitnessStep], emphasis: Emphasis | None) -> set[EventId]:
    if emphasis is None:
        return set()
    events = {event for a, _, b in emphasis.edges for event in (a, b)} | emphasis.events
    return {steps[event].id for event in events if event in steps}


def _emphasised(
    edges: set[DrawnEdge], steps: dict[EventId, WitnessStep], emphasis: Emphasis
) -> set[DrawnEdge]:
    """The edges, with those of the emphasis in bold, and added where they are not drawn
    otherwise."""
    found = set(edges)
    for start, label, end in emphasis.edges:
        name = label.removesuffix("^-1")
        if name != label:
            start, end = end, start
        name = _DRAWN_AS.get(name, name)
        source, target = steps[start].id, steps[end].id
        if source == target:
            continue
        drawn = DrawnEdge(source, target, name)
        if drawn in edges:
            found.discard(drawn)
            found.add(replace(drawn, bold=True))
        elif name in ACROSS:
            found.add(replace(drawn, bold=True))
        else:
            found.add(DrawnEdge(source, target, MARKED, label, True))
    return found


def notes(data: TraceData) -> tuple[str, ...]:
    """What the trace comes to: outcome, answer to the claim, failed asserts, how it ended if not
    well, flags, races."""
    found: list[str] = []
    if data.program.terms:
        outcome, show = final_values(data), data.program.addresses.show
        shown = [f"{t.name} = {show(t, outcome[t.name])}" for t in data.program.terms]
        found.append("outcome: " + ", ".join(shown))
    claim = claim_text(data)
    if claim:
        found.append(f"{claim}: {claim_answer(data)}")
    failed = data.program.faults(data.failed)
    if data.program.compiled:
        found += [f"violation: {fault}" for fault in failed_faults(data.program, failed)]
    elif failed:
        found.append("assert failed: " + ", ".join(failed))
    if data.status is Status.COMPLETE:
        found += [over_text(data.program, data.waiting)] if data.waiting else []
    else:
        why = waits_text(data.program, data.waiting) if data.waiting else data.error
        found.append(f"{data.status.value} run" + (f": {why}" if why else ""))
    if data.flags:
        found.append("flags: " + ", ".join(data.flags))
    found += [f"race: {race}" for race in races_of(data)]
    return tuple(found)


def claim_text(data: TraceData) -> str:
    """The program's final condition, `exists (…)`; empty when it has none."""
    condition = data.program.condition
    return show_condition(condition) if condition else ""


def claim_holds(data: TraceData) -> bool | None:
    """Whether the formula of the final condition is true of this trace; None without a
    condition."""
    condition = data.program.condition
    if condition is None:
        return None
    outcome = final_values(data)
    return holds(condition.formula, lambda term: outcome[term.name])


def claim_answer(data: TraceData) -> str:
    """What this trace says about the final condition."""
    condition, true = data.program.condition, claim_holds(data)
    if condition is None:
        return ""
    if data.status is Status.WAITING:
        return "not asked: the run has no end"
    if condition.quantifier is Quantifier.EXISTS:
        return "reached" if true else "not reached here"
    violated = true if condition.quantifier is Quantifier.NOT_EXISTS else not true
    return "violated" if violated else "not violated here"


def from_read(data: TraceData) -> list[tuple[EventId, EventId]]:
    """Pairs of a load and the store directly after its source in co; a read-modify-write's own
    store left out."""
    following: dict[EventId, EventId] = {}
    for index, location in enumerate(data.program.locations):
        stores = data.co.get(location.address, ())
        following.update(pairwise(((-1, index), *stores)))
    return [
        (load, following[source])
        for load, source in sorted(data.rf.items())
        if source in following and (load, following[source]) not in data.amo
    ]


def first_control(data: TraceData) -> Pairs:
    """Of the ctrl pairs of each load, the one to the nearest event, branches passed over where
    possible."""
    nearest: dict[EventId, tuple[bool, EventId]] = {}
    for load, event in data.ctrl:
        rank = (data.by_id[event].kind == "B", event)
        nearest[load] = min(rank, nearest.get(load, rank))
    return frozenset((load, rank[1]) for load, rank in nearest.items())


def _edges(
    data: TraceData, steps: dict[EventId, WitnessStep], threads: list[list[DrawnNode]]
) -> set[DrawnEdge]:
    pairs: list[tuple[str, EventId, EventId]] = []
    for nodes in threads:
        pairs += [("po", a.id, b.id) for a, b in pairwise(nodes)]
    pairs += [("rf", source, load) for load, source in data.rf.items()]
    for stores in data.co.values():
        pairs += [("co", a, b) for a, b in pairwise(stores)]
    pairs += [("fr", load, store) for load, store in from_read(data)]
    named = (("addr", data.addr), ("data", data.data), ("ctrl", first_control(data)))
    for name, relation in (*named, ("rmw", data.lxsx)):
        pairs += [(name, a, b) for a, b in relation]
    pairs += [("race", a, b) for a, b in data.races]
    shown = [
        (n, steps[a], steps[b]) for n, a, b in pairs if not (steps[a].hidden | steps[b].hidden)
    ]
    edges = {DrawnEdge(a.id, b.id, name) for name, a, b in shown}
    return {edge for edge in edges if edge.source != edge.target}


def _node(data: TraceData, step: WitnessStep, bold: bool = False) -> DrawnNode:
    return DrawnNode(step, step.head, body(data, step), bold)


def body(data: TraceData, step: WitnessStep) -> str:
    """What a step did to memory: `R x = 1`, `W x = 1`, `RMW x: 0 -> 1`; empty for fences and
    branches."""
    if step.failed:
        return "failed, no store"
    if step.wait is not None and step.origin is not None and step.origin.message:
        return step.origin.message
    if step.wait is not None:
        if step.wait.address is None:
            return f"waits until {step.wait.test}"
        return f"waits for {location_name(data, step.wait.address)} {until(step.wait)}"
    if step.read is not None and step.write is not None:
        place = location_name(data, step.read.address)
        return f"RMW {place}: {value_text(data, step.read)} -> {value_text(data, step.write)}"
    event = step.read or step.write
    if event is None:
        return ""
    return f"{event.kind} {location_name(data, event.address)} = {value_text(data, event)}"
