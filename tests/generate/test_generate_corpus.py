"""Known-answer tests that name their cycle: ours of the same cycle has as many traces, and the same
answer.

The corpus is not part of the project: HYBRID_CORPUS names its folder, and without one there is
nothing to compare. A corpus test may ask another question about the same program (all states
listed), or observe more; what is compared is what must be equal then.
"""

from __future__ import annotations

import csv
import os
import re
from functools import cache
from pathlib import Path

import pytest
from cycle_samples import program_of
from support import choose_engine, make_engine

from hybrid.engine.api import Limits
from hybrid.frontend.load import default_model
from hybrid.generate.cycle import parse_cycles
from hybrid.generate.litmus import GeneratedTest, litmus_test
from hybrid.generate.vocabularies import vocabulary_of
from hybrid.model.load import load_model
from hybrid.report.summary import Result, summarise

CORPUS = Path(os.environ.get("HYBRID_CORPUS") or Path(__file__).parents[3] / "shared" / "corpus")
EVERY = int(os.environ.get("HYBRID_CORPUS_EVERY", "4"))  # test; 1: all
FOLDERS = {"ppc": "PPC", "x86": "X86", "aarch64": "AArch64", "riscv": "RISCV"}
MISNAMED = {"RW-rwa+RW-ra+RW-rra+CK-PPC.litmus"}  # its text is not of the cycle it names

pytestmark = [
    pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus"),
    pytest.mark.large,
]

model = cache(load_model)


def explore(test: GeneratedTest) -> Result:
    program = program_of(test)
    under = model(default_model(program) or "")
    engine, _ = choose_engine(None, under, program)
    return summarise(program, under, make_engine(engine), Limits())


def instructions(text: str) -> int:
    """How many instructions the code columns have; an observer more or less shows."""
    code = re.split(r"^\s*(?:exists|forall|~exists)", text[text.index("}") + 1 :], flags=re.M)[0]
    rows = code.strip().split("\n")[1:]
    cells = [cell.strip(" ;") for row in rows for cell in row.split("|")]
    return sum(bool(cell) and not cell.endswith(":") for cell in cells)


def conjuncts(text: str) -> int | None:
    """How many there are in an `exists` that is a conjunction; None for another question."""
    match = re.search(r"^exists\s*(\(.*)", text, flags=re.M | re.S)
    if match is None or re.search(r"\bnot\b|~|\\/", match[1]):
        return None
    return 1 + match[1].count("/\\")


@pytest.mark.parametrize("folder", FOLDERS)
def test_same_cycle_same_answer(folder: str) -> None:
    with open(CORPUS / folder / "expected.csv", encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    vocabulary = vocabulary_of(FOLDERS[folder])
    compared = {"traces": 0, "observation": 0, "counts": 0}
    for row in rows[::EVERY]:
        text = (CORPUS / folder / row["file"]).read_text(encoding="utf-8")
        match = re.search(r"^Orig=(.*)$", text, re.M) or re.search(r"^Cycle=(.*)$", text, re.M)
        if match is None or "Hat" in match[1] or row["file"] in MISNAMED:
            continue
        (cycle,) = parse_cycles(match[1], vocabulary)
        test = litmus_test(cycle)
        result = explore(test)
        theirs = int(row["traces_satisfying"]), int(row["traces_not_satisfying"])
        if instructions(text) == instructions(test.text):
            compared["traces"] += 1
            assert result.traces == sum(theirs), (row["file"], test.text)
        wanted = conjuncts(text)
        if wanted is None:
            continue
        if (
            conjuncts(test.text) is None
        ):  # an observer of ours accepts more than one value, theirs one
            assert result.satisfying or not theirs[0], row["file"]
            continue
        compared["observation"] += 1
        assert result.observation == row["observation"], (row["file"], test.text)
        if wanted == conjuncts(test.text) and instructions(text) == instructions(test.text):
            compared["counts"] += 1
            assert (result.satisfying, result.negative) == theirs, (row["file"], test.text)
    assert min(compared.values()) > 0, compared
