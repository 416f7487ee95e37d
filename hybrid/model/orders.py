"""Annotations and fences of a program that mean nothing to the model, told beside the verdict; and
`--map`, which turns those of C11 into a machine's own."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from hybrid.data import builtin_models
from hybrid.frontend.load import default_model
from hybrid.model.core import Model
from hybrid.model.knows import known_tags, sequential
from hybrid.model.load import load_model
from hybrid.program import instructions as ins
from hybrid.program.c11 import ATOMIC_ORDERS, C_SOURCE, annotated, is_c
from hybrid.program.machine_map import map_program
from hybrid.program.program import Program
from hybrid.program.tags import ANNOTATIONS, FENCES

HARMLESS = frozenset({"NA", "RLX", "X", "NoRet"})  # they ask for no order
WORDS = {
    "ACQ": "acquire", "REL": "release", "ACQ_REL": "acq_rel", "SC": "seq_cst", "CON": "consume"
}  # fmt: skip
_SPELLING = {tag: f"@{word}" for word, tag in ANNOTATIONS.items()}
_FENCE = {tag: word for word, tags in FENCES.items() for tag in tags}
Use = tuple[str, frozenset[str]]  # a tag, and the kinds of events that an instruction gives it


def mapped(wanted: bool | None, program: Program, model: Model) -> tuple[Program, list[str]]:
    """The program as it is to run under `model`, and what to say of that. `wanted` is what --map
    says; None: nothing."""
    machine = model.machine
    if wanted is False or (wanted is None and not is_c(program)):
        return (_unmapped(program, model) if machine else program), []
    why = ""
    if not machine:
        why = f"{model.name} is not the model of a machine"
    elif (program.arch and not is_c(program)) or not annotated(program):
        why = f"{program.name} has no C11 orders"
    if why:
        return program, [f"--map has no effect: {why}"] if wanted else []
    found = map_program(program, machine)
    return found, [told(found)]


def _unmapped(program: Program, model: Model) -> Program:
    """A program that runs on a machine as it is written. What a C program expects there is meant of
    its instructions on that machine, and left out."""
    if program.arch != C_SOURCE:
        return program
    kept = tuple(each for each in program.expectations if each.model != model.name)
    return replace(program, expectations=kept)


def told(program: Program) -> str:
    """What a mapped program was mapped to; empty for others."""
    if not program.mapped:
        return ""
    return (
        f"C11's orders are mapped to the instructions of {program.mapped} "
        "(--no-map: taken as they are)"
    )


def unknown(program: Program, model: Model) -> tuple[str, ...]:
    """The annotations and fences of the program that mean nothing to the model, as users write
    them."""
    if sequential(model):
        return ()
    own = default_model(program) == model.name and not is_c(program)  # it knows its own machine's
    found = {
        use: None
        for use in _uses(program)
        if not _knows(model, use) and not (own and use[0] not in ATOMIC_ORDERS)
    }
    return tuple(dict.fromkeys(_spelled(program, use) for use in found))


def note(program: Program, model: Model) -> str:
    """What is unknown, and which models know it; empty: nothing is."""
    names = unknown(program, model)
    if not names:
        return ""
    uses = [use for use in _uses(program) if not _knows(model, use)]
    able = [name for name in builtin_models() if all(_knows(_builtin(name), use) for use in uses)]
    text = f"{model.name} does not know {', '.join(names)}: that orders nothing here"
    text += f"; models that know it: {', '.join(able)}" if able else ""
    mappable = model.machine and any(tag in ATOMIC_ORDERS for tag, _ in uses)
    if mappable and (not program.arch or is_c(program)):
        text += f"; --map turns C11's orders into the instructions of {model.machine}"
    return text


@cache
def _builtin(name: str) -> Model:
    return load_model(name)


def _uses(program: Program) -> dict[Use, None]:
    found: dict[Use, None] = {}
    for thread in program.threads:
        for instruction in thread.code:
            for tag in sorted(instruction.event_tags - HARMLESS):
                found[(tag, _kinds(instruction))] = None
    return found


def _kinds(instruction: ins.Instruction) -> frozenset[str]:
    """Of an instruction with tags, which is an access or a fence."""
    return frozenset("R" * instruction.reads + "W" * instruction.writes or "F")


def _knows(model: Model, use: Use) -> bool:
    tag, kinds = use
    if tag in model.implied or sequential(model):
        return True
    return any((tag, kind) in known_tags(model) for kind in kinds)


def _spelled(program: Program, use: Use) -> str:
    tag, kinds = use
    if "F" in kinds and tag in ATOMIC_ORDERS:
        return f"the {WORDS[tag]} fence" if program.arch else f"fence {_SPELLING[tag]}"
    if "F" in kinds:
        return _FENCE[tag]
    return WORDS.get(tag, _SPELLING[tag]) if program.arch else _SPELLING[tag]
