// Szymanski's mutual exclusion for two threads: a waiting room with an outer and an inner door. 0
// outside, 1 wants in, 2 waits in the room for the other, 3 is through the outer door, 4 has shut
// it.
#include "plain.h"

static atomic_int flag[2], inside;

static void *worker(void *arg) {
  int me = (int)(long)arg, other = 1 - me;
  put(flag[me], 1);
  fence();
  while (get(flag[other]) >= 3)
    ;
  fence();
  put(flag[me], 3);
  fence();
  if (get(flag[other]) == 1) {
    put(flag[me], 2);
    fence();
    while (get(flag[other]) != 4)
      ;
  }
  fence();
  put(flag[me], 4);
  fence();
  if (me == 1)
    while (get(flag[other]) >= 2)
      ;
  fence();
  put(inside, me);
  assert(get(inside) == me);
  fence();
  if (me == 0) {
    int seen;
    while ((seen = get(flag[other])) == 2 || seen == 3)
      ;
  }
  fence();
  put(flag[me], 0);
  return NULL;
}

int main(void) {
  run_two(worker, worker);
  return 0;
}
