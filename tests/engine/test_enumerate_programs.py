"""What programs do, one construct after another: paths, values, dependencies, endings."""

from __future__ import annotations

import time

import pytest
from enumerate_helpers import COHERENT, FREE, count, explore, model, model_of, outcomes, program

from hybrid.engine.api import Limits, Stopped
from hybrid.engine.enumerate import Enumerate
from hybrid.execution.trace import Status


def test_every_source_and_order_is_a_candidate() -> None:
    """Without axioms a load may read a later store of its own thread."""
    assert count("x = 0 thread P: r := x; x := 1; x := 2;", model_of(FREE)) == 3 * 2


def test_candidates_multiply_over_locations() -> None:
    text = "x = 0; y = 0 thread P: x := 1; y := 1; thread Q: x := 2; y := 2; r := x; s := y;"
    assert count(text, model_of(FREE)) == 3 * 3 * 2 * 2


def test_fetch_and_add_loses_nothing() -> None:
    text = "x = 0 thread P: faa(x, 1); thread Q: faa(x, 1); thread R: faa(x, 1); exists (x = 3)"
    assert outcomes(text, model("sc")) == {(3,)}
    assert outcomes(text, model("power")) == {(3,)}
    assert count(text, model("power")) == 6


def test_exchange() -> None:
    text = (
        "x = 0 thread P: r := xchg(x, 1); "
        "thread Q: r := xchg(x, 2); exists (P:r = 0 /\\ Q:r = 0 /\\ x = 0)"
    )
    assert outcomes(text, model("sc")) == {(0, 1, 2), (2, 0, 1)}


def test_compare_and_swap() -> None:
    text = (
        "x = 0 thread P: r := cas(x, 0, 1); "
        "thread Q: r := cas(x, 0, 2); exists (P:r = 0 /\\ Q:r = 0 /\\ x = 0)"
    )
    assert outcomes(text, model("sc")) == {(0, 1, 1), (2, 0, 2)}
    traces, _ = explore(text, model("sc"))
    assert {trace.key()[1][0][1] for trace in traces} == {((0, 1),), ((1, 1),)}


def test_a_failed_cas_uses_up_its_second_index() -> None:
    text = "x = 1; y = 0 thread P: r := cas(x, 0, 2); y := 1;"
    ((trace,), _) = explore(text, model("sc"))
    assert trace.key() == ((((0, 0), (-1, 0)),), ((program(text).locations[1].address, ((0, 2),)),))


def test_store_conditional_may_fail_for_no_reason() -> None:
    text = "x = 0 thread P: r := lr(x); s := sc(x, 1); exists (P:s = 0 /\\ x = 0)"
    assert outcomes(text, model("sc")) == {(0, 1), (1, 0)}


def test_store_conditional_is_atomic_with_its_load() -> None:
    text = """x = 0 thread P: r := lr(x); s := sc(x, r + 1);
    thread Q: r := lr(x); s := sc(x, r + 1);
    exists (P:s = 0 /\\ Q:s = 0 /\\ x = 0)"""
    assert outcomes(text, model("sc")) == {(0, 0, 2), (0, 1, 1), (1, 0, 1), (1, 1, 0)}
    # Without atomicity both may read 0 and both succeed.
    assert (0, 0, 1) in outcomes(text, model_of(COHERENT))


@pytest.mark.parametrize(
    "code",
    [
        "s := sc(x, 1);",
        "r := lr(y); s := sc(x, 1);",
        "r := lr(x); t := sc(x, 3); s := sc(x, 1); assume t = 1;",
        "r := lr(x); r := lr(y); s := sc(x, 1);",
    ],
)
def test_store_conditional_without_reservation_fails(code: str) -> None:
    text = f"x = 0; y = 0 thread P: {code} exists (P:s = 1 /\\ x = 0)"
    assert outcomes(text, model_of(FREE)) == {(1, 0)}


def test_reservation_of_a_loaded_address() -> None:
    text = """x at 2 = 0; y at 3 = 0 thread P: a := y; r := lr([2 + a]); s := sc(x, 5);
    thread Q: y := 1; exists (P:a = 0 /\\ P:s = 0 /\\ x = 0)"""
    assert outcomes(text, model("sc")) == {(0, 0, 5), (0, 1, 0), (1, 1, 0)}


