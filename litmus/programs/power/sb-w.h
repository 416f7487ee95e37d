// Store buffering, and then N stores for a thread that has read 0.
#include "plain.h"

static atomic_int x, y, z;

static void *p(void *arg) {
  (void)arg;
  put(x, 1);
  fence();
  if (get(y) == 0)
    for (int i = 0; i < N; i++)
      put(z, 1);
  return NULL;
}

static void *q(void *arg) {
  (void)arg;
  put(y, 1);
  fence();
  if (get(x) == 0)
    for (int i = 0; i < N; i++)
      put(z, 1);
  return NULL;
}

int main(void) {
  run_two(p, q);
  return 0;
}
