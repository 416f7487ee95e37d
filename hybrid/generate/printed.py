"""What the printers of the architectures share: their result, and threads in columns."""

from __future__ import annotations

from dataclasses import dataclass

AND, OR = " /\\ ", " \\/ "


@dataclass(frozen=True, slots=True)
class Printed:
    """What an architecture makes of a layout."""

    init: str  # the initial state, with its braces
    code: str
    checks: tuple[str, ...]  # conjuncts of the condition over registers


def columns(threads: list[list[str]]) -> str:
    """Code side by side, one column per thread, as herd reads it."""
    heads = [f"P{number}" for number in range(len(threads))]
    widths = [max(map(len, [head, *lines])) for head, lines in zip(heads, threads, strict=True)]
    height = max(map(len, threads))
    rows = [
        heads,
        *([lines[n] if n < len(lines) else "" for lines in threads] for n in range(height)),
    ]
    return "\n".join(
        f" {' | '.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))} ;"
        for row in rows
    )


def seen(register: str, values: tuple[int, ...]) -> str:
    """The condition that a register has one of the values."""
    equal = [f"{register}={value}" for value in values]
    return equal[0] if len(equal) == 1 else f"({OR.join(equal)})"
