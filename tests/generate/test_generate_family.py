"""Families against brute force over all sequences of edges; samples; what the bundle holds."""

from __future__ import annotations

import csv
from itertools import product

import pytest
from cycle_samples import NAMES, program_of
from support import choose_engine, make_engine

from hybrid.data import bundled
from hybrid.engine.api import Limits
from hybrid.errors import InputError
from hybrid.frontend.load import default_model
from hybrid.generate.bundle import bundle
from hybrid.generate.cycle import Cycle, parse_cycles
from hybrid.generate.family import Family, numbered, read_units
from hybrid.generate.names import name_of
from hybrid.generate.vocabularies import vocabulary_of
from hybrid.model.load import load_model
from hybrid.report.summary import summarise


def family(arch: str, edges: str, sizes: range, threads: range, free: bool = False) -> Family:
    vocabulary = vocabulary_of(arch)
    return Family(vocabulary, read_units(edges, vocabulary), sizes, threads, free)


def by_hand(arch: str, edges: list[str], sizes: range, threads: range) -> set[Cycle]:
    """Every sequence of edges that is a cycle."""
    found: set[Cycle] = set()
    for size in sizes:
        for words in product(edges, repeat=size):
            try:
                found |= set(parse_cycles(" ".join(words), vocabulary_of(arch)))
            except InputError:
                continue
    return {cycle for cycle in found if cycle.threads in threads}


def test_the_six_of_two_threads() -> None:
    found = family("PPC", "Pod** Rfe Fre Wse", range(4, 5), range(2, 3)).cycles()
    assert sorted(map(name_of, found)) == ["2+2W", "LB", "MP", "R", "S", "SB"]


def test_classic_families_of_three_threads() -> None:
    found = [
        name_of(c) for c in family("X86", "Pod** Rfe Fre Wse", range(5, 7), range(3, 4)).cycles()
    ]
    assert len(found) == len(set(found))
    classic = (
        "WRC WWC RWC WRW+WR WRR+2W WRW+2W ISA2 W+RWC Z6.0 Z6.1 Z6.2 Z6.3 Z6.4 Z6.5 3.SB 3.LB 3.2W"
    )
    assert set(classic.split()) == set(found)


@pytest.mark.parametrize(
    ("arch", "edges"),
    [
        ("PPC", "PodWR PodWW PosRR Rfe Fre Wse"),
        ("AArch64", "PodWWPL PodRRAP PodRR Rfi Rfe Fre Wse"),
        ("RISCV", "RfLeave FrBack PodWW PodRR Rfe Fre"),
    ],
)
def test_free_families_are_everything(arch: str, edges: str) -> None:
    sizes, threads = range(2, 5), range(1, 4)
    found = list(family(arch, edges, sizes, threads, free=True).cycles())
    assert len(found) == len(set(found))
    assert set(found) == by_hand(arch, edges.split(), sizes, threads)


def test_critical_cycles_are_some_of_the_free_ones() -> None:
    edges, sizes, threads = "Pod** Rfe Fre Wse", range(2, 7), range(2, 5)
    critical = set(family("PPC", edges, sizes, threads).cycles())
    free = set(family("PPC", edges, sizes, threads, free=True).cycles())
    assert critical < free
    for cycle in critical:
        names = [edge.name for edge in cycle.edges]
        pairs = zip(names, names[1:] + names[:1], strict=True)
        assert not any(a[:3] == b[:3] == "Pod" for a, b in pairs)


def test_composed_edges_count_as_one() -> None:
    found = [
        name_of(c)
        for c in family("PPC", "[Rfi,PodRR] PodWR Fre", range(4, 5), range(2, 3)).cycles()
    ]
    assert sorted(found) == ["SB", "SB+po+rfi-po", "SB+rfi-pos"]


def test_samples() -> None:
    whole = family("AArch64", "Pod** DMB.SYd** DMB.LDdR* Rfe Fre Wse", range(4, 7), range(2, 5))
    first, again, other = (list(whole.sample(20, seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert len(set(first)) == 20
    assert set(first) <= set(whole.cycles())


def test_names_of_a_family_differ() -> None:
    """PodWR PodRW and PodWW PodWW are both po-po."""
    cycles = list(
        family("X86", "[PodWR,PodRW] [PodWW,PodWW] Wse PodWW", range(4, 5), range(2, 3)).cycles()
    )
    names = [name_of(cycle) for cycle in cycles]
    assert len(set(names)) < len(names)
    new = numbered(names)
    assert len(set(new)) == len(new)
    assert set(names) < set(new)
    assert numbered(["A", "A", "A001", "A"]) == ["A", "A002", "A001", "A003"]


@pytest.mark.large
@pytest.mark.parametrize("arch", NAMES)
def test_bundle(arch: str) -> None:
    """litmus/ holds what `bundle` makes, with an answer for each test; some of the answers are
    computed anew."""
    folder = bundled("litmus") / arch.lower()
    tests = bundle(arch)
    assert len({test.name for test in tests}) == len(tests) >= 300
    files = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.litmus")}
    assert files == {f"{test.name}.litmus": test.text for test in tests}
    with open(folder / "expected.csv", encoding="utf-8", newline="") as stream:
        rows = {row["file"]: row for row in csv.DictReader(stream)}
    assert set(rows) == set(files)
    assert {row["observation"] for row in rows.values()} == {"Never", "Sometimes"}
    for test in tests[:: len(tests) // 20]:
        program = program_of(test)
        model = load_model(default_model(program) or "")
        engine, _ = choose_engine(None, model, program)
        result = summarise(program, model, make_engine(engine), Limits())
        row = rows[f"{test.name}.litmus"]
        answer = (result.observation, result.satisfying, result.negative, len(result.outcomes))
        numbers = (int(row[c]) for c in ("traces_satisfying", "traces_not_satisfying", "states"))
        assert answer == (row["observation"], *numbers), test.name
