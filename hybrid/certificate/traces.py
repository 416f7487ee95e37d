"""The traces of a complete certificate: each by its reads-from and coherence, from which all else
follows; and what they come to: how many there are, with which outcomes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hybrid.catalogue.engines import make
from hybrid.certificate.claim import Subject
from hybrid.engine.api import TRACE
from hybrid.engine.configuration import Configuration
from hybrid.engine.enumerate.check import Refusal, check_key
from hybrid.errors import InputError
from hybrid.execution.trace import DataTrace, EventId, Key, Status
from hybrid.program.program import Program
from hybrid.report.result import Result
from hybrid.report.tally import Tally
from hybrid.witness.json_node import JsonNode

MOST_TRACES = 10_000  # of a program whose count is certified


@dataclass(frozen=True, slots=True)
class ListedTraces:
    complete: tuple[Key, ...]  # in order, each once
    waiting: tuple[Key, ...]  # runs in which threads wait for ever

    @property
    def keys(self) -> tuple[Key, ...]:
        return (*self.complete, *self.waiting)


@dataclass(frozen=True, slots=True)
class TraceCounts:
    """What the traces come to."""

    traces: int  # complete ones that the program's filter lets through
    filtered: int
    waiting: int
    satisfying: int
    outcomes: tuple[tuple[tuple[int, ...], int], ...]  # sorted


def collect(subject: Subject, configuration: Configuration) -> ListedTraces | None:
    """Explores once more, for the traces; None where there are too many."""
    complete: list[Key] = []
    waiting: list[Key] = []
    engine = make(configuration)
    for trace in engine.explore(subject.program, subject.model, subject.limits):
        if trace.status is Status.COMPLETE:
            complete.append(trace.key())
        elif trace.status is Status.WAITING:
            waiting.append(trace.key())
        if len(complete) + len(waiting) > MOST_TRACES:
            return None
    return ListedTraces(tuple(sorted(set(complete))), tuple(sorted(set(waiting))))


def judge(subject: Subject, listed: ListedTraces, bounded: bool) -> tuple[Result, TraceCounts]:
    """Runs each trace again, judged by the checker of the ground truth; what they come to. An
    InputError names the first that is not one."""
    program, model = subject.program, subject.model
    result = Result(
        program, model, "certificate", "", TRACE, subject.limits, asked_races=subject.races
    )
    result.liveness = subject.liveness
    tally = Tally(result)
    for status, keys in ((Status.COMPLETE, listed.complete), (Status.WAITING, listed.waiting)):
        for number, key in enumerate(keys, 1):
            subject.limits.check_time()
            found = check_key(program, model, key, subject.limits)
            what = f"{status.value} trace {number}"
            if isinstance(found, Refusal):
                raise InputError(f"{what} is not one under {model.name}: {found.reason}")
            if found.status is not status:
                raise InputError(f"{what} ends in another way: {found.status.value}")
            tally.add(DataTrace(found))
    result.counters.complete = len(listed.complete)
    result.counters.cut = int(bounded)
    tally.finish()
    counts = TraceCounts(
        result.traces,
        result.filtered,
        len(listed.waiting),
        result.satisfying,
        tuple(sorted(result.outcomes.items())),
    )
    return result, counts


# ---- JSON


def to_json(program: Program, listed: ListedTraces, counts: TraceCounts) -> str:
    names = {place.address: place.name for place in program.locations}
    terms = [term.name for term in program.terms]
    lines = [
        '{"counts": '
        + json.dumps(
            {
                "traces": counts.traces,
                "filtered": counts.filtered,
                "waiting": counts.waiting,
                "satisfying": counts.satisfying,
                "outcomes": [
                    {"state": dict(zip(terms, values, strict=True)), "traces": number}
                    for values, number in counts.outcomes
                ],
            }
        )
    ]
    for word, keys in (("complete", listed.complete), ("waiting", listed.waiting)):
        shown = ",\n".join("  " + json.dumps(_key_json(key, names)) for key in keys)
        lines.append(f',"{word}": [\n{shown}\n]')
    return "\n".join(lines) + "}\n"


def _key_json(key: Key, names: dict[int, str]) -> dict[str, object]:
    rf, co = key
    return {
        "rf": [[list(load), list(source)] for load, source in rf],
        "co": [[names[address], [list(store) for store in stores]] for address, stores in co],
    }


def from_json(text: str, program: Program, name: str) -> tuple[ListedTraces, TraceCounts]:
    """What the file says; an InputError where it is not of the form."""
    try:
        value = json.loads(text)
    except RecursionError:
        raise InputError(f"{name}: the JSON is nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{name}: not JSON: {error}") from None
    top = JsonNode(value, "$", name)
    addresses = {place.name: place.address for place in program.locations}
    complete, waiting = (
        tuple(_key(node, addresses) for node in top[word].items())
        for word in ("complete", "waiting")
    )
    for keys in (complete, waiting):
        if len(set(keys)) != len(keys):
            raise InputError(f"{name} lists a trace twice")
    return ListedTraces(complete, waiting), _counts(top["counts"], program)


def _counts(node: JsonNode, program: Program) -> TraceCounts:
    terms = [term.name for term in program.terms]
    outcomes: list[tuple[tuple[int, ...], int]] = []
    for item in node["outcomes"].items():
        state = item["state"].values()
        if state.keys() != set(terms):
            raise item.wrong("an outcome has the values of other terms than the program's")
        outcomes.append((tuple(state[term] for term in terms), item["traces"].integer()))
    return TraceCounts(
        node["traces"].integer(),
        node["filtered"].integer(),
        node["waiting"].integer(),
        node["satisfying"].integer(),
        tuple(sorted(outcomes)),
    )


def _key(node: JsonNode, addresses: dict[str, int]) -> Key:
    rf = sorted(_event_pairs(node["rf"].items()))
    co: list[tuple[int, tuple[EventId, ...]]] = []
    for item in node["co"].items():
        parts = item.items()
        if len(parts) != 2 or parts[0].string() not in addresses:
            raise item.wrong("expected a location and its stores")
        stores = tuple(store.event_id() for store in parts[1].items())
        co.append((addresses[parts[0].string()], stores))
    return tuple(rf), tuple(sorted(co))


def _event_pairs(nodes: Sequence[JsonNode]) -> Iterator[tuple[EventId, EventId]]:
    for node in nodes:
        parts = node.items()
        if len(parts) != 2:
            raise node.wrong("expected a load and its source")
        yield parts[0].event_id(), parts[1].event_id()
