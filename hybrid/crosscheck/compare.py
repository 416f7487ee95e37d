"""Several engines on one program: their traces must be the same."""

from __future__ import annotations

from dataclasses import dataclass, field

from hybrid.engine.api import Counters, Engine, Limits
from hybrid.execution.trace import Key, Status
from hybrid.model.core import Model
from hybrid.program.program import Program


@dataclass(slots=True)
class Findings:
    """What one engine found."""

    engine: str
    keys: set[Key]
    duplicates: int  # complete traces met more than once
    counters: Counters
    ways_out: frozenset[Status]  # CUT, ERROR: whether there are such runs


@dataclass(slots=True)
class Comparison:
    """Empty `differences` mean agreement."""

    program: Program
    model: str
    findings: list[Findings] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)

    @property
    def agree(self) -> bool:
        return not self.differences


def find(engine: Engine, name: str, program: Program, model: Model, limits: Limits) -> Findings:
    """All that an engine finds."""
    keys: set[Key] = set()
    duplicates = 0
    others: set[Status] = set()
    for trace in engine.explore(program, model, limits):
        if trace.status is not Status.COMPLETE:
            others.add(trace.status)
            continue
        key = trace.key()
        duplicates += key in keys
        keys.add(key)
    return Findings(name, keys, duplicates, engine.counters, frozenset(others))


def compare(
    program: Program, model: Model, engines: list[tuple[str, Engine]], limits: Limits
) -> Comparison:
    """Runs the engines; the first is what the others are measured by."""
    result = Comparison(program, model.name)
    for name, engine in engines:
        result.findings.append(find(engine, name, program, model, limits))
    for found in result.findings:
        if found.duplicates:
            result.differences.append(f"{found.engine} met {found.duplicates} traces twice")
        if found.counters.deadlocks:
            result.differences.append(
                f"{found.engine} ran into {found.counters.deadlocks} deadlocks"
            )
    first = result.findings[0]
    for other in result.findings[1:]:
        missing, extra = first.keys - other.keys, other.keys - first.keys
        if missing or extra:
            result.differences.append(
                f"{first.engine} has {len(first.keys)} traces, {other.engine} has {len(other.keys)}: "
                f"{len(missing)} missing, {len(extra)} extra"
            )
        if first.ways_out != other.ways_out:
            result.differences.append(
                f"{first.engine} has {_show(first.ways_out)}, {other.engine} has {_show(other.ways_out)}"
            )
    return result


def _show(statuses: frozenset[Status]) -> str:
    return (
        " and ".join(sorted(f"{s.value} runs" for s in statuses)) or "neither cut nor erring runs"
    )
