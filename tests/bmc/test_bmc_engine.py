"""Programs with known runs: loops, errors, asserts, exclusives, awaits, and values in circles."""

from __future__ import annotations

import time

import pytest
from bmc_programs import assert_same, runs_of
from support import answer, model, model_of, program

from hybrid.bmc import solution
from hybrid.bmc.engine import Bmc, make_logic
from hybrid.bmc.solvers import SOLVERS
from hybrid.bmc.symbolic import symbolic
from hybrid.bmc.thin_air import can_be_circular
from hybrid.engine.api import Limits, Stopped
from hybrid.errors import InputError, InternalError
from hybrid.execution.trace import Status
from hybrid.frontend.generators import fig11
from hybrid.verdict import Verdict

pytestmark = pytest.mark.sample(4)

PROGRAMS = {
    "a pointer read from memory": """x = 0; y = 7; p = &x
        thread P: A: p := &y; B: p := 1000;
        thread Q: C: a := p; D: r := [a]; E: [a] := r + 1;""",
    "an assert before a failed assume": """x = 0
        thread P: A: x := 1;
        thread Q: B: r := x; C: assert r = 0; D: assume r = 0; E: x := 2;""",
    "an await that waits for ever beside a loop that is cut": """x = 0; y = 0
        thread P: A: r := x; B: if r = 0 goto A; C: y := 1;
        thread Q: D: await(y = 1); E: x := 2;""",
    "ways that assign different registers": """x = 0
        thread P: A: r := x; B: if r = 0 goto D; C: a := r + 1; C2: goto E;
            D: b := 5; E: x := b - a;
        thread Q: F: x := 3;""",
    "reservations that meet": """x = 0; y = 0
        thread P: A: c := y; B: if c = 0 goto D; C: r := lr(x); C2: goto E; D: r := lr(y);
                  E: s := sc(x, 1); F: t := sc(x, 2); G: y := s + t;
        thread Q: H: y := 1;""",
    "a loop with two jumps": """x = 0
        thread P: A: r := x; B: if r = 0 goto A; C: c := cas(x, 1, 2);
            D: if c != 1 goto A; E: x := 5;
        thread Q: F: x := 1;""",
    "a backward jump that closes no loop": """x = 0
        thread P: A: goto C; B: x := 1; B2: goto E; C: r := x; D: goto B; E: x := r + 2;""",
    "a loop without end": "x = 0; thread P: A: x := 1; B: goto B; thread Q: C: r := x;",
    "a product that wraps": """x = 3000000000; y = 0
        thread P: A: r := x; B: s := r * r; C: y := s * r; D: t := s / (r - 3000000000);
        thread Q: E: x := -9223372036854775808; F: a := x; G: b := a / -1;""",
    "fetch-and-ops of fewer bits": """x = 2147483647; y = -1; z = 0
        thread P: A: r := fetch_add32(x, 1); B: s := fetch_umin(y, 5); B2: u := y;
            C: z := u32(u) >>> 4;
        thread Q: D: t := fetch_add8(x, 200); E: v := x; F: z := umax(s32(v), -2);""",
    "a fetch-and-max with a guard": """x = 1; y = 0
        thread P: A: r := fetch_max(x, 5) await < 3; B: y := r;
        thread Q: C: s := xchg(x, 2); D: t := y;""",
}


@pytest.mark.large
@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("solver", SOLVERS)
def test_same_as_enumerate(text: str, solver: str) -> None:
    for name, unroll in (("sc", 0), ("sc", 2), ("power", 1), ("rc11", 1)):
        assert assert_same(program(text), model(name), solver, unroll)


def test_the_loop_bound_is_reported() -> None:
    spin = "x = 0; thread P: A: r := x; B: if r = 0 goto A; thread Q: C: x := 1;"
    for solver in SOLVERS:
        found, counters = runs_of(Bmc(solver), program(spin), model("sc"), 3)
        assert counters.cut == sum(status is Status.CUT for status, _ in found) == 1
        assert counters.complete == 4
        assert answer(program(spin), model("sc"), Limits(3), solver).answer is Verdict.BOUNDED


def test_errors_say_what_happened() -> None:
    text = program("x = 0; p = &x; thread P: A: p := 99; thread Q: B: a := p; C: r := [a];")
    for solver in SOLVERS:
        result = answer(text, model("sc"), Limits(), solver)
        assert result.answer is Verdict.VIOLATED
        assert result.messages == ["thread Q, C: access to address 99, which is not a location"]
        assert result.witness is not None
        assert result.witness.status is Status.ERROR


