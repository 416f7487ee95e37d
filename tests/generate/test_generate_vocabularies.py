"""Every word of an architecture's vocabulary has its spelling in the architecture's printer."""

from __future__ import annotations

import pytest

from hybrid.generate import aarch64, c, ppc, riscv, x86
from hybrid.generate.printers import PRINTERS
from hybrid.generate.vocabularies import VOCABULARIES


def test_each_vocabulary_has_a_printer() -> None:
    assert tuple(PRINTERS) == tuple(VOCABULARIES)


@pytest.mark.parametrize(
    ("arch", "fences"),
    [
        (module.__name__.rsplit(".", 1)[1], module.FENCES)
        for module in (ppc, x86, aarch64, riscv, c)
    ],
)
def test_fences(arch: str, fences: dict[str, str]) -> None:
    (words,) = (words for name, words in VOCABULARIES.items() if name.lower() == arch)
    assert words.fences == tuple(fences)


@pytest.mark.parametrize("machine", [ppc.MACHINE, aarch64.MACHINE, riscv.MACHINE])
def test_tables_of_assembly(machine: ppc.AssemblySyntax) -> None:
    words = machine.vocabulary
    assert set(machine.reads) == set(words.reads)
    assert set(machine.writes) == set(words.writes)
    assert set(machine.rmws) == set(words.rmws)
    assert set(machine.barriers) <= set(words.dependencies)
