"""Damaged inputs end to end: a random mutation of a valid text gives an input error or a valid run,
never anything else.

HYBRID_MUTATIONS=10000 runs that many of each kind; the seed is fixed.
"""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest
from support import choose_engine, make_engine, model, program

from hybrid.data import bundled
from hybrid.engine.api import Limits
from hybrid.errors import InputError
from hybrid.frontend.prog import load_prog
from hybrid.model.core import Model
from hybrid.model.load import builtin_models, load_model
from hybrid.program.program import Program
from hybrid.report.summary import summarise
from hybrid.verdict import Verdict

COUNT = int(os.environ.get("HYBRID_MUTATIONS", "250"))
PARTS = 4
SEED = 20

TARGET = """
x = 0 y = 0
thread P: r0 := x @acq; y := r0 + 1; sync; r1 := faa(x, 1);
  if r1 = 0 goto E; r2 := lr(y); s := sc(y, r2);
E: x := 3 @rel;
thread Q: r0 := y; r1 := [&x + (&y - &x) * (r0 & 1)]; mfence; x := 1;
exists (P:r0 = 1 /\\ Q:r1 = 2)
"""


def damage(data: bytes, rng: random.Random) -> bytes:
    """One to four bytes changed, inserted, deleted, or a stretch doubled, dropped or moved."""
    text = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text) + 1)
        end = min(len(text), at + rng.randint(1, 12))
        kind = rng.randrange(6)
        if kind == 0 and at < len(text):
            text[at] = rng.randrange(256)
        elif kind == 1:
            text.insert(at, rng.choice(b"0123456789abrxyzPQ:=;,()[]{}@&|^+-*/~!<>\\\"' \n\t_#%$"))
        elif kind == 2:
            del text[at:end]
        elif kind == 3:
            text[at:at] = text[at:end]
        elif kind == 4:
            piece = text[at:end]
            del text[at:end]
            there = rng.randrange(len(text) + 1)
            text[there:there] = piece
        elif at < len(text):
            text[at] ^= 1 << rng.randrange(8)
    return bytes(text)


def run(source: Program, under: Model) -> None:
    """Explores a little of the program; every answer is a verdict."""
    name, _ = choose_engine(None, under, source)
    limits = Limits(2, time.monotonic() + 0.3)
    result = summarise(source, under, make_engine(name), limits, max_traces=30)
    assert isinstance(result.verdict, Verdict)
    assert "out of stack" not in result.partial


@pytest.mark.parametrize("part", range(PARTS))
def test_damaged_programs(part: int, tmp_path: Path) -> None:
    texts = [path.read_bytes() for path in sorted(bundled("litmus").rglob("*.prog"))]
    assert texts
    path = tmp_path / "damaged.prog"
    valid = 0
    for number in range(part, COUNT, PARTS):
        rng = random.Random(f"{SEED}/{number}")
        path.write_bytes(damage(rng.choice(texts), rng))
        try:
            source = load_prog(path)
        except InputError as error:
            assert error.render()
            continue
        valid += 1
        run(source, model(rng.choice(("sc", "tso", "power"))))
    assert valid or COUNT < 100


@pytest.mark.large
@pytest.mark.parametrize("part", range(PARTS))
def test_damaged_models(part: int, tmp_path: Path) -> None:
    texts = [(bundled("encodings") / f"{name}.cat").read_bytes() for name in builtin_models()]
    target = program(TARGET)
    path = tmp_path / "damaged.cat"
    valid = 0
    for number in range(part, COUNT, PARTS):
        rng = random.Random(f"{SEED}/cat/{number}")
        path.write_bytes(damage(rng.choice(texts), rng))
        try:
            under = load_model(str(path))
            run(target, under)
        except InputError as error:
            assert error.render()
            continue
        valid += 1
    assert valid or COUNT < 100
