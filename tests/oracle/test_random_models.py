"""Random models, whose axioms the oracle takes apart in its own ways, against brute force.
HYBRID_MODELS says how many."""

from __future__ import annotations

import os
import random
import time

import pytest
from random_models import random_model
from support import make_engine, model_of

from hybrid.catalogue.engines import refusal
from hybrid.crosscheck.random_programs import random_program
from hybrid.engine.api import Limits
from hybrid.errors import Stopped
from hybrid.execution.trace import Key, Status
from hybrid.model.core import Model
from hybrid.program.program import Program

MODELS = int(os.environ.get("HYBRID_MODELS", "240"))
PARTS = 4
COUNTED = (Status.COMPLETE, Status.WAITING)


def keys(
    engine: str, source: Program, under: Model
) -> list[tuple[str, Key, tuple[str, ...]]] | None:
    """The traces; None if the engine refuses the model, or says that it does not fit."""
    if refusal(engine, under, source) is not None:
        return None
    maker = make_engine(engine)
    limits = Limits(2, deadline=time.monotonic() + 3)
    traces = list(maker.explore(source, under, limits))
    if maker.counters.stuck:
        return None
    return sorted(
        (trace.status.value, trace.key(), trace.data().flags)
        for trace in traces
        if trace.status in COUNTED
    )


@pytest.mark.large
@pytest.mark.parametrize("part", range(PARTS))
def test_as_brute_force(part: int) -> None:
    compared = 0
    for number in range(part, MODELS, PARTS):
        rng = random.Random(number)
        text = random_model(rng)
        under = model_of(text)
        for _ in range(3):
            source = random_program(71, rng.randrange(10_000))
            try:
                expected = keys("enumerate", source, under)
                for engine in ("trust", "rsmc"):
                    found = keys(engine, source, under)
                    assert found is None or found == expected, (number, source.name, engine, text)
                    compared += found is not None and bool(expected)
            except Stopped:
                continue
    assert compared > MODELS // PARTS
