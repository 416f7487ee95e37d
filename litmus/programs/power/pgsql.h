// Two workers of PostgreSQL that pass work to each other: who is woken by its latch and finds its
// flag set does the work, sets the other's flag and wakes it. A latch is never seen set without the
// flag. A worker waits for its latch and goes round for ever; or, where ROUNDS is defined, it looks
// at its latch so many times.
#include "plain.h"

static atomic_int latch[2] = {1, 0}, flag[2] = {1, 0};

static void *worker(void *arg) {
  int me = (int)(long)arg, other = 1 - me;
#ifdef ROUNDS
  for (int k = 0; k < ROUNDS; k++) {
    if (!get(latch[me]))
      continue;
#else
  for (;;) {
    while (!get(latch[me]))
      ;
#endif
    fence();
    assert(get(flag[me]));
    put(latch[me], 0);
    fence();
    if (get(flag[me])) {
      put(flag[me], 0);
      put(flag[other], 1);
      fence();
      put(latch[other], 1);
    }
  }
  return NULL;
}

int main(void) {
  run_two(worker, worker);
  return 0;
}
