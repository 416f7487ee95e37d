"""Witnesses of compiled programs: places and words of the source in every format."""

from __future__ import annotations

import json

import compiled_programs as compiled
import pytest
from golden_files import check_golden
from support import model

from hybrid.engine.api import Limits
from hybrid.engine.configuration import Configuration
from hybrid.execution.trace import TraceData
from hybrid.program.origin import UNSET
from hybrid.program.program import Program
from hybrid.report.explored import explore
from hybrid.report.trace_formats import TRACE_FORMATS, Shown
from hybrid.witness.captions import shortened
from hybrid.witness.faults import faults_of, waiting_fault
from hybrid.witness.graph import graph_of
from hybrid.witness.run import run_table, source_rows
from hybrid.witness.steps import steps_of

RC11 = model("rc11")
SAMPLES = {
    "passing": compiled.PASSING,
    "racing": compiled.RACING,
    "locking": compiled.LOCKING,
    "straying": compiled.STRAYING,
}


def witness(program: Program) -> TraceData:
    found = explore(Configuration("rsmc", liveness=True), program, RC11).witness
    assert found is not None
    return found.data()


@pytest.mark.parametrize("form", TRACE_FORMATS)
@pytest.mark.parametrize("name", SAMPLES)
def test_formats(name: str, form: str) -> None:
    shown = Shown(witness(SAMPLES[name]), RC11, "rsmc", Limits(5))
    check_golden(f"compiled/{name}.{form}", TRACE_FORMATS[form](shown))


def test_events_have_captions_in_json() -> None:
    text = TRACE_FORMATS["json"](Shown(witness(compiled.PASSING), RC11, "rsmc", Limits(5)))
    captions = [event.get("caption") for event in json.loads(text)["events"]]
    assert f"queue.c:10 {compiled.store('x')}" in captions


def test_a_step_that_is_nothing_in_the_source_is_not_shown() -> None:
    data = witness(compiled.PASSING)
    hidden = [step for step in steps_of(data).values() if step.hidden]
    assert [step.name for step in hidden] == ["Q1"]  # the branch
    nodes = [node.head for nodes in graph_of(data).threads for node in nodes]
    assert len(nodes) == 4 and all(node.startswith("queue.c:") for node in nodes)


def test_the_second_time_has_a_name_of_its_own() -> None:
    program = compiled.compiled(
        """x = 0
thread P: n := 0; L10: x := n @rlx; L10_2: r := x @rlx; n := n + 1; if n < 2 goto L10;
""",
        {"L10": compiled.origin("L10", "x = n"), "L10_2": compiled.origin("L10", "r = x")},
    )
    trace = next(iter(explore_traces(program)))
    names = [step.name for step in steps_of(trace).values() if not step.initial]
    assert names == ["queue.c:10", "queue.c:10#2", "queue.c:10(2)", "queue.c:10#2(2)"]


def explore_traces(program: Program) -> list[TraceData]:
    from hybrid.engine.enumerate import Enumerate

    return [trace.data() for trace in Enumerate().explore(program, RC11, Limits(5))]


def test_values_by_name() -> None:
    rows = [row.effect for row in source_rows(witness(compiled.STRAYING))]
    assert "writes p = &x (first of 2 writes)" in rows
    assert "writes p = &x+4 (second of 2 writes)" in rows
    program = compiled.compiled(
        f"x = {UNSET}\nthread P: L10: r := x @rlx;", {"L10": compiled.origin("L10", "r = x")}
    )
    assert "reads x = uninitialised (initial)" in run_table(explore_traces(program)[0])


def test_faults_have_places_and_calls() -> None:
    (fault,) = faults_of(witness(compiled.PASSING))
    assert str(fault) == "assertion at queue.c:22 in worker#1: s == 1"
    assert fault.stack == ("consume (queue.c:22)", "worker (queue.c:31)")
    waits = waiting_fault(witness(compiled.LOCKING))
    assert (waits.kind, waits.where) == ("deadlock", "queue.c:10 in main")
    assert waits.message == (
        "main at queue.c:10 joins worker#1, worker#1 at queue.c:21 waits for the lock n, "
        "worker#2 at queue.c:31 waits for the lock m"
    )


@pytest.mark.parametrize(
    ("text", "width", "short"),
    [
        ("x = 1", 5, "x = 1"),
        ("atomic_load_explicit(&x, memory_order_acquire)", 24, "atomic_load(&x, acquire)"),
        ("a_function(of, many, arguments)", 12, "a_function(…"),
    ],
)
def test_long_captions(text: str, width: int, short: str) -> None:
    assert shortened(text, width) == short
