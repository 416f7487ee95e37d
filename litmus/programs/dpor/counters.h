// N threads add to two counters, first to the one, then to the other: N! orders of each, and every
// pair of orders is possible.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int first, second;

static void *adder(void *arg) {
  (void)arg;
  atomic_fetch_add(&first, 1);
  atomic_fetch_add(&second, 1);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, adder, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(atomic_load(&first) == N && atomic_load(&second) == N);
  return 0;
}
