"""Threads of C programs: starting, joining, what they are given and what they return, what each has
for itself."""

from __future__ import annotations

import pytest
from c_verify import ENGINES, compiled, holds, violates

ARGUMENTS = """
struct job { int in, out; };
void *work(void *p) { struct job *j = p; j->out = j->in * 2; return 0; }
void *number(void *p) { return (void *)((long)p + 1); }
int main(void) {
  struct job jobs[2] = { { 1, 0 }, { 5, 0 } }; pthread_t t[2], u; void *r;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &jobs[i]);
  pthread_create(&u, 0, number, (void *)41l);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(jobs[0].out == 2 && jobs[1].out == 10); pthread_join(u, &r); assert((long)r == 42);
  return 0; }
"""
NESTED = """
int x;
void *inner(void *_) { x += 5; return (void *)7l; }
void *outer(void *_) { x = 1; pthread_t t; void *r; pthread_create(&t, 0, inner, 0);
  pthread_join(t, &r); assert((long)r == 7); x += 10; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, outer, 0); pthread_join(t, 0);
  assert(x == 16); return 0; }
"""
EXITING = """
int x;
static void deep(int n) { if (n == 0) pthread_exit((void *)3l); deep(n - 1); x = 1; }
void *f(void *_) { deep(2); x = 2; return 0; }
int main(void) { pthread_t t; void *r; pthread_create(&t, 0, f, 0); pthread_join(t, &r);
  assert((long)r == 3 && x == 0); return 0; }
"""
IDENTITY = """
atomic_int same; pthread_t first;
void *f(void *_) { if (pthread_equal(pthread_self(), first)) same++; return 0; }
int main(void) { first = pthread_self(); pthread_t t; pthread_create(&t, 0, f, 0); f(0);
  assert(!pthread_equal(t, first)); pthread_join(t, 0); assert(same == 1); return 0; }
"""
LOCALS = """
__thread int own = 5; static _Thread_local int *at = 0; atomic_int sum;
void *f(void *n) { own += (long)n; at = &own; assert(*at == 5 + (long)n); sum += own; return 0; }
int main(void) { pthread_t t[2]; own = 100;
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, f, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(own == 100 && at == 0 && sum == 11); return 0; }
"""
SHARED_LOCAL = """
__thread int own; int *_Atomic published;
void *f(void *_) { own = 7; atomic_store(&published, &own); while (atomic_load(&published)) ;
  assert(own == 8); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int *p;
  while (!(p = atomic_load(&published))) ; assert(*p == 7); *p = 8; own = 1;
  atomic_store(&published, 0); pthread_join(t, 0); return 0; }
"""
KEYS = """
pthread_key_t key; atomic_int freed;
void drop(void *p) { atomic_fetch_add(&freed, *(int *)p); free(p); }
static int mine(void) { return *(int *)pthread_getspecific(key); }
void *f(void *n) { assert(pthread_getspecific(key) == 0); int *p = malloc(4); *p = (long)n;
  pthread_setspecific(key, p); assert(mine() == (long)n); if (*p == 2) pthread_exit(0); return 0; }
int main(void) { pthread_t t[2]; pthread_key_create(&key, drop); pthread_setspecific(key, &key);
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, f, (void *)(i + 1));
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(freed == 3 && pthread_getspecific(key) == &key); pthread_key_delete(key); return 0; }
"""
C11 = """
#include <threads.h>
mtx_t m; int x; once_flag once = ONCE_FLAG_INIT; tss_t key; atomic_int cleared;
void init(void) { x = 10; }
void clear(void *p) { atomic_fetch_add(&cleared, (long)p); }
int f(void *n) { call_once(&once, init); tss_set(key, n); mtx_lock(&m); x++; mtx_unlock(&m);
  thrd_yield(); assert(tss_get(key) == n); if ((long)n == 1) thrd_exit(8); return 7; }
int main(void) { thrd_t a, b; int r, s; tss_create(&key, clear); mtx_init(&m, mtx_plain);
  thrd_create(&a, f, (void *)1l); thrd_create(&b, f, (void *)2l);
  assert(!thrd_equal(a, thrd_current())); assert(thrd_join(a, &r) == thrd_success);
  thrd_join(b, &s); assert(r == 8 && s == 7 && x == 12 && cleared == 3); mtx_destroy(&m);
  return 0; }
"""
CONDITIONAL = """
atomic_int go; int x;
void *late(void *_) { x = 1; return 0; }
void *set(void *_) { atomic_store(&go, 1); return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, set, 0);
  if (atomic_load(&go)) { pthread_create(&u, 0, late, 0); pthread_join(u, 0); assert(x == 1); }
  else assert(x == 0);
  return 0; }
"""
GIVEN = """
atomic_int v; int got;
void *set(void *_) { atomic_store(&v, 4); return 0; }
void *take(void *p) { got = (long)p; return p; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, set, 0); long x = atomic_load(&v);
  pthread_create(&u, 0, take, (void *)(x + 1)); void *r; pthread_join(u, &r);
  assert(got == x + 1 && (long)r == x + 1 && (got == 1 || got == 5)); return 0; }
"""
FREEING_KEY = """
pthread_key_t key;
void *f(void *_) { pthread_setspecific(key, malloc(4)); return 0; }
int main(void) { pthread_t t; pthread_key_create(&key, free);
  pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }
"""
# The thread that comes first makes the key.
KEY_MADE_ONCE = """
pthread_key_t key; pthread_once_t once = PTHREAD_ONCE_INIT; atomic_int freed;
void drop(void *p) { free(p); freed++; }
void make(void) { pthread_key_create(&key, drop); }
int *mine(void) { pthread_once(&once, make); int *p = pthread_getspecific(key);
  if (!p) { p = calloc(1, sizeof *p); assert(!pthread_setspecific(key, p)); } return p; }
void *f(void *_) { ++*mine(); assert(++*mine() == 2); return 0; }
int main(void) { pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0); assert(freed == 2); return 0; }
"""
NO_KEY = """
atomic_int n; void *f(void *_) { n = 5; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int k = n;
  assert(pthread_getspecific(k) == 0); assert(pthread_setspecific(k, &n) == 22);
  pthread_join(t, 0); return 0; }
"""