CIRCLE = program(
    """x = 0; y = 0
    thread P: A: r := x; B: y := r;
    thread Q: C: s := y; D: x := s;
    exists (P:r = 42)"""
)
COHERENT = "acyclic (po & loc) | rf | co | fr as coherent"


@pytest.mark.parametrize("solver", SOLVERS)
def test_values_out_of_thin_air_are_no_answer(solver: str) -> None:
    lenient = model_of("let fr = rf^-1 ; co\n" + COHERENT)
    result = answer(CIRCLE, lenient, Limits(), solver)
    assert result.answer is Verdict.INCONCLUSIVE
    assert result.counters.thin_air == 1
    found = assert_same(CIRCLE, lenient, solver)
    assert len(found) == 3
    strict = answer(CIRCLE, model("power"), Limits(), solver)
    assert (strict.answer, strict.counters.thin_air) == (Verdict.FORBIDDEN, 0)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_circle_that_has_no_values_is_none(solver: str) -> None:
    """enumerate, which leaves circles alone, cannot tell."""
    lenient = model_of("let fr = rf^-1 ; co\n" + COHERENT)
    growing = program(
        """x = 0; y = 0
        thread P: A: r := x; B: y := r + 1;
        thread Q: C: s := y; D: x := s + 1;
        exists (P:r = 42)"""
    )
    result = answer(growing, lenient, Limits(), solver)
    assert (result.answer, result.counters.thin_air) == (Verdict.FORBIDDEN, 0)
    assert_same(growing, lenient, solver)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_branch_may_be_taken_because_of_a_store_behind_it(solver: str) -> None:
    """No value is in a circle here, though the model lets each store depend on the other's
    branch."""
    lenient = model_of("let fr = rf^-1 ; co\n" + COHERENT)
    text = program(
        r"""x = 0; y = 0
        thread P: A: r := x; B: if r = 0 goto E; C: y := 1; E: skip;
        thread Q: F: s := y; G: if s = 0 goto I; H: x := 1; I: skip;
        exists (P:r = 1 /\ Q:s = 1)"""
    )
    assert answer(text, lenient, Limits(), solver).answer is Verdict.ALLOWED
    assert answer(text, model("power"), Limits(), solver).answer is Verdict.FORBIDDEN
    assert_same(text, lenient, solver)


@pytest.mark.parametrize("solver", SOLVERS)
def test_counts_of_the_paper(solver: str) -> None:
    for stores, traces in ((2, 9), (4, 73)):  # C(2k, k) + 3
        _, counters = runs_of(Bmc(solver), program(fig11(stores, fences=False)), model("power"), 5)
        assert counters.complete == traces


def test_a_wrong_bit_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are computed anew from rf; the solver's must be the same where they are compared."""
    monkeypatch.setattr(solution, "number", lambda bits: 5)
    trace = next(iter(Bmc("sat").explore(CIRCLE, model("sc"), Limits())))
    assert isinstance(trace, solution.BmcTrace)
    with pytest.raises(InternalError, match="the solver says 5"):
        _ = trace.circular


def test_time_is_limited() -> None:
    for solver in SOLVERS:
        with pytest.raises(Stopped):
            list(Bmc(solver).explore(CIRCLE, model("sc"), Limits(deadline=time.monotonic() - 1)))
        result = answer(CIRCLE, model("sc"), Limits(deadline=time.monotonic() - 1), solver)
        assert result.answer is Verdict.INCONCLUSIVE
        assert result.partial.startswith("time-out")


def test_unknown_solvers_are_refused() -> None:
    for name in ("cvc5", ""):
        with pytest.raises(InputError, match="no solver is called"):
            make_logic(name)
    with pytest.raises(InputError, match="no SAT solver is called"):
        Bmc("sat", "zchaff")


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", ["sc", "power"])
def test_an_await_and_a_value_computed_by_a_later_thread(name: str, solver: str) -> None:
    """What a location may hold in the end is known only when all that is stored is."""
    source = program(
        "x = 0; y = 0\n"
        "thread P: L0: xchgawait(y = 0, := 1);\n"
        "thread Q: L1: r0 := x; L2: y := 3 + r0;"
    )
    found = assert_same(source, model(name), solver)
    assert {status for status, _ in found} == {Status.COMPLETE, Status.WAITING}


def test_no_circles_where_the_model_keeps_po_and_rf_acyclic() -> None:
    """They are not looked for then, which can take a solver long."""
    text = "x = 0; y = 0; thread P: r := x; y := r; thread Q: s := y; x := s;"
    runs = symbolic(program(text), Limits())
    for name in ("sc", "ra", "rc11", "rc20"):
        assert not can_be_circular(runs, model(name), Limits())
    for name in ("power", "aarch64"):
        assert can_be_circular(runs, model(name), Limits())
