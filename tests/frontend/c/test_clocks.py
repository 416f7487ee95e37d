"""The time: computed with and waited for, decided upon either way, and refused elsewhere."""

from __future__ import annotations

import pytest
from c_verify import ENGINES, holds, refused, violates

HEAD = """#include <errno.h>
#include <time.h>
"""


@pytest.mark.large
@pytest.mark.parametrize("engine", ENGINES)
def test_waiting_until_a_time(engine: str) -> None:
    text = """pthread_mutex_t m; pthread_cond_t c; int ready, data;
void *f(void *_) { struct timespec end; clock_gettime(CLOCK_REALTIME, &end); end.tv_sec += 1;
  pthread_mutex_lock(&m);
  while (!ready) if (pthread_cond_timedwait(&c, &m, &end) == ETIMEDOUT) break;
  if (ready) assert(data == 42);
  pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); data = 42;
  ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); pthread_join(t, 0); }"""
    holds(HEAD + text, engine=engine)
    wrong = text.replace("if (ready) assert", "assert")
    violates(HEAD + wrong, "assertion at 7: data == 42", engine=engine)


def test_a_decision_goes_either_way() -> None:
    text = """int main(void) { struct timespec end; timespec_get(&end, TIME_UTC); int carried = 0;
  end.tv_nsec += 500; if (end.tv_nsec >= 1000000000) { end.tv_sec++; carried = 1; }
  assert(%s); }"""
    holds(HEAD + text % "carried == 0 || carried == 1", 2)
    violates(HEAD + text % "carried == 0", "assertion at 5")
    violates(HEAD + text % "carried == 1", "assertion at 5")


REFUSED = {
    "assertion": "assert(time(0) > 3);",
    "shared": "seen = time(0);",
    "index": "return a[time(0) & 1];",
    "where ways meet": "long n = 0; if (seen) n = time(0); assert(n >= 0);",
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text = """long seen, a[2];
void *f(void *_) { seen = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
  %s }"""
    refused(HEAD + text % REFUSED[name], "6: something that depends on the time")