PROGRAMS = {
    "arguments": (ARGUMENTS, 1),
    "nested": (NESTED, 1),
    "exiting": (EXITING, 1),
    "identity": (IDENTITY, 1),
    "locals": (LOCALS, 2),
    "keys": (KEYS, 2),
    "c11": (C11, 8),
    "conditional": (CONDITIONAL, 2),
    "given": (GIVEN, 2),
    "freeing key": (FREEING_KEY, 1),
    "key made once": (KEY_MADE_ONCE, 4),
    "no key": (NO_KEY, 2),
}


@pytest.mark.large
@pytest.mark.parametrize("name", PROGRAMS)
def test_threads(name: str) -> None:
    text, traces = PROGRAMS[name]
    holds(text, traces)


@pytest.mark.parametrize("engine", ENGINES[1:])
@pytest.mark.parametrize("name", ["arguments", "nested", "locals", "keys", "conditional", "given"])
def test_threads_of_other_engines(name: str, engine: str) -> None:
    text, traces = PROGRAMS[name]
    holds(text, traces, engine=engine)


def test_a_key_that_is_made_once_by_another_engine() -> None:
    holds(KEY_MADE_ONCE, 4, engine="trust")
    wrong = KEY_MADE_ONCE.replace("freed == 2", "freed == 1")
    violates(wrong, "assertion at 10: freed == 1", engine="trust")


@pytest.mark.parametrize("level", ["-O1", "-O2"])
@pytest.mark.parametrize("name", ["arguments", "nested", "exiting", "locals", "keys", "c11"])
def test_optimised(name: str, level: str) -> None:
    text, traces = PROGRAMS[name]
    holds(text, traces, flags=(level,))


def test_a_local_of_one_thread_that_another_reaches() -> None:
    violates(SHARED_LOCAL.replace("assert(own == 8)", "assert(own == 7)"), "assertion at 4: own")


def test_threads_are_named_by_their_functions() -> None:
    program = compiled(ARGUMENTS)
    assert [each.name for each in program.threads] == ["main", "work", "work#2", "number"]


def test_a_thread_that_nobody_joins() -> None:
    """What it does counts, and main does not wait for it."""
    text = """int x; void *f(void *_) {
      x = 1; return 0; }
    int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_detach(t);
      return x; }"""
    result = violates(text, "race at")
    assert result.violations[0].fault.line


def test_many_threads_in_a_loop() -> None:
    text = """atomic_int n; void *f(void *_) { n++; return 0; }
    int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0);
      for (int i = 0; i < 4; i++) pthread_join(t[i], 0); assert(n == 4); return 0; }"""
    holds(text, 24)
