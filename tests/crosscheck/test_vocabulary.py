"""Random programs speak of what their model speaks of."""

from __future__ import annotations

import pytest
from support import MODELS, model

from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.crosscheck.vocabulary import DEFAULT, vocabulary
from hybrid.program import instructions as ins
from hybrid.program.program import Program

WORDS = {
    "aarch64": {"A", "Q", "L", "NoRet", "DMB.SY", "DMB.LD", "DMB.ST", "DSB.LD", "DSB.ST", "ISB"},
    "riscv": {"Acq", "Rel", "Fence.rw.rw", "Fence.r.w", "Fence.w.w", "Fence.tso"},
    "armv7": {"DMB.SY", "DMB.ST", "DSB.ST", "ISB"},
}
FOREIGN = {"ACQ", "REL", "RLX", "SYNC", "LWSYNC", "ISYNC", "EIEIO"}


def tags(program: Program) -> set[str]:
    found: set[str] = set()
    for thread in program.threads:
        for instruction in thread.code:
            if isinstance(instruction, ins.Access | ins.Fence):
                found |= instruction.tags
            if isinstance(instruction, ins.Rmw):
                found |= instruction.tags_without_store
    return found


@pytest.mark.parametrize("name", WORDS)
def test_machines_have_their_own_words(name: str) -> None:
    shape = Shape(cycles=0.3, words=vocabulary(model(name)))
    found = set().union(*(tags(random_program(1, number, shape)) for number in range(150)))
    assert found >= WORDS[name]
    assert not found & FOREIGN


@pytest.mark.parametrize("name", MODELS)
def test_other_models_have_the_usual_ones(name: str) -> None:
    assert vocabulary(model(name)) is DEFAULT


def test_statuses_of_store_conditionals_depend_on_things_in_every_way() -> None:
    shape = Shape(words=vocabulary(model("riscv")))
    found = {
        (instruction.free, instruction.by_store)
        for number in range(200)
        for thread in random_program(1, number, shape).threads
        for instruction in thread.code
        if isinstance(instruction, ins.StoreConditional)
    }
    assert found == {(False, False), (True, False), (False, True)}
