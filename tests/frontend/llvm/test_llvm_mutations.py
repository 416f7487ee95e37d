"""Damaged texts of LLVM's intermediate language: an input error or a module, never anything else.

HYBRID_MUTATIONS=10000 tries that many; the seed is fixed.
"""

from __future__ import annotations

import os
import random
import time

import pytest
from llvm_damage import KINDS
from llvm_samples import SAMPLES, read

from hybrid.errors import InputError
from hybrid.frontend.llvm.layout import TypeLayout
from hybrid.frontend.llvm.link import link

COUNT = int(os.environ.get("HYBRID_MUTATIONS", "250"))
PARTS = 4
SEED = 20
SLOWEST = 2  # seconds


@pytest.mark.large
@pytest.mark.parametrize("part", range(PARTS))
def test_damaged_modules(part: int) -> None:
    texts = list(SAMPLES.values())
    other = read(SAMPLES["stack.O0.14"])
    valid = 0
    for number in range(part, COUNT, PARTS):
        rng = random.Random(f"{SEED}/{number}")
        text = rng.choice(KINDS)(rng.choice(texts), rng)
        start = time.monotonic()
        try:
            module = read(text)
        except InputError as error:
            assert error.span is not None and error.render()
        else:
            valid += 1
            try:
                layout = TypeLayout(module)
                for variable in module.globals.values():
                    assert layout.stride(variable.type) >= 0
                link([other, module])
            except InputError as error:
                assert error.render()
        assert time.monotonic() - start < SLOWEST, number
    assert valid or COUNT < 100
