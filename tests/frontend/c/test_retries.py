"""Weak compare-exchanges that may fail without a reason: in which loops that is left out, and that
nothing is lost by it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from c_verify import compiled, holds, told, verify, violates
from support import model

from hybrid.engine.configuration import Configuration
from hybrid.program import instructions as ins
from hybrid.program.condition import LocationTerm
from hybrid.program.program import Program
from hybrid.report.explored import explore
from hybrid.report.result import Outcome
from hybrid.verdict import Verdict

HEAD = """atomic_int x, y;
struct node { struct node *next; int v; }; struct node *_Atomic top, *seen;
#define CAS atomic_compare_exchange_weak
#define NODE struct node *n = malloc(sizeof *n); n->v = 1;
"""
MAIN = """
int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return 0; }
"""


def text(body: str) -> str:
    return f"{HEAD}void *f(void *_) {{ {body} return 0; }}{MAIN}"


# Those in which a failure without a reason only leads to the same again.
RETRIED = {
    "the old value": "int e = x; while (!CAS(&x, &e, e + 1)) ;",
    "loaded again": "int e; do { e = x; } while (!CAS(&x, &e, e + 1));",
    "a lock": "int e = 0; while (!CAS(&x, &e, 1)) e = 0; y++; x = 0;",
    "waiting": "int e; do { while ((e = x)) ; } while (!CAS(&x, &e, 1)); y++; x = 0;",
    "leaving before it": "int e = x; do { if (e > 0) return 0; } while (!CAS(&x, &e, e + 1));",
    "a fence": "int e = x; while (!CAS(&x, &e, e + 1)) atomic_thread_fence(memory_order_seq_cst);",
    "a private counter": "int e = x, n = 0; while (!CAS(&x, &e, e + 1)) n++;",
    "push": "NODE struct node *e = top; do { n->next = e; } while (!CAS(&top, &e, n));",
    "push in place": "NODE n->next = top; while (!CAS(&top, &n->next, n)) ;",
    "push loaded": "NODE struct node *e; do { e = top; n->next = e; } while (!CAS(&top, &e, n));",
    "twice": "for (int i = 0; i < 2; i++) { int e = x; while (!CAS(&x, &e, e + 1)) ; }",
}
# Those in which it leads elsewhere, or something has changed.
NOT_RETRIED = {
    "no loop": "int e = 0; CAS(&x, &e, 1);",
    "not again": "for (int i = 0; i < 2; i++) { int e = i; CAS(&x, &e, i + 1); }",
    "tries": "int e = x; for (int i = 0; i < 3 && !CAS(&x, &e, e + 1); i++) ;",
    "counted": "int e = x, n = 0; while (!CAS(&x, &e, e + 1)) n++; y = n;",
    "a shared counter": "int e = x; while (!CAS(&x, &e, e + 1)) y++;",
    "stored before": "int e = x; do { y = e; } while (!CAS(&x, &e, e + 1));",
    "leaving after it": "int e = x; while (!CAS(&x, &e, e + 1)) if (y) return 0;",
    "an assertion": "int e = 0; while (!CAS(&x, &e, 1)) { assert(e != 0); e = 0; }",
    "another value": "int e = x; while (!CAS(&x, &e, e + 1)) e++;",
    "another one": "int e, d; do { d = y; CAS(&y, &d, 1); e = x; } while (!CAS(&x, &e, e + 1));",
    "seen by others": "NODE seen = n; n->next = top; while (!CAS(&top, &n->next, n)) ;",
    "what it was": "NODE struct node *e = top; n->next = 0; do { if (e && n->next) return 0; "
    "n->next = e; } while (!CAS(&top, &e, n));",
}


def weak(program: Program) -> list[bool]:
    return [
        each.weak
        for each in program.threads[0].code
        if isinstance(each, ins.Rmw) and each.op == "cas"
    ]


@pytest.mark.parametrize("name", RETRIED)
def test_left_out(name: str) -> None:
    program = compiled(text(RETRIED[name]))
    assert not any(weak(program))
    assert "tried again with nothing changed" in program.remarks[0]


@pytest.mark.parametrize("name", NOT_RETRIED)
def test_not_left_out(name: str) -> None:
    program = compiled(text(NOT_RETRIED[name]))
    assert all(weak(program)) and not program.remarks


# ---- that nothing is lost


def states(program: Program, under: str) -> set[Outcome]:
    """The final memory of the runs that are not cut."""
    observed = tuple(LocationTerm(each.span, each.address, each.name) for each in program.locations)
    configuration = replace(Configuration("rsmc").suiting(program), unroll=2)
    return set(explore(configuration, replace(program, observed=observed), model(under)).outcomes)


def weakened(program: Program) -> Program:
    """With all compare-exchanges as they were written."""
    threads = tuple(
        replace(
            thread,
            code=tuple(
                replace(each, weak=True) if isinstance(each, ins.Rmw) and each.op == "cas" else each
                for each in thread.code
            ),
        )
        for thread in program.threads
    )
    return replace(program, threads=threads)


@pytest.mark.large
@pytest.mark.parametrize("under", ["sc", "rc20"])
@pytest.mark.parametrize("name", [name for name in RETRIED if name != "twice"])
def test_that_nothing_is_lost(name: str, under: str) -> None:
    program = compiled(text(RETRIED[name]))
    assert states(weakened(program), under) <= states(program, under)


# ---- what is found


def test_a_push_that_fails_for_no_reason() -> None:
    """It holds, and nothing is cut."""
    holds(text(RETRIED["push"]))
    holds(text(RETRIED["push in place"]))


@pytest.mark.parametrize("engine", ["rsmc", "trust"])
def test_a_failure_that_shows(engine: str) -> None:
    violates(
        """atomic_int x; void *f(void *_) { return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int e = 0;
  while (!atomic_compare_exchange_weak(&x, &e, 1)) {
    assert(e != 0); e = 0; }
  return 0; }""",
        "assertion at 4: e != 0",
        engine=engine,
    )


def test_tries_that_all_fail() -> None:
    found = verify(
        """atomic_int x; void *f(void *_) { return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int e = 0, done = 0;
  for (int i = 0; i < 3 && !done; i++) done = atomic_compare_exchange_weak(&x, &e, 1);
  assert(done); return 0; }"""
    )
    assert found.answer is Verdict.VIOLATED and told(found) == ["assertion at 4: done"]
