// Lamport's fast mutual exclusion for two threads, numbered from 1; y is 0 while nobody is inside.
#include "plain.h"

static atomic_int x, y, busy[3], inside;

static void enter(int me, int other) {
  for (;;) {
    put(busy[me], 1);
    fence();
    put(x, me);
    fence();
    if (get(y) != 0) {
      put(busy[me], 0);
      fence();
      while (get(y) != 0)
        ;
      continue;
    }
    put(y, me);
    fence();
    if (get(x) == me)
      return;
    put(busy[me], 0);
    fence();
    while (get(busy[other]))
      ;
    fence();
    if (get(y) == me)
      return;
    while (get(y) != 0)
      ;
  }
}

static void *worker(void *arg) {
  int me = (int)(long)arg + 1, other = 3 - me;
  enter(me, other);
  fence();
  put(inside, me);
  assert(get(inside) == me);
  fence();
  put(y, 0);
  fence();
  put(busy[me], 0);
  return NULL;
}

int main(void) {
  run_two(worker, worker);
  return 0;
}