def test_dependencies() -> None:
    text = """x = 0; y = 0
    thread P: a := x; b := y; c := a + 1; [&x + (b ^ b)] := c; if c = 1 goto E;
    E: fence @SC; d := faa(y, b);
    r := lr(x); s := sc(x, a); y := s;"""
    traces, _ = explore(text, model_of(COHERENT))

    def edges(pairs: frozenset[tuple[tuple[int, int], tuple[int, int]]]) -> set[tuple[int, int]]:
        return {(source[1], target[1]) for source, target in pairs}

    # 0 a:=x  1 b:=y  2 store  3 branch  4 fence  5, 6 faa  7 lr  8 sc  9 y:=s
    first = next(data for data in (t.data() for t in traces) if (0, 8) in data.by_id)
    assert [e.kind for e in first.events if e.thread == 0] == list("RRWBFRWRWW")
    assert edges(first.addr) == {(1, 2)}
    assert edges(first.data) == {(0, 2), (1, 5), (1, 6), (5, 6), (0, 8), (7, 9), (0, 9)}
    assert edges(first.ctrl) == {(0, i) for i in range(4, 10)}
    assert edges(first.amo) == {(5, 6)}
    assert edges(first.lxsx) == {(7, 8)}


def test_control_dependencies_of_awaits_and_assumes() -> None:
    text = "x = 1; y = 0 thread P: a := y; await(x = a + 1); b := x; assume b = 1; y := 1;"
    (trace, *_), _ = explore(text, model("sc"))
    # 0 a:=y  1 await  2 b:=x  3 assume  4 y:=1
    assert {(s[1], t[1]) for s, t in trace.data().ctrl} == {
        *((load, event) for load in (0, 1) for event in (2, 3, 4)),
        (2, 4),
    }


def test_await_reads_only_what_it_awaits() -> None:
    text = "x = 0 thread P: r := await(x = 2); thread Q: x := 1; x := 2; exists (P:r = 2)"
    assert outcomes(text, model("sc")) == {(2,)}
    assert count(text, model("sc")) == 1
    assert count("x = 0 thread P: await(x = 3);", model("sc")) == 0


def test_assume_drops_runs() -> None:
    text = "x = 0 thread P: r := x; assume r = 1; thread Q: x := 1; exists (P:r = 0)"
    assert outcomes(text, model("sc")) == {(1,)}


def test_loops_are_cut() -> None:
    text = "x = 0 thread P: L: r := x; if r = 0 goto L; thread Q: x := 1; exists (P:r = 1)"
    traces, engine = explore(text, model("sc"), unroll=2)
    # Complete: 0, 1 or 2 reads of 0 before that of 1. Cut: three reads of 0.
    assert (engine.counters.complete, engine.counters.cut) == (3, 1)
    cut = next(trace for trace in traces if trace.status is Status.CUT)
    assert len(cut.key()[0]) == 3
    assert explore(text, model("sc"), unroll=0)[1].counters.cut == 1
    _, engine = explore("x = 0 thread P: L: goto L;", model("sc"))
    assert (engine.counters.complete, engine.counters.cut) == (0, 1)


def test_each_backward_jump_has_its_own_bound() -> None:
    text = """x = 0 thread P: i := x; A: i := i + 1; if i < 3 goto A;
    j := x; B: j := j + 1; if j < 3 goto B;
    x := i + j;  exists (x = 6)"""
    assert outcomes(text, model("sc"), unroll=2) == {(6,)}
    assert explore(text, model("sc"), unroll=1)[1].counters.cut == 1


def test_cut_runs_go_with_blocked_threads() -> None:
    text = "x = 0; y = 0 thread P: L: r := x; if r = 0 goto L; thread Q: await(y = 1); x := 1;"
    _, engine = explore(text, model("sc"), unroll=1)
    assert (engine.counters.complete, engine.counters.cut, engine.counters.blocked) == (0, 1, 0)


def test_bad_address() -> None:
    text = "x at 1 = 1; y at 2 = 0 thread P: r := x; [r] := 3; thread Q: x := 7;"
    traces, engine = explore(text, model("sc"))
    assert (engine.counters.complete, engine.counters.errors) == (2, 1)
    bad = next(trace for trace in traces if trace.status is Status.ERROR).data()
    assert "access to address 7, which is not a location" in bad.error
    assert [event.kind for event in bad.events if event.thread == 0] == ["R"]
    assert bad.memory[2] == 0


