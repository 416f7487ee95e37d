"""Checks a witness again: its program is parsed anew, its trace judged by the enumerator's checker,
and everything that the file says compared with what comes out (the wording of an error aside, which
differs between engines)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hybrid.engine.api import Limits
from hybrid.engine.enumerate.check import Refusal, check_key
from hybrid.errors import InputError
from hybrid.execution.trace import EventId, TraceData
from hybrid.frontend.compiler_options import NO_OPTIONS, CompilerOptions
from hybrid.frontend.load import parse_litmus
from hybrid.frontend.prog import parse_program
from hybrid.model.core import Model
from hybrid.program.machine_map import MACHINES, map_program
from hybrid.program.passes.pipeline import eliminate
from hybrid.program.passes.setting import setting_of
from hybrid.program.program import Program
from hybrid.source import Source
from hybrid.witness.as_json import Witness, key_in, wait_records
from hybrid.witness.graph import claim_answer, claim_holds, claim_text
from hybrid.witness.recompile import compiled_again
from hybrid.witness.steps import final_values, location_name


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """`agrees` when the trace is allowed and all that the witness says of it is true."""

    model: str  # the one that judged
    data: TraceData | None  # the trace, as computed anew; None when it is refused
    refusal: Refusal | None  # why, when it is
    differences: tuple[str, ...]  # in words; a refusal is one
    note: str = ""  # on how the program was compiled

    @property
    def agrees(self) -> bool:
        return not self.differences


def replay(witness: Witness, model: Model, compiling: CompilerOptions = NO_OPTIONS) -> ReplayResult:
    """Judges the witness under `model`. InputError when its program cannot be parsed, or is not in
    the files here any more. Flags of `compiling` take the place of those that the witness has."""
    note = ""
    if witness.compiled is not None:
        program, note = compiled_again(witness.compiled, compiling)
    else:
        parse = parse_litmus if witness.arch else parse_program
        program = parse(Source(witness.name, witness.text))
    if witness.mapped:
        if witness.mapped not in MACHINES:
            raise InputError(f"the witness is of an unknown machine, '{witness.mapped}'")
        program = map_program(program, witness.mapped)
    if witness.loops:
        program = eliminate(program, setting_of(witness.loops)).program
    return replay_in(program, witness, model, note)


def replay_in(program: Program, witness: Witness, model: Model, note: str = "") -> ReplayResult:
    """The same in a program that is at hand, as engines see it."""
    addresses = {location.name: location.address for location in program.locations}
    unknown = sorted(set(witness.co) - set(addresses))
    if unknown:
        raise InputError(
            f"the witness orders stores to `{unknown[0]}`, which is not a location of its program"
        )
    limits = Limits(witness.unroll, max_steps=witness.max_steps)
    found = check_key(program, model, key_in(witness, addresses), limits)
    if isinstance(found, Refusal):
        told = (_refused(found, model, witness),)
        return ReplayResult(model.name, None, found, told, note)
    differences = tuple(compare(witness, found))
    if not differences:
        found = replace(found, run=witness.run)
    return ReplayResult(model.name, found, None, differences, note)


def compare(witness: Witness, data: TraceData) -> list[str]:
    """The differences between what `witness` says and the trace, in words."""
    found = _events(witness, data)
    found += _value("how the run ended", witness.status.value, data.status.value)
    for index, thread in enumerate(data.program.threads):
        said = witness.registers[index] if index < len(witness.registers) else {}
        actual = data.registers[index]
        for name in sorted(said.keys() | actual.keys()):  # registers that are not named hold 0
            what = f"final register {thread.name}:{name}"
            found += _value(what, said.get(name, 0), actual.get(name, 0))
    extra = len(witness.registers) - len(data.program.threads)
    if extra > 0:
        found.append(f"the witness has registers of {extra} more thread(s) than the program")
    memory = {location_name(data, address): value for address, value in data.memory.items()}
    found += _values("final memory ", witness.memory, memory)
    found += _values("outcome ", witness.outcome, final_values(data))
    found += _value("the claim", witness.claim or None, claim_text(data) or None)
    found += _value("whether the claim's formula holds", witness.claim_holds, claim_holds(data))
    found += _value("the answer to the claim", witness.claim_answer, claim_answer(data))
    said_failed, failed = ", ".join(sorted(witness.failed)), ", ".join(sorted(data.failed))
    found += _value("the failed asserts", said_failed or "none", failed or "none")
    said_flags, flags = ", ".join(sorted(witness.flags)), ", ".join(sorted(data.flags))
    found += _value("the flags", said_flags or "none", flags or "none")
    if witness.races:
        said_races, races = _show_races(witness.races, data), _show_races(data.races, data)
        found += _value("the races", said_races, races)
    told, waiting = witness.waiting, wait_records(data)
    if told != waiting:
        listed = [", ".join(map(str, each)) or "none" for each in (told, waiting)]
        found += _value("the threads that wait for ever", *listed)
    return found + _run(witness, data)


def _show_races(races: tuple[tuple[EventId, EventId], ...], data: TraceData) -> str:
    shown = (f"{_show(a, data.program)} and {_show(b, data.program)}" for a, b in sorted(races))
    return ", ".join(shown) or "none"


def _refused(refusal: Refusal, model: Model, witness: Witness) -> str:
    labels = {record.id: record.label for record in witness.events}
    text = f"{model.name} does not allow this trace: {refusal.reason}"
    if refusal.cycle:
        text += f" ({', '.join(labels.get(event, str(event)) for event in refusal.cycle)})"
    return text


def _value(what: str, said: object, actual: object) -> list[str]:
    return [] if said == actual else [f"{what}: the witness says {said}, replay gives {actual}"]


def _values(what: str, said: Mapping[str, int], actual: Mapping[str, int]) -> list[str]:
    found: list[str] = []
    for name in sorted(said.keys() | actual.keys()):
        if name not in said:
            found.append(f"{what}{name}: not in the witness, replay gives {actual[name]}")
        elif name not in actual:
            found.append(f"{what}{name}: the witness says {said[name]}, replay has none")
        else:
            found += _value(f"{what}{name}", said[name], actual[name])
    return found


def _events(witness: Witness, data: TraceData) -> list[str]:
    found: list[str] = []
    records = {record.id: record for record in witness.events}
    for event_id in sorted(records.keys() | data.by_id.keys()):
        record, event = records.get(event_id), data.by_id.get(event_id)
        what = f"event {_show(event_id, data.program)}"
        if record is None:
            found.append(f"{what}: not in the witness")
        elif event is None:
            found.append(f"{what}: in the witness, but not in the trace")
        else:
            place = None if event.address is None else location_name(data, event.address)
            found += _value(f"{what}, kind", record.kind, event.kind)
            found += _value(f"{what}, label", record.label, event.label)
            found += _value(f"{what}, location", record.location, place)
            found += _value(f"{what}, value", record.value, event.value)
    return found


def _show(event_id: EventId, program: Program) -> str:
    thread, index = event_id
    if thread < 0:
        return f"initial write {index}"
    name = program.threads[thread].name if thread < len(program.threads) else str(thread)
    return f"{index} of thread {name}"


def _earlier(source: object, load: EventId) -> bool:
    """Whether a source stands before the load in its thread, which may take its value early."""
    return isinstance(source, tuple) and source[0] == load[0] and source[1] < load[1]


def _run(witness: Witness, data: TraceData) -> list[str]:
    """Plays the run: each parameter must be a source committed before or an earlier store of the
    thread, or a place; the end must be the trace. The events of a read-modify-write may be
    committed apart."""
    found: list[str] = []
    listed = {event_id for event_id, _ in witness.run}
    stored = {load: store for load, store in data.amo if store not in listed}
    orders: dict[int, list[EventId]] = {}
    committed: set[EventId] = {event.id for event in data.events if event.thread < 0}
    for step, (event_id, parameter) in enumerate(witness.run):
        what = f"step {step + 1} of the run (event {_show(event_id, data.program)})"
        event = data.by_id.get(event_id)
        if event is None:
            if parameter is not None:
                found.append(f"{what}: no such event in the trace")
            continue
        if event_id in committed:
            found.append(f"{what}: committed before")
            continue
        committed.add(event_id)
        if event.kind == "R":
            if parameter != data.rf.get(event_id):
                found.append(f"{what}: its parameter is not the source that rf names")
                continue
            if parameter not in committed and not _earlier(parameter, event_id):
                found.append(f"{what}: its source is not committed yet")
            write = stored.get(event_id)
            if write is not None and event.address is not None:
                order = orders.setdefault(event.address, [])
                order.insert(order.index(parameter) + 1 if parameter in order else 0, write)
                committed.add(write)
        elif event.kind == "W" and event.address is not None:
            order = orders.setdefault(event.address, [])
            if not isinstance(parameter, int) or not 0 <= parameter <= len(order):
                found.append(f"{what}: its parameter is not a place among {len(order)} stores")
                continue
            order.insert(parameter, event_id)
        else:
            found.append(f"{what}: no memory event")
    if witness.run and not found:
        missing = [e.id for e in data.events if e.kind in "RW" and e.id not in committed]
        found += [f"the run leaves out event {_show(i, data.program)}" for i in missing]
        for address, order in orders.items():
            if tuple(order) != data.co.get(address, ()):
                place = location_name(data, address)
                found.append(f"the run's places give another coherence order for {place}")
    return found
