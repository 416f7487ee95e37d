"""Every instruction, in every place that takes instructions apart.

What the instructions say about themselves is compared with their fields, read off naively, and with
the events that they have in traces. Every engine explores, every printer prints and every pass over
programs keeps each of them.
"""

from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from instruction_samples import CODE, SAMPLES
from support import model, program

from hybrid.cli.main import main
from hybrid.crosscheck.reduce import PASSES, weight
from hybrid.crosscheck.rename import renamed
from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.estimate import estimated_candidates
from hybrid.engine.graphs.later_stores import LaterStores
from hybrid.errors import InputError
from hybrid.execution.numbering import numbering_of
from hybrid.execution.trace import TraceData
from hybrid.frontend.prog_print import print_program
from hybrid.oracle.unreachable_names import absent_names
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.check import check_program, register_names
from hybrid.program.machine_map import MACHINES, map_program
from hybrid.program.program import Program
from hybrid.program.show import show_instruction

KINDS = get_args(ins.Instruction)
texts = pytest.mark.parametrize(
    ("kind", "text"), SAMPLES, ids=[f"{k.__name__}-{i}" for i, (k, _) in enumerate(SAMPLES)]
)


def sample(of: Program) -> ins.Instruction:
    return next(i for i in of.threads[0].code if i.label == "L")


@cache
def traces(text: str) -> list[TraceData]:
    """All runs under a weak model."""
    found = Enumerate().explore(program(text), model("power"), Limits(2))
    return [trace.data() for trace in found]


def fields(instruction: ins.Instruction) -> dict[str, Any]:
    return {f.name: getattr(instruction, f.name) for f in dataclasses.fields(instruction)}


def is_expression(value: object) -> bool:
    return isinstance(value, get_args(ex.Expr))


def expression_fields(instruction: ins.Instruction) -> list[ex.Expr]:
    found: list[ex.Expr] = []
    for value in fields(instruction).values():
        if isinstance(value, ins.Guard):
            found += [side for side in (value.of, value.value) if side is not None]
            value = value.rereads
        if isinstance(value, tuple):
            found += [part for each in value for part in (each.address, each.value)]
        elif is_expression(value):
            found.append(value)
    return found


def names_in(node: Any) -> set[str]:
    """The registers anywhere in a dataclass."""
    if isinstance(node, ex.Register):
        return {node.name}
    if isinstance(node, tuple):
        return {name for each in node for name in names_in(each)}
    if dataclasses.is_dataclass(node):
        return {n for f in dataclasses.fields(node) for n in names_in(getattr(node, f.name))}
    return set()


def bare(node: Any) -> Any:
    """Without spans and labels."""
    if dataclasses.is_dataclass(node) and not isinstance(node, type):
        names = [f.name for f in dataclasses.fields(node) if f.name not in ("span", "label")]
        return (type(node), *(bare(getattr(node, name)) for name in names))
    return tuple(map(bare, node)) if isinstance(node, tuple) else node


def test_there_is_a_sample_of_every_kind() -> None:
    assert set(CODE) == set(KINDS)
    assert all(CODE.values())


@texts
def test_what_it_says_is_what_its_fields_hold(kind: type[ins.Instruction], text: str) -> None:
    instruction = sample(program(text))
    assert type(instruction) is kind
    held = fields(instruction)
    assert sorted(instruction.expressions, key=repr) == sorted(
        expression_fields(instruction), key=repr
    )
    assert instruction.uses == names_in(instruction) - {ins.READ}
    registers = [held.get(name) for name in ("register", "success", "status")]
    assert instruction.sets == tuple(name for name in registers if name is not None)
    named = {
        name
        for name, value in held.items()
        if isinstance(value, str) and value in ("r0", "r1", "s")
    }
    assert {held[name] for name in named} == set(instruction.sets)
    assert instruction.place is held.get("address")
    if instruction.place is not None:
        assert instruction.expressions[0] is instruction.place
    assert (instruction.place is not None) == isinstance(instruction, ins.Access)
    assert instruction.awaits is held.get("guard")
    tags = [value for value in held.values() if isinstance(value, frozenset)]
    assert instruction.event_tags == frozenset().union(*tags)
    assert instruction.targets == ((held["target"],) if "target" in held else ())
    assert instruction.jumps == ("target" in held)


