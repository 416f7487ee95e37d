"""One thread of a program: its code and the registers with which it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hybrid.program.instructions import Instruction
from hybrid.source import Span


@dataclass(frozen=True, slots=True)
class Thread:
    span: Span
    name: str
    code: tuple[Instruction, ...]
    initial: Mapping[str, int] = field(default_factory=dict)  # registers not named here start at 0
    # where such a value is an address: how that is printed, `&x`
    initial_names: Mapping[str, str] = field(default_factory=dict)
