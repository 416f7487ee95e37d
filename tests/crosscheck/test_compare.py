"""Comparisons: each kind of difference is found, with the trace in question and what the judges say
of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import pytest
from support import model, model_of, program

from hybrid.catalogue.spelling import parse_configurations
from hybrid.crosscheck import compare as comparing
from hybrid.crosscheck.compare import Comparison, crosscheck
from hybrid.crosscheck.disputes import dispute
from hybrid.crosscheck.found import Lens, find
from hybrid.data import bundled
from hybrid.engine.api import RF, Counters, Limits, Stopped
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.rsmc.engine import Rsmc
from hybrid.errors import InternalError
from hybrid.execution.trace import DataTrace, Status, Trace, TraceData
from hybrid.model.core import Model
from hybrid.program.program import Program
from hybrid.verdict import Verdict

SB = r"""
    x = 0; y = 0
    thread P: L0: x := 1; L1: r0 := y;
    thread Q: L2: y := 1; L3: r1 := x;
    exists (P:r0 = 0 /\ Q:r1 = 0)
    """
STORES = """
    x = 0; y = 0
    thread P: L0: x := 1; L1: y := 1;
    thread Q: L2: y := 2; L3: x := 2;
    exists (x = 1)
    """

Change = Callable[[list[TraceData]], list[TraceData]]


@dataclass
class Altered:
    """An engine whose list of traces is changed afterwards."""

    inner: Enumerate | Rsmc
    change: Change
    name: str = "altered"
    counters: Counters = field(default_factory=Counters)

    def explore(self, program: Program, model: Model, limits: Limits) -> Iterator[Trace]:
        traces = [trace.data() for trace in self.inner.explore(program, model, limits)]
        self.counters = self.inner.counters
        yield from map(DataTrace, self.change(traces))


def against(text: str, name: str, change: Change, unroll: int = 5) -> Comparison:
    engines = [("enumerate", Enumerate()), ("altered", Altered(Enumerate(), change))]
    return comparing.compare(program(text), model(name), engines, Limits(unroll))


def only(result: Comparison, kind: str) -> comparing.Difference:
    assert [difference.kind for difference in result.differences] == [kind]
    assert result.verdict is Verdict.DISAGREE
    return result.differences[0]


def test_an_unchanged_list_agrees() -> None:
    result = against(SB, "power", lambda traces: traces)
    assert result.agree and result.verdict is Verdict.HOLDS


def test_a_missing_trace_is_allowed_by_both_judges() -> None:
    result = against(SB, "power", lambda traces: traces[1:])
    difference = only(result, comparing.MISSING)
    found = dispute(result, difference)
    assert found is not None
    assert (found.has, found.lacks) == (("enumerate",), ("altered",))
    assert found.allowed is True
    assert found.data is not None and found.replayed is None and found.explained is None


def test_an_extra_trace_is_forbidden_with_axiom_and_cycle() -> None:
    free = replace(model("sc"), axioms=())
    everything = [t.data() for t in Enumerate().explore(program(SB), free, Limits())]
    result = against(SB, "sc", lambda _: everything)
    found = dispute(result, only(result, comparing.EXTRA))
    assert found is not None and found.allowed is False
    assert (found.has, found.lacks) == (("altered",), ("enumerate",))
    assert found.replayed is not None and found.replayed.axiom == "sc"
    assert found.explained is not None and found.explained.axiom == "sc"
    assert len(found.explained.edges) == len(found.replayed.cycle) == 4


def test_a_trace_that_no_run_has() -> None:
    def invent(traces: list[TraceData]) -> list[TraceData]:
        return [*traces, replace(traces[0], rf={(0, 7): (-1, 0)})]

    result = against(SB, "sc", invent)
    found = dispute(result, only(result, comparing.EXTRA))
    assert found is not None
    assert found.data is None and found.allowed is False and found.replayed is not None


def test_a_duplicate() -> None:
    result = against(SB, "sc", lambda traces: [*traces, traces[0]])
    assert only(result, comparing.DUPLICATE).text == "altered met 1 trace again"


def test_other_final_values() -> None:
    def spoil(traces: list[TraceData]) -> list[TraceData]:
        return [replace(traces[0], registers=({"r0": 9}, traces[0].registers[1])), *traces[1:]]

    assert len(only(against(SB, "sc", spoil), comparing.OUTCOME).keys) == 1

    def spoil_memory(traces: list[TraceData]) -> list[TraceData]:
        return [replace(traces[0], memory=dict.fromkeys(traces[0].memory, 9)), *traces[1:]]

    only(against(SB, "sc", spoil_memory), comparing.OUTCOME)


def test_other_failing_asserts_and_flags() -> None:
    def fail(traces: list[TraceData]) -> list[TraceData]:
        return [replace(traces[0], failed=("L0",)), *traces[1:]]

    only(against(SB, "sc", fail), comparing.OUTCOME)

    def calm(traces: list[TraceData]) -> list[TraceData]:
        return [replace(traces[0], flags=()), *traces[1:]]

    assert against(SB, "rc11", lambda traces: traces).agree
    only(against(SB, "rc11", calm), comparing.OUTCOME)

    def all_calm(traces: list[TraceData]) -> list[TraceData]:
        return [replace(trace, flags=()) for trace in traces]

    _, ending = against(SB, "rc11", all_calm).differences
    assert ending.kind == comparing.ENDING
    assert ending.text == "enumerate has runs with a race, altered has none"


def test_other_endings() -> None:
    spin = "x = 0\nthread P: L0: x := 1;\nthread Q: S: r := x; B: if r = 0 goto S;"

    def uncut(traces: list[TraceData]) -> list[TraceData]:
        return [trace for trace in traces if trace.status is not Status.CUT]

    difference = only(against(spin, "sc", uncut), comparing.ENDING)
    assert difference.text == "enumerate has cut runs, altered has complete traces alone"

    def less_cut(traces: list[TraceData]) -> list[TraceData]:
        cut = [trace for trace in traces if trace.status is Status.CUT]
        assert len(cut) == 2
        return [trace for trace in traces if trace is not cut[0]]

    twice = "x = 0\nthread P: x := 1; x := 1;\nthread Q: S: r := x; B: if r = 1 goto S;"
    result = against(twice, "sc", less_cut, unroll=0)
    text = "enumerate has 1 cut run that altered has not"
    assert only(result, comparing.ENDING).text == text

    blocked = "x = 0\nthread P: r := x; A: assert r = 1; assume r = 1;"
    result = against(blocked, "sc", lambda _: [])
    assert "A fails" in only(result, comparing.ENDING).text


def test_a_failing_run_that_waits_and_could_go_on_need_not_be_listed() -> None:
    text = "x = 0\nthread P: r := await(x = 1); A: x := 2;\nthread Q: x := 1; B: assert 0;"

    def complete(traces: list[TraceData]) -> list[TraceData]:
        assert any(trace.status is Status.BLOCKED for trace in traces)
        return [trace for trace in traces if trace.status is Status.COMPLETE]

    assert against(text, "sc", complete).agree


def test_a_crash_and_a_stuck_run() -> None:
    def crash(traces: list[TraceData]) -> list[TraceData]:
        raise InternalError("broken")

    difference = only(against(SB, "sc", crash), comparing.CRASH)
    assert difference.text == "altered fails: InternalError: broken"


def test_a_commit_before_that_is_too_weak_gets_stuck() -> None:
    """Fig. 5 of the RSMC paper."""
    weak = model_of('include "power.cat"\n(*% commit-before (addr | data | ctrl | rf)+ *)')
    fig5 = program((bundled("litmus") / "papers" / "rsmc-fig5.prog").read_text(encoding="utf-8"))
    result = crosscheck(fig5, weak, parse_configurations("enumerate,rsmc/last"), Limits())
    assert comparing.STUCK in {difference.kind for difference in result.differences}


def test_an_unfinished_exploration_contradicts_only_by_what_it_has() -> None:
    @dataclass
    class Slow(Altered):
        def explore(self, program: Program, model: Model, limits: Limits) -> Iterator[Trace]:
            yield from super().explore(program, model, limits)
            raise Stopped

    def run(change: Change) -> Comparison:
        engines = [("slow", Slow(Enumerate(), change)), ("enumerate", Enumerate())]
        return comparing.compare(program(SB), model("sc"), engines, Limits())

    result = run(lambda traces: traces[:1])
    assert result.agree and result.verdict is Verdict.INCONCLUSIVE
    assert "time-out" in result.open[0]
    bad = run(lambda traces: [replace(traces[0], rf={(0, 7): (-1, 0)})])
    assert only(bad, comparing.EXTRA).against == "enumerate"


@pytest.mark.large
def test_each_configuration_has_its_own_time() -> None:
    start = time.monotonic()
    many = "x = 0\n" + "".join(f"thread T{t}: x := 1; x := 2; x := 3;\n" for t in range(4))
    configurations = parse_configurations("enumerate,rsmc,rsmc/last")
    result = crosscheck(program(many), model("sc"), configurations, Limits(), seconds=0.2)
    assert [bool(found.unfinished) for found in result.findings] == [True] * 3
    assert all(found.seconds < 2 for found in result.findings)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert time.monotonic() - start < 10


def test_an_engine_that_does_not_look_at_the_clock_is_stopped_too() -> None:
    """As one that still builds its formula."""

    class Busy(Altered):
        def explore(self, program: Program, model: Model, limits: Limits) -> Iterator[Trace]:
            end = time.monotonic() + 20
            while time.monotonic() < end:
                pass
            yield from ()

    engine, source = Busy(Enumerate(), lambda traces: traces), program(SB)
    limits = Limits(deadline=time.monotonic() + 0.01)
    found = find(engine, "busy", source, model("sc"), limits, "trace", Lens(source))
    assert "time-out" in found.unfinished and not found.traces


def test_what_is_not_applicable_is_listed() -> None:
    no_order = model_of("acyclic co as c")
    configurations = parse_configurations("enumerate,rsmc")
    result = crosscheck(program(SB), no_order, configurations, Limits())
    assert [name for name, _ in result.left_out] == ["rsmc"]
    assert result.verdict is Verdict.INCONCLUSIVE  # enumerate was alone
    assert result.open == ["nothing to compare: enumerate alone takes it"]


# ---- reads-from classes


@pytest.mark.parametrize(
    ("text", "name", "traces", "classes"),
    [(STORES, "power", 4, 2), (STORES, "sc", 3, 2), (SB, "power", 4, 4)],
)
def test_classes_are_the_projection(text: str, name: str, traces: int, classes: int) -> None:
    configurations = parse_configurations("rsmc+rf,enumerate,rsmc,rsmc+rf/last")
    result = crosscheck(program(text), model(name), configurations, Limits())
    assert result.verdict is Verdict.HOLDS, result.differences
    assert [len(f.traces) for f in result.findings] == [classes, traces, traces, classes]


def rf_against(text: str, name: str, change: Change) -> Comparison:
    """Classes, changed, against full traces."""
    source, under = program(text), model(name)
    lens = Lens(source)
    inner = Rsmc(equivalence="rf")
    engine = Altered(inner, change)
    found = [
        find(Enumerate(), "enumerate", source, under, Limits(), "trace", lens),
        find(_Classes(engine, lens), "rsmc+rf", source, under, Limits(), "rf", lens),
    ]
    result = Comparison(source, under, Limits(), found)
    result.differences += comparing.differences(found, lens)
    return result


class _Class(DataTrace):
    def __init__(self, data: TraceData, lens: Lens) -> None:
        super().__init__(data)
        self.lens = lens

    def key(self) -> comparing.Key:
        return self.lens.class_of(super().key(), RF)


@dataclass
class _Classes:
    inner: Altered
    lens: Lens
    name: str = "rsmc"

    @property
    def counters(self) -> Counters:
        return self.inner.counters

    def explore(self, program: Program, model: Model, limits: Limits) -> Iterator[Trace]:
        for trace in self.inner.explore(program, model, limits):
            yield _Class(trace.data(), self.lens)


def test_missing_extra_and_repeated_classes() -> None:
    assert rf_against(STORES, "sc", lambda traces: traces).agree
    lost = rf_against(STORES, "sc", lambda traces: traces[1:])
    assert only(lost, comparing.MISSING).text.startswith("enumerate has 2 classes, rsmc+rf has 1")
    only(rf_against(STORES, "sc", lambda traces: [*traces, traces[0]]), comparing.DUPLICATE)


def test_a_class_shown_by_a_forbidden_coherence_order() -> None:
    def other_co(traces: list[TraceData]) -> list[TraceData]:
        """Where P's store to x is the last one, its store to y is made the first."""
        x, y = sorted(traces[0].co)
        forbidden = {x: ((1, 1), (0, 0)), y: ((0, 1), (1, 0))}
        return [replace(t, co=forbidden) if t.co[x][-1] == (0, 0) else t for t in traces]

    result = rf_against(STORES, "sc", other_co)
    found = dispute(result, only(result, comparing.WITNESS))
    assert found is not None and found.allowed is False
