"""The run of a trace in the form of the RSMC paper (Abdulla et al., CAV 2016):
`L3[0].L0[L3].L1[0].L2[L1]`, and the table of its Fig. 3. A store's parameter is its place in the
coherence order among the stores committed before it, a load's its source.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from hybrid.execution.trace import EventId, TraceData
from hybrid.program.origin import ANY_VALUE
from hybrid.witness.captions import shortened
from hybrid.witness.steps import WitnessStep, location_name, steps_of, value_text

_WIDE = 60  # characters of the source in a table; a longer text is cut
NO_RUN = "(no run: the values of this trace justify themselves in a circle)"
# The cell of a bit: the least number that there may be, and where the cell is among the others.
_BIT = re.compile(rf"{ANY_VALUE} above (-?\d+)[^+]*(?:\+(\d+))?")
_BIT_SIZE = 8
NO_EVENTS = "(no event: nothing happens that another thread could see)\n"
Order = list[tuple[WitnessStep, EventId]]  # steps, each with its event that is committed
_ORDINALS = (
    "First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Commit:
    """A step with its parameter in a run."""

    step: WitnessStep
    source: WitnessStep | None = None  # of a step that reads
    place: int | None = None  # of a step that stores: its place in co when it is committed

    @property
    def parameter(self) -> str:
        if self.source is not None:
            return self.source.name
        return "fail" if self.place is None else str(self.place)

    def __str__(self) -> str:
        return f"{self.step.name}[{self.parameter}]"


def commits(data: TraceData) -> list[Commit] | None:
    """The run: as the engine gives it, else a linear extension of po | rf or, where that is cyclic,
    of addr | data | ctrl | rf, or else one in which loads take values of their thread early. None
    when all are cyclic."""
    steps = steps_of(data)
    order: Order | None
    if data.run:
        order = [(steps[event_id], event_id) for event_id, _ in data.run]
    else:
        order = (
            _linear(steps, data, with_po=True)
            or _linear(steps, data, with_po=False)
            or _early(steps, data)
        )
    if order is None:
        return None
    places = {event_id: parameter for event_id, parameter in data.run if isinstance(parameter, int)}
    listed = {event_id for _, event_id in order}  # both events of an rmw that commits them apart
    found: list[Commit] = []
    committed: set[EventId] = set()
    for step, event_id in order:
        source: WitnessStep | None = None
        if step.read is not None and step.read.id == event_id and event_id in data.rf:
            source = steps[data.rf[event_id]]
        place: int | None = None
        apart = step.write is not None and event_id != step.write.id in listed
        if not apart and step.write is not None and step.write.address is not None:
            place = places.get(step.write.id)
            if place is None:
                co = data.co.get(step.write.address, ())
                before = co[: co.index(step.write.id)] if step.write.id in co else co
                place = sum(store in committed for store in before)
            committed.add(step.write.id)
        found.append(Commit(step, source, place))
    return found


def run_text(data: TraceData) -> str:
    """The run on one line: `L3[0].L0[L3]`."""
    found = commits(data)
    return NO_RUN if found is None else ".".join(map(str, found))


def run_table(data: TraceData) -> str:
    """The run as a table: event, parameter, meaning."""
    found = commits(data)
    if found is None:
        return NO_RUN
    if data.program.compiled:
        told = [row.cells() for row in source_rows(data)]
        return _table(["Thread", "Place", "Event", "What It Does"], told) if told else NO_EVENTS
    rows = [[commit.step.head, commit.parameter, _meaning(data, commit)] for commit in found]
    return _table(["Event", "Parameter", "Semantic Meaning"], rows)


def _table(head: list[str], rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lined = [head, ["-" * width for width in widths], *rows]
    lines = ("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in lined)
    return "\n".join(line.rstrip() for line in lines) + "\n"


@dataclass(frozen=True, slots=True)
class SourceRow:
    """An event of a compiled program, as a table of the run has it."""

    thread: str
    place: str  # `queue.c:41`; `queue.c:41(2)` the second time in its thread
    text: str  # the source there
    effect: str  # `reads head = &n from main's queue.c:30`

    def cells(self) -> list[str]:
        return [self.thread, self.place, shortened(self.text, _WIDE), self.effect]


def source_rows(data: TraceData) -> list[SourceRow]:
    """The run of a compiled program; none where there is no run. The thread that makes
    nondeterministic values is none of the program's."""
    threads = data.program.threads
    found = [c for c in commits(data) or () if threads[c.step.thread].name != ANY_VALUE]
    return [source_row(data, commit) for commit in found]


