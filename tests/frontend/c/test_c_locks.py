"""Mutexes, spin locks, read-write locks, semaphores, barriers, once: what they mean, and that
waiting adds no trace."""

from __future__ import annotations

import pytest
from c_verify import ENGINES, holds, told, verify, violates

# main starts so many threads that run f, and then runs the rest.
MAIN = """
int main(void) { BEFORE pthread_t t[N]; for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, f, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0); AFTER return 0; }
"""


def threads(text: str, count: int, after: str, before: str = "") -> str:
    main = MAIN.replace("BEFORE", before).replace("AFTER", after).replace("N", str(count))
    return text + main


MUTEX = """pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
void *f(void *_) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }"""
TRYLOCK = """pthread_mutex_t m; int x; atomic_int lost;
void *f(void *_) { if (pthread_mutex_trylock(&m) == 0) { x++; pthread_mutex_unlock(&m); }
  else lost++; return 0; }"""
TIMED = """#include <errno.h>
pthread_mutex_t m; int x; atomic_int lost;
void *f(void *_) { struct timespec at = { 1, 0 }; int r = pthread_mutex_timedlock(&m, &at);
  if (r == 0) { x++; pthread_mutex_unlock(&m); } else { assert(r == ETIMEDOUT); lost++; }
  return 0; }"""
RECURSIVE = """pthread_mutex_t m; int x;
void *f(void *_) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); x++;
  assert(pthread_mutex_trylock(&m) == 0); pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&m); x++; pthread_mutex_unlock(&m); return 0; }"""
MAKE = "pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, %s); "
CHECKING = """#include <errno.h>
pthread_mutex_t m; int x;
void *f(void *_) { assert(pthread_mutex_unlock(&m) == EPERM); pthread_mutex_lock(&m);
  assert(pthread_mutex_lock(&m) == EDEADLK); x++; pthread_mutex_unlock(&m); return 0; }"""
SPIN = """pthread_spinlock_t m; int x;
void *f(void *_) { pthread_spin_lock(&m); x++; pthread_spin_unlock(&m); return 0; }"""
ONCE = """pthread_once_t once = PTHREAD_ONCE_INIT; int x;
void init(void) { x++; }
void *f(void *_) { pthread_once(&once, init); assert(x == 1); return 0; }"""
BARRIER = """pthread_barrier_t b; int x[3];
void *f(void *i) { x[(long)i] = 1; pthread_barrier_wait(&b); assert(x[0] + x[1] + x[2] == 3);
  pthread_barrier_wait(&b); x[(long)i] = 2; return 0; }"""
SERIAL = """pthread_barrier_t b; atomic_int serial;
void *f(void *i) { int r = pthread_barrier_wait(&b);
  if (r == PTHREAD_BARRIER_SERIAL_THREAD) serial += 1 + (long)i; else assert(r == 0);
  return 0; }"""
SEMAPHORE = """#include <semaphore.h>
sem_t s; int x;
void *f(void *_) { sem_wait(&s); x++; sem_post(&s); return 0; }"""
TRYWAIT = """#include <semaphore.h>
sem_t s; int x; atomic_int lost;
void *f(void *_) { if (sem_trywait(&s) == 0) { x++; sem_post(&s); } else lost++; return 0; }"""
HEAP = """struct account { pthread_mutex_t m; int n; }; struct account *a;
void *f(void *_) { pthread_mutex_lock(&a->m); a->n++; pthread_mutex_unlock(&a->m); return 0; }"""

COUNTED: dict[str, tuple[str, int | None]] = {  # with the number of traces
    "mutex": (threads(MUTEX, 2, "assert(x == 2);"), 2),
    "mutex of three": (threads(MUTEX, 3, "assert(x == 3);"), 6),
    "trylock": (threads(TRYLOCK, 2, "assert(x + lost == 2 && x >= 1);"), 4),
    "timed": (threads(TIMED, 2, "assert(x + lost == 2 && x >= 1);"), 4),
    "recursive": (
        threads(
            RECURSIVE,
            2,
            "assert(x == 4);",
            MAKE % "PTHREAD_MUTEX_RECURSIVE" + "pthread_mutex_init(&m, &a);",
        ),
        2,
    ),
    "checking": (
        threads(
            CHECKING,
            2,
            "assert(x == 2);",
            MAKE % "PTHREAD_MUTEX_ERRORCHECK" + "pthread_mutex_init(&m, &a);",
        ),
        2,
    ),
    "spin": (threads(SPIN, 2, "assert(x == 2);", "pthread_spin_init(&m, 0);"), 2),
    "once": (threads(ONCE, 2, ""), 2),
    "once of three": (threads(ONCE, 3, ""), 3),
    "barrier": (threads(BARRIER, 3, "", "pthread_barrier_init(&b, 0, 3);"), 1),
    "serial": (
        threads(
            SERIAL, 2, "assert(serial == 1 || serial == 2);", "pthread_barrier_init(&b, 0, 2);"
        ),
        2,
    ),
    "semaphore": (threads(SEMAPHORE, 2, "assert(x == 2);", "sem_init(&s, 0, 1);"), 2),
    "trywait": (
        threads(TRYWAIT, 2, "assert(x + lost == 2 && x >= 1);", "sem_init(&s, 0, 1);"),
        None,
    ),
    "on the heap": (
        threads(
            HEAP,
            2,
            "assert(a->n == 2);",
            "a = malloc(sizeof *a); pthread_mutex_init(&a->m, 0); a->n = 0;",
        ),
        2,
    ),
}


