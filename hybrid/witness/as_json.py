"""Witnesses as JSON: a trace with the program's text, enough to be checked again on its own.

The format, version 1. An event id is `[thread, po index]`; thread -1 is the initial writes,
numbered as the locations.

    format, version     "hybrid-witness", 1
    program             {"name", "text"}: the text is the whole source, of a .prog, or with "arch"
                        of a litmus test; "mapped" names the machine to which its C11 orders were
                        mapped; "loops" says what was done with its loops. Of a C program the text
                        is empty, and "compiled" has {"compiler", "flags", "files", "sources"}: its
                        version, what the user gave it, and the SHA-256 of every source by its name
    model, engine       names
    unroll, max_steps   the bounds on loops and on a thread's instructions under which the trace
                        was found
    status, error       how the run ended, and what went wrong in an erroneous one
    events              [{"id", "kind", "label", "location", "value"}], initial writes included;
                        with a "name" where the value is an address: `&x`, and of a compiled
                        program with a "caption": `queue.c:41 atomic_load(&x)`
    rf                  [{"load", "source"}]
    co                  [{"location", "stores"}], initial writes left out
    run                 [{"event", "parameter"}]: commit order; a source's id, a place in co, or
                        null (a failed store-conditional)
    registers, memory   final values: one object per thread; one object with the locations' names
    outcome             {"P:r0": 1, "x": 2}
    names               where final values are addresses: their names, {"registers", "memory",
                        "outcome"} as above
    claim               {"text", "formula_holds", "answer"}, or null
    failed              labels of the asserts that do not hold
    flags               names of the model's flags that are raised
    races               [[id, id]]: the accesses that race; only where they were asked for
    waiting             [{"thread", "label", "location", "op", "value"}]: of status "waiting", the
                        threads that wait for ever, by name, each until the location's value stands
                        in the relation `op` to `value`; with "test" until the value, `_`, satisfies
                        that, or, where the location is null, the thread's registers do
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from hybrid.engine.api import DEFAULT_UNROLL
from hybrid.errors import InputError
from hybrid.execution.trace import Event, EventId, Key, Status, TraceData
from hybrid.frontend.c.provenance import COMPILER, FILES, FLAGS, Sources, sources_of
from hybrid.program.loops import DEFAULT_MAX_STEPS
from hybrid.source import Source, Span
from hybrid.versions import WITNESS, check_version
from hybrid.witness.graph import claim_answer, claim_holds, claim_text
from hybrid.witness.json_node import JsonNode
from hybrid.witness.steps import final_values, location_name

FORMAT = "hybrid-witness"
_KINDS = ("R", "W", "F", "B")


@dataclass(frozen=True, slots=True)
class EventRecord:
    """What a witness says about an event."""

    id: EventId
    kind: str
    label: str
    location: str | None
    value: int | None


@dataclass(frozen=True, slots=True)
class WaitRecord:
    """What a witness says about a thread that waits for ever."""

    thread: str
    label: str
    location: str | None
    op: str
    value: int
    test: str = ""

    def __str__(self) -> str:
        if self.test:
            return f"{self.thread} at {self.label} for {self.location or ''} {self.test}"
        return f"{self.thread} at {self.label} for {self.location} {self.op} {self.value}"


@dataclass(frozen=True, slots=True)
class CompiledRecord:
    """What a witness says about how its program was compiled."""

    compiler: str
    flags: tuple[str, ...]
    files: tuple[str, ...]  # at least one
    sources: Sources


@dataclass(frozen=True, slots=True)
class Witness:
    """A witness file, read and checked for form; whether what it says is true, `replay` finds
    out."""

    name: str  # of the program
    text: str  # its source
    arch: str  # of a litmus test; empty: the text is a .prog
    model: str
    engine: str
    unroll: int
    max_steps: int
    status: Status
    error: str  # what went wrong, in the words of the engine; empty where nothing did
    events: tuple[EventRecord, ...]
    rf: Mapping[EventId, EventId]
    co: Mapping[str, tuple[EventId, ...]]  # by name of the location
    run: tuple[tuple[EventId, EventId | int | None], ...]
    registers: tuple[Mapping[str, int], ...]
    memory: Mapping[str, int]
    outcome: Mapping[str, int]
    claim: str  # empty when the program makes none
    claim_holds: bool | None  # whether its formula is true of the outcome
    claim_answer: str  # what the trace says about it: `reached`, `violated`, …
    failed: tuple[str, ...]
    flags: tuple[str, ...]
    races: tuple[tuple[EventId, EventId], ...] = ()  # empty where it does not say
    waiting: tuple[WaitRecord, ...] = ()
    mapped: str = ""  # the machine to which the C11 orders of its program were mapped
    loops: tuple[str, ...] = ()  # what was done with its loops
    compiled: CompiledRecord | None = None  # None: its program has a text


def to_json(
    data: TraceData,
    model_name: str,
    engine: str,
    source_text: str,
    unroll: int = DEFAULT_UNROLL,
    max_steps: int = DEFAULT_MAX_STEPS,
) -> dict[str, object]:
    """The witness for `data`, ready for `json.dumps`."""
    return {
        "format": FORMAT,
        "version": WITNESS,
        "program": {"name": data.program.name, "text": source_text, **_kind(data)},
        "model": model_name,
        "engine": engine,
        "unroll": unroll,
        "max_steps": max_steps,
        "status": data.status.value,
        "error": data.error,
        "events": [_event_json(data, event) for event in data.events],
        "rf": [
            {"load": list(load), "source": list(source)} for load, source in sorted(data.rf.items())
        ],
        "co": [
            {
                "location": location_name(data, address),
                "stores": [list(store) for store in stores],
            }
            for address, stores in sorted(data.co.items())
            if stores
        ],
        "run": [
            {"event": list(i), "parameter": list(p) if isinstance(p, tuple) else p}
            for i, p in data.run
        ],
        "registers": [dict(sorted(registers.items())) for registers in data.registers],
        "memory": {location_name(data, a): value for a, value in sorted(data.memory.items())},
        "outcome": final_values(data),
        **_names(data),
        "claim": _claim_json(data),
        "failed": list(data.failed),
        "flags": list(data.flags),
        **({"races": [[list(a), list(b)] for a, b in data.races]} if data.races else {}),
        **({"waiting": [_wait_json(r) for r in wait_records(data)]} if data.waiting else {}),
    }


def _event_json(data: TraceData, event: Event) -> dict[str, object]:
    return {
        "id": list(event.id),
        "kind": event.kind,
        "label": event.label,
        "location": None if event.address is None else location_name(data, event.address),
        "value": event.value,
        **_name(data, event),
        **_caption(data, event),
    }


def _caption(data: TraceData, event: Event) -> dict[str, str]:
    origin = data.program.origins.get(event.label)
    return {} if origin is None else {"caption": str(origin)}


def _claim_json(data: TraceData) -> dict[str, object] | None:
    text = claim_text(data)
    if not text:
        return None
    return {"text": text, "formula_holds": claim_holds(data), "answer": claim_answer(data)}


def wait_records(data: TraceData) -> tuple[WaitRecord, ...]:
    """The threads of a trace that wait for ever, as a witness names them."""
    program = data.program
    return tuple(
        WaitRecord(
            program.threads[wait.thread].name,
            wait.label,
            None if wait.address is None else location_name(data, wait.address),
            wait.op,
            wait.wanted,
            wait.test,
        )
        for wait in data.waiting
    )


def _wait_json(record: WaitRecord) -> dict[str, object]:
    found = asdict(record)
    return found if record.test else {k: value for k, value in found.items() if k != "test"}


def from_json(text: str, name: str = "<witness>") -> Witness:
    """Reads a witness; InputError on anything malformed, with the JSON path. `name` is the file's,
    for messages."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        span = Span(
            Source(name, text, shown=False),
            error.lineno,
            error.colno,
            error.lineno,
            error.colno + 1,
        )
        raise InputError(f"not JSON: {error.msg}", span) from None
    except RecursionError:
        raise InputError(f"{name}: the JSON is nested too deeply") from None
    except ValueError:  # a number with more digits than Python converts
        raise InputError(f"{name}: a number is too long") from None
    return _witness(JsonNode(value, "$", name))


