"""The end of the program: when main returns, or somebody calls exit, the others stop."""

from __future__ import annotations

import pytest
from c_verify import ENGINES, compiled, holds, told, verify, violates
from support import model

from hybrid.engine.api import Limits
from hybrid.engine.enumerate.check import check_key
from hybrid.engine.rsmc.engine import Rsmc
from hybrid.execution.trace import Status, TraceData
from hybrid.witness.graph import notes

# f waits for what never comes.
WAITING = """pthread_mutex_t m; pthread_cond_t c; atomic_int x;
void *f(void *_) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); return 0; }
void *g(void *_) { x = 1; return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); END }
"""
OVER = {  # with the number of traces
    "return": ("return 0;", 1),
    "exit": ("exit(0);", 1),
    "quick": ("quick_exit(1);", 1),
    "at once": ("_Exit(1);", 1),
    "detached": ("pthread_detach(t); return 0;", 1),
    "after another": ("pthread_join(u, 0); return 0;", 1),
    "on either way": ("if (x) return 0; return 1;", 2),
    "after something": ("pthread_join(u, 0); assert(x == 1); return 0;", 1),
}
WAITS = {  # with who waits
    "of its thread": ("pthread_exit(0);", "f at p.c:7 waits"),
    "for it": ("pthread_join(t, 0); return 0;", "f at p.c:7 waits"),
    "for both": ("pthread_join(u, 0); pthread_join(t, 0); return 0;", "f at p.c:7 waits"),
    "and then": ("pthread_join(t, 0); x = 2; return 0;", "main at p.c:9 joins f, f at p.c:7"),
    "on one way": ("if (x) return 0; pthread_join(t, 0); return 0;", "main at p.c:9 joins f"),
}


@pytest.mark.parametrize("name", OVER)
def test_nobody_waits_when_it_is_over(name: str) -> None:
    end, traces = OVER[name]
    holds(WAITING.replace("END", end), traces)


@pytest.mark.parametrize("name", WAITS)
def test_it_is_not_over(name: str) -> None:
    end, message = WAITS[name]
    result = violates(WAITING.replace("END", end), "deadlock at")
    assert message in told(result)[0]


@pytest.mark.parametrize("engine", ENGINES)
def test_other_engines(engine: str) -> None:
    holds(WAITING.replace("END", OVER["return"][0]), 1, engine=engine)
    holds(WAITING.replace("END", OVER["on either way"][0]), 2, engine=engine)
    violates(WAITING.replace("END", WAITS["for it"][0]), "deadlock at", engine=engine)
    violates(WAITING.replace("END", WAITS["on one way"][0]), "deadlock at", engine=engine)
    violates(WAITING.replace("END", WAITS["of its thread"][0]), "deadlock at", engine=engine)


@pytest.mark.large
def test_a_thread_that_calls_exit() -> None:
    """What comes after the join is not reached then, and main does not wait for ever."""
    text = """atomic_int x, bad;
void *f(void *_) { if (bad) EXIT; x = 1; return 0; }
void *g(void *_) { bad = 1; return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);
  pthread_join(t, 0); assert(x == 1); return 0; }"""
    holds(text.replace("EXIT", "exit(1)"), 2)
    holds(text.replace("EXIT", "_Exit(1)"), 2, engine="trust")
    violates(text.replace("EXIT", "abort()"), "assertion at 2: abort is called")
    violates(text.replace("EXIT", "pthread_exit(0)"), "assertion at 5: x == 1")


def test_what_others_do_is_explored() -> None:
    """It may happen before the end."""
    text = """int x; void *f(void *_) {
  x++;
  assert(x < 2); return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);
  return 0; }"""
    found = told(verify(text))
    assert "assertion at 3: x < 2" in found and any(each.startswith("race at 2") for each in found)


def test_threads_that_threads_join() -> None:
    """main waits for one that waits for another."""
    text = """pthread_mutex_t m; pthread_cond_t c;
void *f(void *_) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); return 0; }
void *g(void *_) { pthread_t t; pthread_create(&t, 0, f, 0); JOIN return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, g, 0); pthread_join(t, 0); return 0; }"""
    violates(text.replace("JOIN", "pthread_join(t, 0);"), "deadlock at 2")
    holds(text.replace("JOIN", ""), 1)


def test_a_witness_of_such_a_run() -> None:
    """It is a complete one, which says who waits, and which another checker finds, too."""
    program = compiled(WAITING.replace("END", "exit(0);"))
    limits = Limits()
    (trace,) = Rsmc().explore(program, model("rc20"), limits)
    data = trace.data()
    assert data.status is Status.COMPLETE and [wait.thread for wait in data.waiting] == [1]
    again = check_key(program, model("rc20"), trace.key(), limits)
    assert isinstance(again, TraceData)
    assert (again.status, again.waiting) == (data.status, data.waiting)
    assert "the program ends while f at p.c:7 waits for the condition c" in notes(data)
