"""The executions that answer the bundled programs, drawn: a witness of what is allowed, a candidate
with its cycle of what is forbidden. In none a label is covered.

One program in 24; `make drawings` takes all of them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from drawing_checks import faults

from hybrid.batch.explore import Explorer, Exploring
from hybrid.data import bundled
from hybrid.engine.configuration import Configuration
from hybrid.explain.refusals import Refusals, emphasis_of
from hybrid.explain.target import target_of
from hybrid.frontend.load import load_program, model_of
from hybrid.model.load import load_model
from hybrid.report.result import Result
from hybrid.verdict import Verdict
from hybrid.witness.graph import DrawnGraph, graph_of
from hybrid.witness.layout import lay_out

SECONDS = 2.0  # for a program
EVERY = 1 if os.environ.get("HYBRID_DRAWINGS") == "all" else 24
PARTS = 4

pytestmark = pytest.mark.large


def programs() -> list[Path]:
    found = [p for kind in ("*.litmus", "*.prog") for p in bundled("litmus").rglob(kind)]
    return sorted(found)[::EVERY]


def graphs(path: Path) -> Iterator[DrawnGraph]:
    """The executions that a report of the program shows, under the models that it speaks of."""
    program = load_program(path)
    for name in [each.model for each in program.expectations] or [model_of(program)]:
        asked = Exploring(Configuration("auto"), SECONDS, first=True)
        result = Explorer(asked).explore(program, load_model(name), time.monotonic() + SECONDS)
        trace = result.witness or result.waiting
        if trace is not None:
            yield graph_of(trace.data())
        elif result.answer in (Verdict.FORBIDDEN, Verdict.HOLDS):
            yield from _refused(result)


def _refused(result: Result) -> Iterator[DrawnGraph]:
    target = target_of(result.program, None)
    if target.nothing:
        return
    refusals = Refusals()
    refusals.look(result.program, result.model, target.formula, result.limits, SECONDS, 200)
    for group in refusals.groups.values():
        if group.shortest is not None:
            yield graph_of(group.shortest.data, emphasis_of(group.shortest))


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_covers_a_label(part: int) -> None:
    drawn = 0
    for path in programs()[part::PARTS]:
        for graph in graphs(path):
            drawn += 1
            assert faults(lay_out(graph)) == [], path
    assert drawn > 10