def _name(data: TraceData, event: Event) -> dict[str, str]:
    """The name of the address that an event reads or writes, where it does."""
    if event.address is None or event.value is None:
        return {}
    name = data.program.addresses.name_in_cell(event.address, event.value)
    return {} if name is None else {"name": name}


def _names(data: TraceData) -> dict[str, object]:
    """The names of final values that are addresses."""
    addresses, terms = data.program.addresses, data.program.terms
    registers = [
        {r: addresses.name_in_register(thread, r, value) for r, value in sorted(found.items())}
        for thread, found in enumerate(data.registers)
    ]
    memory = {
        location_name(data, a): addresses.name_in_cell(a, value)
        for a, value in sorted(data.memory.items())
    }
    outcome = final_values(data)
    named = {
        "registers": [{r: name for r, name in each.items() if name} for each in registers],
        "memory": {place: name for place, name in memory.items() if name},
        "outcome": addresses.names(terms, [outcome[term.name] for term in terms]),
    }
    return {"names": named} if named["memory"] or any(named["registers"]) else {}


def _kind(data: TraceData) -> dict[str, object]:
    """The architecture, the machine to which C11's orders were mapped, and how the program was
    compiled, where there is such a thing."""
    meta = data.program.meta
    sources = dict(sources_of(meta))
    compiled = {
        "compiler": meta.get(COMPILER, ""),
        "flags": shlex.split(meta.get(FLAGS, "")),
        "files": shlex.split(meta.get(FILES, "")),
        "sources": sources,
    }
    found = {
        "arch": data.program.arch,
        "mapped": data.program.mapped,
        "loops": list(data.program.loops),
        "compiled": compiled if sources else None,
    }
    return {word: value for word, value in found.items() if value}


