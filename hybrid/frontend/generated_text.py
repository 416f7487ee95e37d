"""What the generators of programs share: the pieces of a .prog text, and the annotations of a
program's accesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hybrid.errors import InputError

_MOST = 1000  # a parameter beyond it makes a text that nobody explores


@dataclass(frozen=True, slots=True)
class Orders:
    """How all accesses of a program are annotated, each with a blank before it."""

    name: str
    load: str = ""
    store: str = ""
    rmw: str = ""
    cas: str = ""


PLAIN = Orders("plain")
ORDERED = Orders("ordered", " @acq", " @rel", " @acqrel", " @acqrel @fail.acq")
RELAXED = Orders("relaxed", " @rlx", " @rlx", " @rlx", " @rlx")
ORDERS = (PLAIN, ORDERED, RELAXED)


def check_parameter(name: str, value: int, least: int) -> None:
    if not least <= value <= _MOST:
        raise InputError(f"{name} = {value}: expected a number from {least} to {_MOST}")


def program_text(
    name: str, about: str, declarations: str, threads: Sequence[str], condition: str = ""
) -> str:
    parts = [f'program "{name}"\n"{about}"', declarations, *threads]
    if condition:
        parts.append(condition)
    return "\n\n".join(parts) + "\n"


def thread_text(name: str, lines: Sequence[str]) -> str:
    return "\n".join([f"thread {name}:", *(f"  {line}" for line in lines)])


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