@pytest.mark.parametrize("name", COUNTED)
def test_locks(name: str) -> None:
    text, traces = COUNTED[name]
    holds(text, traces)


@pytest.mark.large
@pytest.mark.parametrize("engine", ENGINES[1:])
@pytest.mark.parametrize(
    "name", ["mutex", "trylock", "recursive", "once", "serial", "semaphore", "trywait"]
)
def test_locks_of_other_engines(name: str, engine: str) -> None:
    text, traces = COUNTED[name]
    holds(text, traces, engine=engine)


@pytest.mark.parametrize("engine", ["rsmc", "trust"])
@pytest.mark.parametrize("name", ["mutex", "mutex of three", "spin", "semaphore", "once"])
def test_a_lock_costs_few_blocked_runs(name: str, engine: str) -> None:
    text, traces = COUNTED[name]
    assert traces is not None and holds(text, engine=engine).counters.blocked < 2 * traces


# ---- read-write locks

READERS = """pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x;
void *r(void *_) { pthread_rwlock_rdlock(&l); int a = x; assert(a == x);
  pthread_rwlock_unlock(&l); return 0; }
void *w(void *_) { pthread_rwlock_wrlock(&l); x++; x++; pthread_rwlock_unlock(&l); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, r, 0); pthread_create(&b, 0, w, 0);
  pthread_join(a, 0); pthread_join(b, 0); assert(x == 2); return 0; }
"""
TRYING = """#include <errno.h>
pthread_rwlock_t l; int x; atomic_int busy;
void *r(void *_) { int e = pthread_rwlock_tryrdlock(&l);
  if (e) { assert(e == EBUSY); busy++; } else { assert(x == 0 || x == 2);
    assert(pthread_rwlock_tryrdlock(&l) == 0); pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l); } return 0; }
void *w(void *_) { if (pthread_rwlock_trywrlock(&l) == 0) { x++; x++; pthread_rwlock_unlock(&l); }
  return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, r, 0); pthread_create(&b, 0, w, 0);
  pthread_join(a, 0); pthread_join(b, 0); assert(pthread_rwlock_trywrlock(&l) == 0); return 0; }
"""
RECURSIVE_READ = """pthread_rwlock_t l;
int main(void) { pthread_rwlock_rdlock(&l); pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l);
  assert(pthread_rwlock_trywrlock(&l)); pthread_rwlock_unlock(&l);
  assert(pthread_rwlock_trywrlock(&l) == 0); assert(pthread_rwlock_tryrdlock(&l));
  pthread_rwlock_unlock(&l); return 0; }
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_readers_and_a_writer(engine: str) -> None:
    holds(READERS, 2, engine=engine)


@pytest.mark.parametrize("engine", ENGINES[:2])
def test_trying_to_read_and_to_write(engine: str) -> None:
    holds(TRYING, engine=engine)


def test_reading_twice() -> None:
    holds(RECURSIVE_READ, 1)


# ---- what is wrong with locks


def test_a_lock_that_is_given_back_too_early() -> None:
    text = """pthread_mutex_t m; int x;
void *f(void *_) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m);
  x++;
  return 0; }"""
    violates(threads(text, 2, ""), "race at 3: f's p.c:8")


@pytest.mark.parametrize("engine", ENGINES)
def test_deadlock(engine: str) -> None:
    text = """pthread_mutex_t a, b;
void *f(void *_) { pthread_mutex_lock(&a);
  pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&b);
  pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);
  pthread_join(t, 0); return 0; }"""
    result = violates(text, "deadlock at", engine=engine)
    assert "waits for the lock" in result.violations[0].fault.message


@pytest.mark.parametrize(
    "again",
    [
        "pthread_mutex_lock(&m);",
        "pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&own); "
        "pthread_mutex_lock(&own);",
        "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; pthread_rwlock_rdlock(&l); "
        "pthread_rwlock_wrlock(&l);",
        "pthread_barrier_t b; pthread_barrier_init(&b, 0, 2); pthread_barrier_wait(&b);",
    ],
    ids=["shared", "of one's own", "read and write", "barrier"],
)
def test_a_thread_that_waits_for_itself(again: str) -> None:
    text = (
        f"pthread_mutex_t m;\nint main(void) {{ pthread_mutex_lock(&m);\n  {again}\n  return 0; }}"
    )
    result = violates(text, "deadlock at 3")
    assert "waits" in result.violations[0].fault.message


def test_a_call_that_happens_once_and_waits_for_itself() -> None:
    text = """pthread_once_t o = PTHREAD_ONCE_INIT; void f(void) { pthread_once(&o, f); }