def source_row(data: TraceData, commit: Commit) -> SourceRow:
    step, parts = commit.step, []
    if step.read is not None and commit.source is not None:
        source = commit.source
        thread = "" if source.initial else data.program.threads[source.thread].name
        origin = "(initial)" if source.initial else f"from {thread}'s {source.name}"
        value = value_text(data, step.read)
        place = location_name(data, step.read.address)
        read = f"reads {place} = {value} {origin}"
        parts.append(_chosen(place, value) or read)
    if step.write is not None and step.write.address is not None and commit.place is not None:
        place = location_name(data, step.write.address)
        order = data.co.get(step.write.address, ())
        among = ""
        if len(order) > 1 and step.write.id in order:
            number = ordinal(order.index(step.write.id)).lower()
            among = f" ({number} of {len(order)} writes)"
        parts.append(f"writes {place} = {value_text(data, step.write)}{among}")
    name = data.program.threads[step.thread].name
    return SourceRow(name, step.name, step.text, "; ".join(parts) or "stores nothing")


def _chosen(place: str, value: str) -> str:
    """Of a nondeterministic value: what it is, or what one of its bits adds; else nothing."""
    bit = _BIT.match(place)
    if bit is not None:
        return f"adds {int(value) << int(bit[2] or 0) // _BIT_SIZE} to {bit[1]}"
    return f"is {value}" if place.startswith(ANY_VALUE) else ""


def ordinal(place: int) -> str:
    """`First` for 0, `Second` for 1, … `11th`, `21st`."""
    if place < len(_ORDINALS):
        return _ORDINALS[place]
    number = place + 1
    teen = 10 < number % 100 < 14
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def _meaning(data: TraceData, commit: Commit) -> str:
    step, parts = commit.step, []
    if step.read is not None and commit.source is not None:
        origin = "(initial)" if commit.source.initial else f"from {commit.source.name}"
        parts.append(f"Read value {value_text(data, step.read)} {origin}")
    if step.write is not None and commit.place is not None:
        place = ordinal(commit.place)
        where = f"in coherence order for {location_name(data, step.write.address)}"
        if parts:
            place = f"stored {value_text(data, step.write)}, {place.lower()}"
        parts.append(f"{place} {where}")
    return "; ".join(parts) or "Failed, stored nothing"


def _linear(steps: dict[EventId, WitnessStep], data: TraceData, with_po: bool) -> Order | None:
    """The memory steps in the smallest linear extension (by thread and po index); None if there is
    a cycle."""
    nodes = sorted({s.id for s in steps.values() if s.is_memory and not s.initial})
    pairs = [(source, load) for load, source in data.rf.items()]
    if with_po:
        pairs += [(a, b) for a, b in pairwise(nodes) if a[0] == b[0]]
    else:
        pairs += sorted(data.addr | data.data | data.ctrl)
    order = _extension(nodes, [(steps[a].id, steps[b].id) for a, b in pairs])
    return None if order is None else [(steps[event_id], event_id) for event_id in order]


def _early(steps: dict[EventId, WitnessStep], data: TraceData) -> Order | None:
    """The memory events likewise, those of an rmw apart. A load comes after its source in another
    thread; after one in its own thread it need not come, only after what that depends on."""
    nodes = sorted({i for i, s in steps.items() if s.is_memory and not s.initial})
    depends = data.addr | data.data
    pairs = sorted(depends | data.ctrl | data.amo)
    for load, source in data.rf.items():
        if source[0] != load[0]:
            pairs.append((source, load))
        else:
            pairs += [(first, load) for first, second in depends if second == source]
    order = _extension(nodes, pairs)
    return None if order is None else [(steps[event_id], event_id) for event_id in order]


def _extension(
    nodes: list[EventId], pairs: Iterable[tuple[EventId, EventId]]
) -> list[EventId] | None:
    """The smallest linear extension of pairs; None if there is a cycle. A pair of a node with
    itself does not count: a read-modify-write depends on its own load."""
    later: dict[EventId, set[EventId]] = {node: set() for node in nodes}
    waits = dict.fromkeys(later, 0)
    for first, second in pairs:
        if first != second and first in later and second in later and second not in later[first]:
            later[first].add(second)
            waits[second] += 1
    ready = [node for node in nodes if waits[node] == 0]
    order: list[EventId] = []
    while ready:
        node = heapq.heappop(ready)
        order.append(node)
        for after in later[node]:
            waits[after] -= 1
            if waits[after] == 0:
                heapq.heappush(ready, after)
    return order if len(order) == len(nodes) else None
