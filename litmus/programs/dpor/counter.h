// N threads add to one counter, once each: N! orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counter;

static void *adder(void *arg) {
  (void)arg;
  atomic_fetch_add(&counter, 1);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, adder, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(atomic_load(&counter) == N);
  return 0;
}
