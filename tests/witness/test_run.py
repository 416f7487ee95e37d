"""Runs in the paper's form and the table of Fig. 3."""

from __future__ import annotations

from dataclasses import replace

import pytest
from explored import PROGRAMS, traces
from golden_files import check_golden
from trace_samples import SAMPLES, lb_data, load, pairs, program, reg, store, trace

from hybrid.execution.trace import EventId, TraceData
from hybrid.witness.run import NO_RUN, commits, ordinal, run_table, run_text

FIG_3 = "L3[0].L0[L3].L1[0].L2[L1]"


def test_fig_3() -> None:
    assert run_text(lb_data()) == FIG_3
    rows = [line.split("  ") for line in run_table(lb_data()).splitlines()]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert cells[0] == ["Event", "Parameter", "Semantic Meaning"]
    assert cells[2:] == [
        ["L3: x := 1", "0", "First in coherence order for x"],
        ["L0: r0 := x", "L3", "Read value 1 from L3"],
        ["L1: y := r0 + 1", "0", "First in coherence order for y"],
        ["L2: r1 := y", "L1", "Read value 2 from L1"],
    ]


def test_without_a_run_the_dependencies_give_one() -> None:
    assert run_text(lb_data(with_run=False)) == FIG_3


def test_the_engine_s_order_is_kept() -> None:
    data = lb_data()
    other = (data.run[0], data.run[1], data.run[2], data.run[3])
    moved = replace(data, run=(other[1], other[0], *other[2:]))
    assert run_text(moved) == "L0[L3].L3[0].L1[0].L2[L1]"


def test_values_in_a_circle_have_no_run() -> None:
    base = program(
        "LB+datas",
        {
            "P": [load("L0", "r0", "x"), store("L1", "y", reg("r0"))],
            "Q": [load("L2", "r1", "y"), store("L3", "x", reg("r1"))],
        },
    )
    data = trace(
        base,
        [
            ((0, 0), "R", "L0", "x", 42), ((0, 1), "W", "L1", "y", 42),
            ((1, 0), "R", "L2", "y", 42), ((1, 1), "W", "L3", "x", 42),
        ],
        {(0, 0): (1, 1), (1, 0): (0, 1)},
        {"x": [(1, 1)], "y": [(0, 1)]},
        [{"r0": 42}, {"r1": 42}],
        data=pairs(((0, 0), (0, 1)), ((1, 0), (1, 1))),
    )  # fmt: skip
    assert run_text(data) == NO_RUN
    assert run_table(data) == NO_RUN


def test_places_count_the_stores_committed_before() -> None:
    """A store that ends up second in co is first when it is committed before the one in front of
    it."""
    data = SAMPLES["two_plus_two_w"]()
    assert run_text(data) == "L0[0].L1[0].L2[1].L3[0]"


def test_loops_rmws_and_failed_conditionals() -> None:
    text = run_text(SAMPLES["loop_rmw"]())
    assert text == "L3[0].L0[L3].L4[init_y].L5[fail].L4#2[init_y].L5#2[0].L7[1].L0#2[L7]"


def played(data: TraceData) -> tuple[dict[EventId, EventId], dict[int, tuple[EventId, ...]]]:
    """rf and co as the run makes them, by the paper's rules."""
    rf: dict[EventId, EventId] = {}
    co: dict[int, list[EventId]] = {place.address: [] for place in data.program.locations}
    done: set[EventId] = {(-1, i) for i in range(len(data.program.locations))}
    found = commits(data)
    assert found is not None
    for commit in found:
        step = commit.step
        if step.read is not None:
            assert commit.source is not None and commit.source.write is not None
            assert commit.source.write.id in done
            rf[step.read.id] = commit.source.write.id
        if step.write is not None:
            assert commit.place is not None and step.write.address is not None
            co[step.write.address].insert(commit.place, step.write.id)
            done.add(step.write.id)
    return rf, {address: tuple(stores) for address, stores in co.items()}


@pytest.mark.parametrize("model", ["sc", "coherence"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_run_makes_its_trace(name: str, model: str) -> None:
    found = traces(name, model)
    assert found
    for data in found:
        assert played(data) == (dict(data.rf), dict(data.co))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_run_makes_its_sample(name: str) -> None:
    data = SAMPLES[name]()
    assert played(data) == (dict(data.rf), dict(data.co))


def test_every_run_is_another() -> None:
    for name in PROGRAMS:
        texts = [run_text(data) for data in traces(name, "sc")]
        complete = [d for d in traces(name, "sc") if d.status.value == "complete"]
        assert len(set(map(run_text, complete))) == len(complete)
        assert all("[" in text for text in texts)


def test_ordinals() -> None:
    assert [ordinal(i) for i in (0, 1, 2, 9)] == ["First", "Second", "Third", "Tenth"]
    assert [ordinal(i) for i in (10, 11, 12, 20, 21, 22, 110, 120)] == [
        "11th", "12th", "13th", "21st", "22nd", "23rd", "111th", "121st",
    ]  # fmt: skip


@pytest.mark.parametrize("name", SAMPLES)
def test_golden_tables(name: str) -> None:
    data = SAMPLES[name]()
    check_golden(f"witness/{name}.run.txt", run_text(data) + "\n\n" + run_table(data))
