"""How many traces generated programs have, as litmus/generated.csv states it: numbers on which two
engines agree that share no reasoning, or as little as possible."""

from __future__ import annotations

import csv
from functools import cache

from hybrid.data import bundled

FILE = "generated.csv"
Stated = dict[tuple[str, str, int, str], int]  # by program, annotations, size and model


@cache
def all_stated() -> Stated:
    with (bundled("litmus") / FILE).open(encoding="utf-8", newline="") as lines:
        return {
            (row["program"], row["orders"], int(row["size"]), row["model"]): int(row["traces"])
            for row in csv.DictReader(lines)
        }


def stated_traces(program: str, orders: str, size: int, model: str) -> int | None:
    """None where no number is stated."""
    return all_stated().get((program, orders, size, model))
