// Peterson's mutual exclusion for two threads.
#include "plain.h"

static atomic_int wants[2], turn, inside;

static void *worker(void *arg) {
  int me = (int)(long)arg, other = 1 - me;
  put(wants[me], 1);
  fence();
  put(turn, other);
  fence();
  while (get(wants[other]) && get(turn) == other)
    ;
  fence();
  put(inside, me);
  assert(get(inside) == me);
  fence();
  put(wants[me], 0);
  return NULL;
}

int main(void) {
  run_two(worker, worker);
  return 0;
}
