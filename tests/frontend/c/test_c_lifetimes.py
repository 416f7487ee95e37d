"""Variables of functions that have returned, and threads that are waited for once too often."""

from __future__ import annotations

import pytest
from c_verify import ENGINES, compiled, holds, verify, violates

from hybrid.verdict import Verdict

GONE = "is gone: its function has returned"
WRITTEN = "use after free at 2: a write to a variable that is gone: its function has returned"

OF_ONE_THREAD = {
    "read": """int *p;
void g(void) { int x = 3; p = &x; }
int main(void) { g();
  return *p; }""",
    "written": """int *p;
void g(void) { int x = 3; p = &x; }
int main(void) { g();
  *p = 4; }""",
    "private": """int *g(int k) { int x = k; int *p = &x; return p; }
void *f(void *_) {
  int *p = g(3);
  return (void *)(long)*p; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); }""",
}


@pytest.mark.parametrize("name", OF_ONE_THREAD)
def test_of_one_thread(name: str) -> None:
    violates(OF_ONE_THREAD[name], f"use after free at 4: x {GONE}")


@pytest.mark.parametrize("engine", ENGINES)
def test_an_argument_that_is_gone_too_early(engine: str) -> None:
    """It is read, and nobody writes it: its value would be known."""
    text = """int sum;
void *f(void *a) { sum = *(int *)a; return 0; }
pthread_t start(void) { int x = 3; pthread_t t; pthread_create(&t, 0, f, &x); return t; }
int main(void) { pthread_t t = start(); pthread_join(t, 0); assert(sum == 3); }"""
    violates(text, f"use after free at 2: x {GONE}", "race at 3", engine=engine)


def test_a_write_to_what_is_gone() -> None:
    text = """
void *f(void *a) { *(int *)a = 1; return 0; }
pthread_t start(void) { int x = 3; pthread_t t; pthread_create(&t, 0, f, &x); return t; }
int main(void) { pthread_t t = start(); pthread_join(t, 0); }"""
    violates(text, WRITTEN, "race at 3")


def test_a_function_that_waits_for_its_threads() -> None:
    text = """struct work { int from, sum; };
void *f(void *a) { struct work *w = a; w->sum = w->from + 1; return 0; }
int run(int from) { struct work w = { from, 0 }; pthread_t t;
  pthread_create(&t, 0, f, &w); pthread_join(t, 0); return w.sum; }
int main(void) { %s }"""
    holds(text % "assert(run(3) == 4);", 1)
    assert not compiled(text % "assert(run(3) == 4);").frees
    holds(text % "assert(run(3) == 4); assert(run(5) == 6);", 1)


def test_what_is_gone_before_threads_run() -> None:
    text = """int *p;
void *f(void *_) { *p = 1; return 0; }
void g(void) { int x = 3; p = &x; }
int main(void) { g(); pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); }"""
    violates(text, WRITTEN)
    text = text.replace("*p = 1", "assert(*p == 3)")
    violates(text, f"use after free at 2: x {GONE}", "assertion at 2: *p == 3")


def test_a_thread_that_starts_after_the_others_have_ended() -> None:
    text = """int *_Atomic p;
void *f(void *a) { *(int *)a = 1; p = a; return 0; }
void *late(void *_) { int *q = p; return (void *)(long)*q; }
void g(void) { int x = 3; pthread_t t; pthread_create(&t, 0, f, &x); pthread_join(t, 0); }
int main(void) { g(); pthread_t t; pthread_create(&t, 0, late, 0); pthread_join(t, 0); }"""
    violates(text, "use after free at 3: what it reads is gone")


@pytest.mark.parametrize("end", ["return 0;", "pthread_exit(0);"])
def test_at_the_end_of_a_thread(end: str) -> None:
    text = """int *_Atomic p;
void *f(void *a) { atomic_int x; atomic_init(&x, 3); p = (int *)&x; %s }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);
  atomic_int *q = (atomic_int *)p; return *q; }"""
    violates(text % end, "use after free at 4: what it reads is gone")


@pytest.mark.large
def test_a_variable_that_begins_again_in_a_loop_on_memory() -> None:
    """A queue of waiting threads, each of which has its node on its stack."""
    text = """typedef struct node { _Atomic(struct node *) next; atomic_int locked; } node;
_Atomic(node *) tail; int n; atomic_int go = 2;
void work(void) { node me;
  atomic_init(&me.next, 0); atomic_init(&me.locked, 1);
  node *before = atomic_exchange(&tail, &me);
  if (before) { atomic_store(&before->next, &me); while (me.locked) ; }
  n++;
  node *after = me.next, *own = &me;
  if (!after) {
    if (atomic_compare_exchange_strong(&tail, &own, 0)) return;
    while (!(after = me.next)) ; }
  after->locked = 0; }
void *f(void *_) { while (atomic_fetch_sub(&go, 1) > 0) work(); return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);
  pthread_join(t, 0); pthread_join(u, 0); assert(n == 2); }"""
    assert verify(text, "trust").answer is Verdict.BOUNDED


def test_a_variable_of_a_thread_that_has_ended() -> None:
    text = """_Thread_local int own = 1; int *_Atomic p;
void *f(void *_) { own = 5; p = &own; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);
  return *p; }"""
    violates(text, "use after free at 4: what it reads is gone: its thread has ended")


def test_main_s_own_variables_last() -> None:
    text = """void *f(void *a) { atomic_int *p = a; *p = 1; return 0; }
int main(void) { atomic_int x = 0; pthread_t t; pthread_create(&t, 0, f, &x); return 0; }"""
    holds(text)


JOINS = {
    "joined": "pthread_join(t, 0); pthread_join(t, 0);",
    "detached": "pthread_detach(t); pthread_join(t, 0);",
}


@pytest.mark.parametrize("name", JOINS)
def test_joining_what_cannot_be_joined(name: str) -> None:
    text = f"""void *f(void *_) {{ return 0; }}
int main(void) {{ pthread_t t; pthread_create(&t, 0, f, 0);
  {JOINS[name]} }}"""
    violates(text, f"invalid join at 3: f was {name} before")


def test_joining_perhaps_twice() -> None:
    text = """atomic_int x; void *f(void *_) { x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
  if (x) pthread_join(t, 0);
  pthread_join(t, 0); }"""
    violates(text, "invalid join at 4: f was joined before")
