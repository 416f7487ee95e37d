"""Condition variables: whom a signal wakes, and what goes wrong with them."""

from __future__ import annotations

import pytest
from c_verify import ENGINES, holds, told, verify, violates

HANDSHAKE = """pthread_mutex_t m; pthread_cond_t c; int ready, x;
void *f(void *_) { pthread_mutex_lock(&m); x = 5; ready = 1; pthread_cond_signal(&c);
  pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  assert(x == 5); pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }
"""
EVERYBODY = """pthread_mutex_t m; pthread_cond_t c; int go;
void *f(void *_) { pthread_mutex_lock(&m); while (!go) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
  pthread_mutex_lock(&m); go = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);
  pthread_join(a, 0); pthread_join(b, 0); return 0; }
"""
TIMED_WAIT = """#include <errno.h>
pthread_mutex_t m; pthread_cond_t c; int ready, late;
void *f(void *_) { pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c);
  pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); struct timespec at = { 9, 0 };
  pthread_mutex_lock(&m); if (!ready) { int r = pthread_cond_timedwait(&c, &m, &at);
    assert(r == 0 || r == ETIMEDOUT); assert(r == ETIMEDOUT || ready); }
  pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }
"""
C11_CONDITION = """#include <threads.h>
mtx_t m; cnd_t c; int ready;
int f(void *_) { mtx_lock(&m); ready = 1; cnd_signal(&c); mtx_unlock(&m); return 0; }
int main(void) { thrd_t t; mtx_init(&m, mtx_plain); cnd_init(&c); thrd_create(&t, f, 0);
  mtx_lock(&m); while (!ready) cnd_wait(&c, &m); mtx_unlock(&m); thrd_join(t, 0);
  cnd_destroy(&c); return 0; }
"""


@pytest.mark.parametrize("engine", ENGINES[:2])
@pytest.mark.parametrize(
    "text", [HANDSHAKE, EVERYBODY, TIMED_WAIT, C11_CONDITION], ids=["one", "all", "timed", "c11"]
)
def test_conditions(text: str, engine: str) -> None:
    holds(text, engine=engine)


def test_a_signal_that_is_lost() -> None:
    """It comes before anybody waits, and nobody looks whether it did."""
    text = HANDSHAKE.replace("while (!ready) ", "")
    violates(text, "deadlock at 5")


# Two wait for different things at one condition, and a signal is meant for one of them.
DIFFERENT = """pthread_mutex_t m; pthread_cond_t c; int a, b;
void *f(void *_) { pthread_mutex_lock(&m); while (!a) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m); return 0; }
void *g(void *_) { pthread_mutex_lock(&m); while (!b) pthread_cond_wait(&c, &m); a = 1;
  pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);
  pthread_mutex_lock(&m); b = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
  pthread_join(t, 0); pthread_join(u, 0); return 0; }
"""
# Threads wait, all of them before main does something.
SLEEPERS = """#include <hybrid.h>
pthread_mutex_t m; pthread_cond_t c; int n;
void *f(void *_) { pthread_mutex_lock(&m); n++; pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; for (int i = 0; i < COUNT; i++) pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m); __VERIFIER_assume(n == COUNT); WAKES; pthread_mutex_unlock(&m);
  pthread_exit(0); }
"""
SIGNAL, BROADCAST = "pthread_cond_signal(&c)", "pthread_cond_broadcast(&c)"


def sleepers(count: int, wakes: str) -> str:
    return SLEEPERS.replace("COUNT", str(count)).replace("WAKES", wakes)


@pytest.mark.parametrize("engine", ENGINES[:2])
def test_a_signal_that_wakes_the_wrong_one(engine: str) -> None:
    violates(DIFFERENT, "deadlock at 8: main at p.c:13 joins f, f at p.c:7 waits", engine=engine)
    holds(DIFFERENT.replace("b = 1; pthread_cond_signal", "b = 1; pthread_cond_broadcast"))