@texts
def test_changing_it_changes_that_alone(kind: type[ins.Instruction], text: str) -> None:
    instruction = sample(program(text))
    one = ex.Const(instruction.span, 1)
    seen: list[ex.Expr] = []

    def change(expression: ex.Expr) -> ex.Expr:
        seen.append(expression)
        return one

    changed = instruction.with_expressions(change)
    assert tuple(seen) == instruction.expressions
    assert changed.expressions == (one,) * len(seen)
    assert not changed.uses
    held = fields(instruction)
    for name, value in fields(changed).items():
        before = held[name]
        if isinstance(before, ins.Guard):
            before, value = before.op, value.op
        elif isinstance(before, tuple):
            before, value = len(before), len(value)
        assert value == before or is_expression(before), name
    again = instruction.with_sets(lambda name: f"{name}'")
    assert again.sets == tuple(f"{name}'" for name in instruction.sets)
    differing = {name for name, value in fields(again).items() if value != held[name]}
    assert differing <= {"register", "success", "status"}
    further = instruction.with_targets(lambda target: target + 1)
    assert further.targets == tuple(target + 1 for target in instruction.targets)
    assert {name for name, value in fields(further).items() if value != held[name]} <= {"target"}
    for same in (
        instruction.with_expressions(lambda e: e),
        instruction.with_sets(str),
        instruction.with_targets(int),
    ):
        assert same == instruction


@texts
def test_what_it_says_is_what_it_does(kind: type[ins.Instruction], text: str) -> None:
    parsed = program(text)
    instruction = sample(parsed)
    events = [event for data in traces(text) for event in data.events if event.label == "L"]
    kinds = {event.kind for event in events}
    assert instruction.reads == ("R" in kinds)
    assert instruction.writes == ("W" in kinds)
    assert {tag for event in events for tag in event.tags} == instruction.event_tags
    assert {n for data in traces(text) for n in data.registers[0]} == register_names(
        parsed.threads[0]
    )


@texts
def test_nothing_that_happens_is_called_unreachable(kind: type[ins.Instruction], text: str) -> None:
    """The names whose columns a plan leaves out, and the locations to which no store comes."""
    absent = absent_names(program(text))
    for data in traces(text):
        for name in ("addr", "data", "ctrl", "pick", "amo", "lxsx"):
            assert not getattr(data, name) or name not in absent, name
        for event in data.events:
            assert event.kind not in absent
            assert not event.tags & absent


@texts
def test_later_stores_have_every_store(kind: type[ins.Instruction], text: str) -> None:
    parsed = program(text)
    later = LaterStores(parsed, numbering_of(parsed, range(len(parsed.locations))))
    written = {
        event.address
        for data in traces(text)
        for event in data.events
        if event.kind == "W" and event.thread == 0
    }
    from_start = later._from[0][0]
    for number, location in enumerate(parsed.locations):
        assert location.address not in written or from_start >> number & 1


@pytest.mark.large
@texts
def test_every_engine_takes_it(kind: type[ins.Instruction], text: str, tmp_path: Path) -> None:
    """All configurations, replay included, find the same traces."""
    file = tmp_path / "sample.prog"
    file.write_text(text)
    for name in ("sc", "power"):
        assert main(["crosscheck", str(file), "--model", name, "--unroll", "2", "--complete"]) == 0


@texts
def test_every_printer_prints_it(kind: type[ins.Instruction], text: str) -> None:
    parsed = program(text)
    printed = program(print_program(parsed))
    assert [bare(i) for t in printed.threads for i in t.code] == [
        bare(i) for t in parsed.threads for i in t.code
    ]
    shown = "; ".join(
        f"{i.label}: {show_instruction(i, parsed.threads[0].code)}" for i in parsed.threads[0].code
    )
    again = program(f"x = 0; y = 0\nthread P: {shown};\nthread Q: M0: x := 1; M1: y := 1;")
    assert bare(sample(again)) == bare(sample(parsed))


@texts
def test_passes_over_programs_keep_it(kind: type[ins.Instruction], text: str) -> None:
    parsed = program(text)
    for machine in MACHINES:
        mapped = map_program(parsed, machine)
        kept = sample(mapped)
        assert type(kept) is kind
        assert kept.expressions == sample(parsed).expressions
        assert len(mapped.threads[0].code) >= len(parsed.threads[0].code)
    short = renamed(parsed)
    check_program(short)
    at = parsed.threads[0].code.index(sample(parsed))
    kept = short.threads[0].code[at]
    assert type(kept) is kind
    assert (len(kept.sets), len(kept.uses)) == (len(sample(parsed).sets), len(sample(parsed).uses))
    assert estimated_candidates(parsed, 2) >= 0


@texts
def test_the_shrinker_takes_it(kind: type[ins.Instruction], text: str) -> None:
    """Each pass goes through, something smaller is valid, and removing other instructions leaves
    it."""
    parsed = program(text)
    smaller = left = 0
    for each in PASSES:
        for variant in each(parsed):
            try:
                check_program(variant)
            except InputError:
                continue
            smaller += weight(variant) < weight(parsed)
            left += any(type(i) is kind for t in variant.threads for i in t.code)
    assert smaller
    assert left
