"""What is told of a data race besides its accesses: the loads on the way from one to the other."""

from __future__ import annotations

import pytest
from support import model

from hybrid.data import bundled
from hybrid.engine.configuration import Configuration
from hybrid.frontend.load import load_program
from hybrid.frontend.prog import parse_program
from hybrid.program.program import Program
from hybrid.report.explored import explore
from hybrid.source import Source
from hybrid.witness.races import Race, races_of

STRUCTURES = bundled("litmus") / "programs" / "structures"


def races(program: Program, under: str) -> tuple[Race, ...]:
    result = explore(Configuration("rsmc").suiting(program), program, model(under), first=True)
    assert result.race is not None
    return races_of(result.race)


def reads(text: str) -> list[str]:
    """What leads from one access to the other, of each race of the first execution with one."""
    return [race.reads for race in races(parse_program(Source("a.prog", text)), "rc11")]


PASSING = """x = 0; f = 0; g = 0
thread P: L0: x := 1; L1: f := 1 %s;
thread Q: L2: r := f %s; L3: assume r = 1; L4: s := x;
"""


@pytest.mark.parametrize(("store", "load"), [("@rlx", "@acq"), ("@rel", "@rlx"), ("@rlx", "@rlx")])
def test_one_load(store: str, load: str) -> None:
    found = reads(PASSING % (store, load))
    assert found == [f"Q's L2 (r := f {load}) reads from P's L1 (f := 1 {store})"]


def test_two_loads() -> None:
    """What is stored on the way depends on the load that counts, not on the one that is nearer."""
    text = """x = 0; f = 0; g = 0; h = 0
thread P: L0: x := 1; L1: h := 1 @rlx; L2: f := 1 @rel;
thread Q: L3: r := f @rlx; L4: assume r = 1; L5: t := h @rlx; L6: assume t = 1; L7: g := r @rel;
thread R: L8: s := g @acq; L9: assume s = 1; L10: u := x;
"""
    assert reads(text) == [
        "Q's L3 (r := f @rlx) reads from P's L2 (f := 1 @rel); "
        "R's L8 (s := g @acq) reads from Q's L7 (g := r @rel)"
    ]


def test_no_way() -> None:
    assert reads("x = 0\nthread P: L0: x := 1;\nthread Q: L1: s := x;\n") == [""]


@pytest.mark.large
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("queue", "atomic_store_explicit(&cell->turn, turn + 1, QUEUE_ITEM_IN)"),
        ("deque", "atomic_store_explicit(&deque->buffer, larger, DEQUE_NEW_BUFFER)"),
        ("hashmap", "atomic_fetch_or_explicit(&slot->value, HASHMAP_FROZEN, HASHMAP_FREEZE)"),
    ],
)
def test_the_weakened_line_of_a_structure(name: str, line: str) -> None:
    """The access whose order is weaker in these programs is named."""
    found = races(load_program(STRUCTURES / f"{name}-weak.c"), "rc20")
    assert line in found[0].reads