@pytest.mark.large
def test_a_signal_without_the_mutex() -> None:
    """The condition's own lock does then what the mutex does."""
    text = DIFFERENT.replace(
        "pthread_cond_signal(&c); pthread_mutex_unlock(&m);",
        "pthread_mutex_unlock(&m); pthread_cond_signal(&c);",
    )
    violates(text, "deadlock at")
    holds(text.replace("cond_signal", "cond_broadcast"))
    found = verify(text)
    assert found.counters.deadlocks > verify(DIFFERENT).counters.deadlocks


@pytest.mark.large
@pytest.mark.parametrize("engine", ENGINES)
def test_a_signal_wakes_one_or_all(engine: str) -> None:
    """Of two that wait, in either order: the one, the other, or both, in either order again."""
    found = verify(sleepers(2, SIGNAL), engine, "sc" if engine == "bmc" else "rc20")
    assert told(found)[0].startswith("deadlock at 3: f")
    assert found.traces == 2 * 2
    if engine != "bmc":
        assert found.counters.deadlocks == 2 * 2


@pytest.mark.large
def test_a_signal_to_three() -> None:
    found = verify(sleepers(3, SIGNAL))
    assert (found.traces, found.counters.deadlocks) == (6 * 6, 6 * 3)
    holds(sleepers(3, BROADCAST), 36)
    holds(sleepers(3, f"{SIGNAL}; {BROADCAST}"), 3 * 36 + 36)
    holds(sleepers(2, f"{SIGNAL}; {SIGNAL}"))


def test_a_signal_is_not_kept() -> None:
    """Who waits after a signal cannot have it, though somebody else has not gone on yet."""
    text = """pthread_mutex_t m; pthread_cond_t c; int waits, gone;
void *f(void *_) { pthread_mutex_lock(&m); waits = 1; pthread_cond_wait(&c, &m); gone = 1;
  pthread_mutex_unlock(&m); return 0; }
void *g(void *_) { pthread_mutex_lock(&m); if (waits && !gone) { pthread_cond_signal(&c);
    pthread_cond_wait(&c, &m);
    assert(0); } pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);
  pthread_exit(0); }"""
    violates(text, "deadlock at 5: g at p.c:10 waits for the condition c")


def test_a_signal_that_who_gives_up_has_taken() -> None:
    """A signal may be meant for a thread that goes on because its time is over."""
    text = sleepers(2, SIGNAL).replace(
        "pthread_cond_wait(&c, &m);",
        "if (_) pthread_cond_wait(&c, &m); else { struct timespec at = { 9, 0 }; "
        "pthread_cond_timedwait(&c, &m, &at); }",
    )
    text = text.replace("f, 0);", "f, (void *)(long)i);")
    violates(text, "deadlock at 3")
    holds(text.replace(SIGNAL, f"{SIGNAL}; {SIGNAL}"))


def test_a_condition_whose_address_comes_from_memory() -> None:
    text = """pthread_mutex_t m; pthread_cond_t c[2], *_Atomic p = c;
void *f(void *_) { pthread_cond_t *q = p; pthread_mutex_lock(&m);
  pthread_cond_wait(q, &m); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);
  p = c + 1; pthread_mutex_lock(&m); %s; pthread_mutex_unlock(&m);
  pthread_exit(0); }"""
    found = verify(text % "pthread_cond_signal(c)")
    # Both wait for the first one, in either order, and both are woken and go on, in either order.
    assert found.traces == 4
    both = verify(text % "pthread_cond_broadcast(c)")
    assert both.traces == 4 and both.counters.deadlocks < found.counters.deadlocks
    assert told(found)[0].startswith("deadlock at 3: f at p.c:8 waits for a condition variable")


def test_waiting_without_a_loop() -> None:
    """Two wait for one thing, and one finds that it is gone."""
    text = """pthread_mutex_t m; pthread_cond_t c; int things;
void *f(void *_) { pthread_mutex_lock(&m);
  if (!things) pthread_cond_wait(&c, &m);
  assert(things > 0); things--; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
  pthread_mutex_lock(&m); things = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);
  pthread_exit(0); }"""
    violates(text, "assertion at 4: things > 0", "deadlock at")