int main(void) { pthread_once(&o, f); }"""
    violates(text, "deadlock at 1: main at p.c:6 waits for the call that happens once")


def test_joining_in_a_circle() -> None:
    """One waits for a lock that the other holds, who waits for its end."""
    text = """pthread_mutex_t m;
void *f(void *_) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m);
  pthread_join(t, 0); pthread_mutex_unlock(&m); return 0; }"""
    result = violates(text, "deadlock at 4: main at p.c:9 joins f, f at p.c:7 waits for the lock m")
    assert result.counters.livelocks == 0


WRONG = {
    "another's": """pthread_mutex_t m; atomic_int go;
void *f(void *_) { pthread_mutex_lock(&m); go = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); while (!go) ;
  pthread_mutex_unlock(&m); return 0; }""",
    "nobody's": "pthread_mutex_t m;\n\nint main(void) {\n  pthread_mutex_unlock(&m); return 0; }",
    "after a trylock": """pthread_mutex_t m;
void *f(void *_) {
  pthread_mutex_trylock(&m);
  pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, 0);
  return 0; }""",
    "not for reading": "pthread_rwlock_t m;\n\nint main(void) {\n"
    "  pthread_rwlock_unlock(&m); return 0; }",
    "waiting": "pthread_mutex_t m; pthread_cond_t c;\n\nint main(void) {\n"
    "  pthread_cond_wait(&c, &m); return 0; }",
}


DESTROYED = {
    "held": "pthread_mutex_lock(&m);\n  pthread_mutex_destroy(&m);",
    "locked": "pthread_mutex_destroy(&m);\n  pthread_mutex_lock(&m);",
    "tried": "pthread_mutex_destroy(&m);\n  pthread_mutex_trylock(&m);",
    "twice": "pthread_mutex_destroy(&m);\n  pthread_mutex_destroy(&m);",
}


@pytest.mark.parametrize("name", DESTROYED)
def test_a_lock_that_is_destroyed(name: str) -> None:
    violates(
        f"pthread_mutex_t m;\nint main(void) {{ {DESTROYED[name]} }}",
        "destroyed lock at 3: m " + ("is destroyed while" if name == "held" else "was destroyed"),
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_a_lock_that_is_destroyed_while_another_uses_it(engine: str) -> None:
    text = """pthread_mutex_t m; int n;
void *f(void *_) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
  %s }"""
    wrong = text % "pthread_mutex_destroy(&m); pthread_join(t, 0);"
    found = {each.partition(" at")[0] for each in told(verify(wrong, engine))}
    assert found == {"destroyed lock", "deadlock", "race"}
    right = text % "pthread_join(t, 0); pthread_mutex_destroy(&m);"
    holds(right, 1, engine)


def test_the_last_one_destroys_a_lock() -> None:
    """As POSIX allows, at once after it has unlocked it."""
    text = """struct s { pthread_mutex_t m; int users; };
void *leave(void *a) { struct s *s = a;
  pthread_mutex_lock(&s->m); int left = --s->users; pthread_mutex_unlock(&s->m);
  if (!left) { pthread_mutex_destroy(&s->m); free(s); }
  return 0; }
int main(void) { struct s *s = malloc(sizeof *s); pthread_mutex_init(&s->m, 0); s->users = 2;
  pthread_t t; pthread_create(&t, 0, leave, s); leave(s); }"""
    holds(text, 2, "trust")


def test_a_lock_that_is_made_again() -> None:
    text = """pthread_mutex_t m;
int main(void) { pthread_mutex_init(&m, 0); pthread_mutex_destroy(&m);
  pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); pthread_mutex_unlock(&m);
  pthread_mutex_destroy(&m); }"""
    holds(text)


@pytest.mark.parametrize("name", WRONG)
def test_a_lock_that_is_not_held(name: str) -> None:
    violates(WRONG[name], "wrong unlock at 4: m is")


def test_errno() -> None:
    text = """#include <errno.h>
#include <semaphore.h>
sem_t s; void *f(void *_) { assert(errno == 0); errno = 5; assert(errno == 5); return 0; }
int main(void) { errno = 7; pthread_t t; pthread_create(&t, 0, f, 0); sem_init(&s, 0, 1);
  assert(sem_trywait(&s) == 0 && errno == 7); assert(sem_trywait(&s) == -1 && errno == EAGAIN);
  struct timespec end = { 1 }; assert(sem_timedwait(&s, &end) == -1 && errno == ETIMEDOUT); }"""
    holds(text, 1)