def test_failed_asserts() -> None:
    text = "x = 0 thread P: r := x; A: assert r = 0; B: assert r < 5; x := 2; thread Q: x := 1;"
    traces, _ = explore(text, model("sc"))
    assert sorted(trace.failed for trace in traces) == [(), (), ("A",)]


def test_pointers() -> None:
    text = """x = 5; y = 6; p = &x
    thread P: a := p; r := [a]; [a] := 9; thread Q: p := &y; exists (P:r = 5 /\\ x = 0 /\\ y = 0)"""
    assert outcomes(text, model("sc")) == {(5, 9, 6), (6, 5, 9)}
    assert count(text, model("sc")) == 2


def test_initial_registers_and_arithmetic() -> None:
    text = """x = 0 thread P (a = 7): b := a / 2 - 5; x := -b * 3;
    r := 9223372036854775807; r := r + 1;
    exists (P:b = 0 /\\ x = 0 /\\ P:r = 0 /\\ P:a = 0)"""
    assert outcomes(text, model("sc")) == {(-2, 6, -(2**63), 7)}


CIRCLE = "x = 0; y = 0 thread P: r := x; y := r; thread Q: r := y; x := r;"


def test_values_out_of_thin_air() -> None:
    traces, engine = explore(CIRCLE, model_of(FREE))
    assert (len(traces), engine.counters.thin_air) == (3, 1)
    for name in ("sc", "tso", "power"):
        assert count(CIRCLE, model(name)) == 3


def test_addresses_out_of_thin_air() -> None:
    """A circle through an address: forbidden only if it is so wherever the address points."""
    text = "x = &x; y = &x thread P: r := x; [r] := r; thread Q: s := y; x := s;"
    _, engine = explore(text, model_of(FREE))
    assert engine.counters.thin_air >= 1
    assert explore(text, model("sc"))[1].counters.thin_air == 0
    assert explore(text, model("power"))[1].counters.thin_air == 0


def test_guessed_branches_are_no_circle() -> None:
    """Values that depend on a branch only are there once the branch is decided."""
    text = """x = 0; y = 0 thread P: r := x; if r = 0 goto E; y := 1; E: skip;
    thread Q: s := y; x := s; exists (P:r = 1 /\\ Q:s = 1)"""
    assert (1, 1) in outcomes(text, model_of(FREE))
    assert (1, 1) not in outcomes(text, model("power"))


def test_flags_are_reported_not_imposed() -> None:
    under = model_of(
        COHERENT
        + "\nflag ~empty (rf & ext & (_ * _)) \\ (IW * R) as communicates\nflag empty rf as silent"
    )
    traces, _ = explore("x = 0 thread P: r := x; thread Q: x := 1;", under)
    assert sorted(trace.data().flags for trace in traces) == [(), ("communicates",)]


def test_final_writes_and_tags() -> None:
    text = "x = 0; y = 0 thread P: x := 1 @rel; x := 2; r := y @acq;"
    assert count(text, model_of("empty FW & REL as unreleased")) == 1
    assert count(text, model_of(COHERENT + "\n~empty FW & REL as released")) == 0
    assert count(text, model_of("empty FW & IW as all_overwritten")) == 0
    assert count(text, model_of(COHERENT + "\n~empty [ACQ]; po^-1; [REL] as ordered")) == 1
    assert count(text, model_of(COHERENT + "\n~empty [ACQ]; po; [REL] as ordered")) == 0


def test_deadline() -> None:
    """It comes after the first trace, however slow the machine is."""
    stores = "; ".join(["x := 1"] * 5)
    text = f"x = 0 thread P: {stores}; thread Q: {stores};"
    engine = Enumerate()
    limits = Limits(5, deadline=time.monotonic() + 3600)
    traces = engine.explore(program(text), model_of(FREE), limits)
    next(traces)
    object.__setattr__(limits, "deadline", time.monotonic())
    with pytest.raises(Stopped):
        list(traces)
    assert engine.counters.complete > 0
