"""A trace as plain text: its events thread by thread, its relations, how it ends."""

from __future__ import annotations

from hybrid.execution.trace import EventId, TraceData
from hybrid.witness.graph import body, first_control, from_read, notes
from hybrid.witness.steps import WitnessStep, location_name, steps_of


def trace_text(data: TraceData) -> str:
    """A listing of the trace: events with values, rf, co, fr, dependencies, final registers and
    memory, and what there is to say about it."""
    steps = steps_of(data)
    sections = [_thread(data, steps, index) for index in range(len(data.program.threads))]
    sections += [_relations(data, steps), _final(data)]
    found = notes(data)
    if found:
        sections.append("\n".join(found))
    return "\n\n".join(filter(None, sections)) + "\n"


def _thread(data: TraceData, steps: dict[EventId, WitnessStep], index: int) -> str:
    mine = (step for i, step in steps.items() if step.thread == index and step.id == i)
    own = [step for step in mine if not step.hidden]
    lines = [f"thread {data.program.threads[index].name}"]
    heads = [step.head for step in own]
    width = max(map(len, heads), default=0)
    for step, head in zip(own, heads, strict=True):
        effect = body(data, step)
        if step.read is not None and step.read.id in data.rf:
            effect += f"  from {steps[data.rf[step.read.id]].name}"
        lines.append(f"  {head.ljust(width)}  {effect}".rstrip())
    return "\n".join(lines if own else [*lines, "  (no events)"])


def _relations(data: TraceData, steps: dict[EventId, WitnessStep]) -> str:
    def shown(pairs: list[tuple[EventId, EventId]], more: str = "") -> str:
        named = [(steps[a], steps[b]) for a, b in sorted(pairs)]
        told = [(a, b) for a, b in named if a is not b and not (a.hidden or b.hidden)]
        return ", ".join(f"{a.name} -> {b.name}{more}" for a, b in told)

    lines = [("rf", shown([(source, load) for load, source in data.rf.items()]))]
    for location in data.program.locations:
        stores = data.co.get(location.address, ())
        if stores:
            names = [f"init_{location.name}", *(steps[store].name for store in stores)]
            lines.append((f"co {location.name}", " -> ".join(names)))
    lines.append(("fr", shown(from_read(data))))
    for name, relation in (("addr", data.addr), ("data", data.data)):
        lines.append((name, shown(list(relation))))
    lines.append(("ctrl", shown(list(first_control(data)), " and after")))
    lines.append(("pick", shown(list(data.pick))))
    lines.append(("rmw", shown(list(data.lxsx))))
    lines.append(("race", shown(list(data.races))))
    filled = [(name, text) for name, text in lines if text]
    width = max((len(name) for name, _ in filled), default=0)
    return "\n".join(f"{name.ljust(width)}  {text}" for name, text in filled)


def _final(data: TraceData) -> str:
    """The final registers, thread by thread, and the final memory."""
    lines: list[tuple[str, str]] = []
    addresses = data.program.addresses
    for index, (thread, registers) in enumerate(
        zip(data.program.threads, data.registers, strict=True)
    ):
        if registers and not data.program.compiled:
            values = ", ".join(
                f"{name} = {addresses.show_in_register(index, name, value)}"
                for name, value in sorted(registers.items())
            )
            lines.append((f"final {thread.name}", values))
    memory = ", ".join(
        f"{location_name(data, address)} = {addresses.show_in_cell(address, value)}"
        for address, value in sorted(data.memory.items())
    )
    lines.append(("final memory", memory))
    width = max(len(name) for name, _ in lines)
    return "\n".join(f"{name.ljust(width)}  {text}" for name, text in lines if text)
