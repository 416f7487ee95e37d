"""odpor on machines with store buffers: the traces of tso and pso, each once."""

from __future__ import annotations

import os

import pytest
from interleavings import Lens, ProgramMaker
from support import make_engine, model, model_of, program

from hybrid.engine.api import FAA, POLICIES, Limits
from hybrid.engine.odpor.engine import Odpor
from hybrid.execution.trace import Key, Status, Trace
from hybrid.model.core import Model
from hybrid.program.program import Program

COUNT = int(os.environ.get("HYBRID_INTERLEAVINGS", "400")) // 4  # random programs for each model
CHUNKS = 4
MODELS = ("tso", "pso")


def keys(traces: list[Trace], status: Status) -> list[Key]:
    return [trace.key() for trace in traces if trace.status is status]


def differences(source: Program, under: Model, seed: int, wakeup: bool = True) -> list[str]:
    """In what odpor, in all its forms, differs from trust."""
    known = list(make_engine("trust").explore(source, under, Limits()))
    lens = Lens(source)
    told = []
    for policy in POLICIES:
        for equivalence in ("trace", FAA):
            engine = Odpor(policy, seed, equivalence, wakeup)
            found = list(engine.explore(source, under, Limits()))
            for status in (Status.COMPLETE, Status.WAITING):
                ours, theirs = keys(found, status), keys(known, status)
                name = f"{seed}, {policy}, {equivalence}, {status.value}"
                if equivalence == FAA:
                    classes = {lens.class_of(key) for key in ours}
                    same = classes == {lens.class_of(key) for key in theirs}
                    again = len(classes) < len(ours)
                else:
                    same, again = set(ours) == set(theirs), len(set(ours)) < len(ours)
                if not same or again:
                    told.append(f"{name}: {'twice' if again else 'other ones'}")
    return told


@pytest.mark.large
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", MODELS)
def test_random_programs(name: str, chunk: int) -> None:
    for seed in range(chunk, COUNT, CHUNKS):
        source = ProgramMaker(seed, fences=True).program()
        assert differences(source, model(name), seed) == []


@pytest.mark.large
@pytest.mark.parametrize("name", MODELS)
def test_a_few_random_programs(name: str) -> None:
    for seed in range(7000, 7004):
        source = ProgramMaker(seed, 6, fences=True).program()
        assert differences(source, model(name), seed) == []
        assert differences(source, model(name), seed, wakeup=False) == []


# programs with the number of their traces under sc, tso and pso
PROGRAMS = {
    "SB": ("x = 0 y = 0 thread P: x := 1; r := y; thread Q: y := 1; r := x;", (3, 4, 4)),
    "SB+mfences": (
        "x = 0 y = 0 thread P: x := 1; mfence; r := y; thread Q: y := 1; mfence; r := x;",
        (3, 3, 3),
    ),
    "SB+sfences": (
        "x = 0 y = 0 thread P: x := 1; sfence; r := y; thread Q: y := 1; sfence; r := x;",
        (3, 4, 4),
    ),
    "MP": ("x = 0 y = 0 thread P: x := 1; y := 1; thread Q: r := y; s := x;", (3, 3, 4)),
    "MP+sfence": (
        "x = 0 y = 0 thread P: x := 1; sfence; y := 1; thread Q: r := y; s := x;",
        (3, 3, 3),
    ),
    # a load of what its own thread has stored, before or after that reaches memory
    "own": ("x = 0 thread P: x := 1; r := x; r := x;", (1, 1, 1)),
    "own, overwritten": ("x = 0 thread P: x := 1; r := x; thread Q: x := 2;", (3, 3, 3)),
    "SB+rfi": (
        "x = 0 y = 0 thread P: x := 1; s := x; r := y; thread Q: y := 1; s := y; r := x;",
        (3, 4, 4),
    ),
    # a cas that fails is a load, unless it is locked; one that stores drains the buffer
    "failed cas": (
        "x = 0 y = 0 thread P: x := 1; r := cas(y, 2, 3); thread Q: y := 1; mfence; r := x;",
        (3, 4, 4),
    ),
    "locked failed cas": (
        "x = 0 y = 0 thread P: x := 1; r := cas(y, 2, 3) @lock; thread Q: y := 1; mfence; r := x;",
        (3, 3, 3),
    ),
    "cas": (
        "x = 0 y = 0 thread P: x := 1; r := cas(y, 0, 3); thread Q: y := 1; mfence; r := x;",
        (3, 3, 3),
    ),
}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_counts(name: str, policy: str) -> None:
    text, expected = PROGRAMS[name]
    source = program(text)
    for under, count in zip(("sc", *MODELS), expected, strict=True):
        known = {t.key() for t in make_engine("enumerate").explore(source, model(under), Limits())}
        found = [t.key() for t in Odpor(policy).explore(source, model(under), Limits())]
        assert (set(found), len(found)) == (known, count), under


def test_the_text_says_which_fences_drain() -> None:
    text = """
    let full-fence = LWSYNC
    let ppo = po & ((R * M) | (W * W))
    let mfence = [W] ; fencerel(full-fence) ; [R]
    acyclic po-loc | com
    acyclic ppo | mfence | rfe | co | fr
    (*% operational tso *)"""
    for fence, count in (("lwsync", 3), ("mfence", 4)):
        source = program(
            f"x = 0 y = 0 thread P: x := 1; {fence}; r := y; thread Q: y := 1; {fence}; r := x;"
        )
        for name in ("enumerate", "odpor"):
            found = list(make_engine(name).explore(source, model_of(text), Limits()))
            assert len(found) == count, (fence, name)