def _compiled(node: JsonNode) -> CompiledRecord | None:
    if node.is_null:
        return None
    files = tuple(item.string() for item in node["files"].items())
    if not files:
        raise node["files"].wrong("a program has a file")
    sources = node["sources"]
    if not isinstance(sources.value, dict):
        raise sources.fail("an object")
    return CompiledRecord(
        node["compiler"].string(),
        tuple(item.string() for item in node["flags"].items()),
        files,
        tuple((name, sources[name].string()) for name in sources.value),
    )


def _witness(top: JsonNode) -> Witness:
    if top["format"].string() != FORMAT:
        raise top["format"].wrong(f'expected "{FORMAT}"')
    version = top["version"].integer()
    check_version(
        f"{top.file}: the witness", version, WITNESS, "make it again: hybrid verify --witness"
    )
    unroll = top["unroll"].integer()
    if unroll < 0:
        raise top["unroll"].wrong("a loop bound is not negative")
    max_steps = top.get("max_steps", DEFAULT_MAX_STEPS).integer()
    if max_steps < 1:
        raise top["max_steps"].wrong("a bound on instructions is at least 1")
    status = top["status"].string()
    if status not in {s.value for s in Status}:
        raise top["status"].wrong(f"no such status: {status}")
    claim = top["claim"]
    holds: bool | None = None
    if not claim.is_null:
        answer = claim["formula_holds"]
        if not isinstance(answer.value, bool):
            raise answer.fail("true or false")
        holds = answer.value
    return Witness(
        name=top["program"]["name"].string(),
        text=top["program"]["text"].string(),
        arch=top["program"].get("arch", "").string(),
        mapped=top["program"].get("mapped", "").string(),
        loops=tuple(node.string() for node in top["program"].get("loops", []).items()),
        compiled=_compiled(top["program"].get("compiled", None)),
        model=top["model"].string(),
        engine=top["engine"].string(),
        unroll=unroll,
        max_steps=max_steps,
        status=Status(status),
        error=top["error"].string(),
        events=_events(top["events"]),
        rf=_reads(top["rf"]),
        co=_orders(top["co"]),
        run=tuple(_commit(node) for node in top["run"].items()),
        registers=tuple(node.values() for node in top["registers"].items()),
        memory=top["memory"].values(),
        outcome=top["outcome"].values(),
        claim="" if claim.is_null else claim["text"].string(),
        claim_holds=holds,
        claim_answer="" if claim.is_null else claim["answer"].string(),
        failed=tuple(node.string() for node in top["failed"].items()),
        flags=tuple(node.string() for node in top["flags"].items()),
        races=tuple(_pair(node) for node in top.get("races", []).items()),
        waiting=tuple(_waits(node) for node in top.get("waiting", []).items()),
    )


def _waits(node: JsonNode) -> WaitRecord:
    return WaitRecord(
        node["thread"].string(),
        node["label"].string(),
        None if node["location"].is_null else node["location"].string(),
        node["op"].string(),
        node["value"].integer(),
        node.get("test", "").string(),
    )


def _pair(node: JsonNode) -> tuple[EventId, EventId]:
    ends = node.items()
    if len(ends) != 2:
        raise node.wrong("a race is a pair of event ids")
    return ends[0].event_id(), ends[1].event_id()


def _events(node: JsonNode) -> tuple[EventRecord, ...]:
    found: dict[EventId, EventRecord] = {}
    for item in node.items():
        event_id, kind = item["id"].event_id(), item["kind"].string()
        if kind not in _KINDS:
            raise item["kind"].wrong(f"no such kind of event: {kind}")
        if event_id in found:
            raise item["id"].wrong("this event occurs twice")
        location, value = item["location"], item["value"]
        found[event_id] = EventRecord(
            event_id,
            kind,
            item["label"].string(),
            None if location.is_null else location.string(),
            None if value.is_null else value.integer(),
        )
    return tuple(found.values())


def _reads(node: JsonNode) -> dict[EventId, EventId]:
    found: dict[EventId, EventId] = {}
    for item in node.items():
        load = item["load"].event_id()
        if load in found:
            raise item["load"].wrong("this load has two sources")
        found[load] = item["source"].event_id()
    return found


def _orders(node: JsonNode) -> dict[str, tuple[EventId, ...]]:
    found: dict[str, tuple[EventId, ...]] = {}
    for item in node.items():
        location = item["location"].string()
        if location in found:
            raise item["location"].wrong("this location occurs twice")
        found[location] = tuple(store.event_id() for store in item["stores"].items())
    return found


def _commit(node: JsonNode) -> tuple[EventId, EventId | int | None]:
    event, parameter = node["event"].event_id(), node["parameter"]
    if parameter.is_null:
        return event, None
    if isinstance(parameter.value, list):
        return event, parameter.event_id()
    return event, parameter.integer()


def key_in(witness: Witness, addresses: Mapping[str, int]) -> Key:
    """The key of the witness's trace, where `addresses` gives those of the locations' names."""
    co = sorted((addresses[name], stores) for name, stores in witness.co.items() if stores)
    return tuple(sorted(witness.rf.items())), tuple(co)
