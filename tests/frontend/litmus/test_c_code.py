"""Threads of C: statements, memory accesses with their orders, and what whole tests allow."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from c_helpers import code, compiled, litmus, one, runs, values

from hybrid.bmc.engine import Bmc
from hybrid.engine.api import Engine, Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.rsmc.engine import Rsmc
from hybrid.execution.trace import Status
from hybrid.frontend.load import default_model, parse_litmus
from hybrid.model.load import load_model
from hybrid.source import Source
from hybrid.witness.as_json import from_json, to_json
from hybrid.witness.replay import replay

pytestmark = pytest.mark.sample(3)

ENGINES: dict[str, Callable[[], Engine]] = {
    "enumerate": Enumerate,
    "rsmc": Rsmc,
    "rsmc/last": lambda: Rsmc(policy="last"),
    "bmc": lambda: Bmc("sat"),
}


@pytest.mark.parametrize(
    ("body", "instructions"),
    [
        ("int r = *y;", ["r := y"]),
        ("int r = *x;", ["r := x"]),  # plain, though x is atomic
        ("*y = 1;", ["y := 1"]),
        ("int r = atomic_load(x);", ["r := x @sc"]),
        ("int r = atomic_load_explicit(x, memory_order_consume);", ["r := x @con"]),
        ("atomic_store(x, 1);", ["x := 1 @sc"]),
        ("atomic_store_explicit(x, 1, memory_order_release);", ["x := 1 @rel"]),
        ("atomic_init(x, 1);", ["x := 1"]),
        ("int r = atomic_exchange(x, 2);", ["r := xchg(x, 2) @sc"]),
        (
            "int r = atomic_fetch_sub_explicit(x, 2, memory_order_acq_rel);",
            ["r := fetch_sub32(x, 2) @acqrel"],
        ),
        ("atomic_thread_fence(memory_order_seq_cst);", ["fence @sc"]),
        ("atomic_thread_fence(memory_order_relaxed); *y = 1;", ["y := 1"]),
        ("int r = *y + 1;", ["$1 := y", "r := $1 + 1"]),
        # Loads from left to right, before the store.
        ("*y = *x + atomic_load(z);", ["$1 := x", "$2 := z @sc", "y := $1 + $2"]),
        ("*y = (*x = 1);", ["x := 1", "y := 1"]),
        ("int r; r = 3;", ["r := 3"]),
        ("if (*y) *x = 1;", ["$1 := y", "if !$1 goto #3", "x := 1"]),
        (
            "if (*y == 1) *x = 1; else *x = 2;",
            ["$1 := y", "if $1 != 1 goto #4", "x := 1", "goto #5", "x := 2"],
        ),
        # The right side of && is reached only if the left side is true.
        (
            "if (*x && *y) *z = 1;",
            ["$1 := x", "if !$1 goto #5", "$2 := y", "if !$2 goto #5", "z := 1"],
        ),
        (
            "if (*x || *y) *z = 1;",
            ["$1 := x", "if $1 goto #4", "$2 := y", "if !$2 goto #5", "z := 1"],
        ),
        (
            "if (!(*x || *y)) *z = 1;",
            ["$1 := x", "if $1 goto #5", "$2 := y", "if $2 goto #5", "z := 1"],
        ),
        # Without accesses on the right side it is computed.
        ("int r = *x; if (r && r != 2) *z = 1;",
         ["r := x", "if !(r && (r != 2)) goto #3", "z := 1"]),
        ("while (*y) *x = 1;", ["$1 := y", "if !$1 goto #4", "x := 1", "goto #0"]),
        ("do *x = 1; while (*y);", ["x := 1", "$1 := y", "if $1 goto #0"]),
        ("while (1) { if (*y) break; *x = 1; }",
         ["$1 := y", "if !$1 goto #3", "goto #5", "x := 1", "goto #0"]),
        ("return; *x = 1;", ["goto #2", "x := 1"]),
        ("if (*x) return; *y = 1;", ["$1 := x", "if !$1 goto #3", "goto #4", "y := 1"]),
        (
            "for (int i = 0; i < 2; i++) *x = i;",
            ["i := 0", "if i >= 2 goto #5", "x := i", "i := s32(i + 1)", "goto #1"],
        ),
        ("for (;;) { if (*y) continue; break; }",
         ["$1 := y", "if !$1 goto #3", "goto #4", "goto #5", "goto #0"]),
    ],
)  # fmt: skip
def test_instructions(body: str, instructions: list[str]) -> None:
    assert code(compiled(body)) == instructions


def test_unsigned_values_are_extended() -> None:
    """Where it matters: extensions that change nothing are dropped."""
    body = "unsigned r = *x; *x = r;"
    program = compiled(body, initial="unsigned int x = 3", parameters="unsigned *x")
    assert code(program) == ["r := x", "x := r"]
    program = compiled(body, initial="unsigned int x = 0xffffffff", parameters="unsigned *x")
    assert code(program) == ["r := x", "r := u32(r)", "x := s32(r)"]


def test_compare_exchange_expects_what_is_in_memory() -> None:
    body = (
        "int r = atomic_compare_exchange_strong_explicit(x, y, 2, memory_order_acq_rel, "
        "memory_order_relaxed);"
    )
    assert code(compiled(body)) == [
        "$1 := y",
        "$2, r := cas(x, $1, 2) @acqrel @fail.rlx",
        "if r goto #4",
        "y := $2",
    ]


def test_compare_exchange_expects_what_a_variable_holds() -> None:
    body = "int e = 1; int r = atomic_compare_exchange_weak(x, &e, 2);"
    assert code(compiled(body)) == [
        "e := 1",
        "$1, r := cas_weak(x, e, 2) @sc",
        "e := $1",
    ]
    assert values(runs(compiled(body), "sc"), "e", "r") == {(0, 0)}
    assert values(runs(compiled(body, initial="x=1"), "sc"), "e", "r") == {(1, 0), (1, 1)}
    strong = body.replace("weak", "strong")
    assert values(runs(compiled(strong, initial="x=1"), "sc"), "e", "r") == {(1, 1)}


def test_results_of_atomic_functions() -> None:
    body = """
  int a = atomic_exchange(x, 6); int b = atomic_fetch_add(x, 1); int c = atomic_fetch_and(x, 5);
  int d = atomic_fetch_or(x, 8); int e = atomic_fetch_xor(x, 15);
  int f = atomic_fetch_sub(x, 4); int g = *x;"""
    assert one(body, *"abcdefg", initial="x=3") == (3, 6, 7, 5, 13, 2, -2)


def test_flags() -> None:
    body = (
        "int a = atomic_flag_test_and_set(f); int b = atomic_flag_test_and_set_explicit(f, "
        "memory_order_acquire); atomic_flag_clear(f); int c = *(bool *)f;"
    )
    assert one(body, "a", "b", "c", parameters="atomic_flag *f") == (0, 1, 0)


def test_blocks_share_registers_by_name() -> None:
    body = "if (*x) { int r = 1; } else { int r = 2; } while (*y) { int s; s++; *y = 0; }"
    program = compiled(body, initial="y=1", final="exists (0:r=2 /\\ 0:s=1)")
    assert values(runs(program, "sc"), "r", "s") == {(2, 1)}


def test_a_variable_without_a_value_is_zero_each_time() -> None:
    body = "int n = 0; for (int i = 0; i < 3; i++) { int s; s++; n += s; }"
    assert one(body, "n") == (3,)


def test_loops_end_at_the_bound() -> None:
    program = compiled("while (!atomic_load(x)); *y = 1;", "atomic_store(x, 1);")
    for make in ENGINES.values():
        traces = list(make().explore(program, load_model("rc11"), Limits(3)))
        statuses = [trace.status for trace in traces]
        assert statuses.count(Status.COMPLETE) == 4  # 0, 1, 2 or 3 rounds
        assert statuses.count(Status.CUT) == 1  # four times 0


def test_initial_values_of_variables_and_parameters() -> None:
    program = compiled("int r; int s = r + *x;", initial="0:r=4; 0:x=y; y=1")
    assert values(runs(program, "sc"), "s") == {(5,)}


def test_comments_and_blanks() -> None:
    body = "/* *x = 1; } */ int r = 1; // { \n\t r = r /* * */ + 1;"
    assert one(body, "r") == (2,)


def test_architecture_and_model() -> None:
    program = compiled("*x = 1;")
    assert program.arch == "C"
    assert default_model(program) == "rc11"


# What tests allow under rc11: bodies, outcome, whether it is allowed, whether there is a race.
MP = "*y = 1; atomic_store_explicit(x, 1, memory_order_{});"
READ = "int r = atomic_load_explicit(x, memory_order_{}); int s = 2; if (r) s = *y;"
SB = (
    "atomic_store_explicit({0}, 1, memory_order_{2}); int r = atomic_load_explicit({1}, "
    "memory_order_{2});"
)


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(
    ("bodies", "outcome", "allowed", "race"),
    [
        ((MP.format("release"), READ.format("acquire")), "1:r=1 /\\ 1:s=0", False, False),
        ((MP.format("relaxed"), READ.format("acquire")), "1:r=1 /\\ 1:s=0", True, True),
        ((MP.format("release"), READ.format("relaxed")), "1:r=1 /\\ 1:s=0", True, True),
        ((MP.format("seq_cst"), READ.format("seq_cst")), "1:r=1 /\\ 1:s=0", False, False),
        (
            (SB.format("x", "z", "seq_cst"), SB.format("z", "x", "seq_cst")),
            "0:r=0 /\\ 1:r=0",
            False,
            False,
        ),
        (
            (SB.format("x", "z", "relaxed"), SB.format("z", "x", "relaxed")),
            "0:r=0 /\\ 1:r=0",
            True,
            False,
        ),
        # A lock by compare-exchange: the failure is relaxed, so it does not order the plain
        # accesses.
        (
            (
                ("int e = 0; if (atomic_compare_exchange_strong_explicit(x, &e, 1, "
                    "memory_order_acquire, memory_order_relaxed)) { (*y)++; "
                    "atomic_store_explicit(x, 0, memory_order_release); }"),
            )
            * 2,
            "y=2",
            True,
            False,
        ),
        (
            (
                ("int e = 7; atomic_compare_exchange_strong_explicit(x, &e, 1, "
                    "memory_order_acquire, memory_order_relaxed); int s = *y;"),
                MP.format("release"),
            ),
            "0:e=1 /\\ 0:s=0",
            True,
            True,
        ),
        (
            (
                ("int e = 7; atomic_compare_exchange_strong_explicit(x, &e, 1, "
                    "memory_order_relaxed, memory_order_acquire); int s = 2; if (e) s = *y;"),
                MP.format("release"),
            ),
            "0:e=1 /\\ 0:s=0",
            False,
            False,
        ),
    ],
)  # fmt: skip
def test_outcomes(
    name: str, bodies: tuple[str, ...], outcome: str, allowed: bool, race: bool
) -> None:
    program = compiled(*bodies, final=f"exists ({outcome})")
    found = runs(program, engine=ENGINES[name]())
    assert program.condition is not None
    terms = program.terms
    wanted = {part.split("=")[0]: int(part.split("=")[1]) for part in outcome.split(" /\\ ")}
    traces = list(ENGINES[name]().explore(program, load_model("rc11"), Limits(5)))
    outcomes = [
        {t.name: trace.value_of(t) for t in terms}
        for trace in traces
        if trace.status is Status.COMPLETE
    ]
    assert (wanted in outcomes) == allowed
    assert any("race" in run.flags for run in found) == race


def test_it_reads_back_the_text() -> None:
    """A test as people write it."""
    text = litmus("*y = 1;", initial="[x] = 0; [y] = 0;", final="locations [x; y;]\nforall (y=1)")
    program = parse_litmus(Source("t.litmus", text))
    assert [term.name for term in program.terms] == ["y", "x"]


def test_witnesses_are_confirmed() -> None:
    """Each execution of a test, written as JSON and replayed from its text."""
    body = (
        "int e = 1; int r = atomic_compare_exchange_weak_explicit(x, &e, 2, "
        "memory_order_acquire, memory_order_relaxed); if (!r) *y = e;"
    )
    text = litmus(body, "atomic_store(x, 1);", final="exists (0:r=1)")
    program = parse_litmus(Source("t.litmus", text))
    found = runs(program, engine=Rsmc())
    assert len(found) == 3
    for data in found:
        witness = from_json(json.dumps(to_json(data, "rc11", "rsmc", text)), "w.json")
        result = replay(witness, load_model("rc11"))
        assert result.agrees, result.differences
