"""The architectures for which tests can be written, by the name in a test's first line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from hybrid.errors import InputError
from hybrid.generate import aarch64, c, ppc, riscv, x86
from hybrid.generate.layout import CycleLayout
from hybrid.generate.printed import Printed
from hybrid.generate.vocabulary import Vocabulary
from hybrid.parsing import did_you_mean


class Writer(Protocol):
    def __call__(self, layout: CycleLayout) -> Printed: ...


@dataclass(frozen=True, slots=True)
class TargetArchitecture:
    vocabulary: Vocabulary
    write: Writer


ARCHITECTURES = {
    module.VOCABULARY.arch: TargetArchitecture(module.VOCABULARY, module.write)
    for module in (ppc, x86, aarch64, riscv, c)
}


def vocabulary_of(arch: str) -> Vocabulary:
    """The vocabulary of an architecture, named as in litmus tests, in capitals or not."""
    names = {name.lower(): name for name in ARCHITECTURES}
    if arch.lower() not in names:
        known = f"known: {', '.join(ARCHITECTURES)}"
        raise InputError(
            f"no architecture is called '{arch}'",
            hint=f"{did_you_mean(arch, ARCHITECTURES)} {known}".strip(),
        )
    return ARCHITECTURES[names[arch.lower()]].vocabulary
