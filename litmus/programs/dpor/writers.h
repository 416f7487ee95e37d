// N writers and one reader of one location: N! orders of the stores, each with N + 1 stores to
// read.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *writer(void *arg) {
  atomic_store(&x, (int)(long)arg);
  return NULL;
}

static void *reader(void *arg) {
  (void)arg;
  int seen = atomic_load(&x);
  assert(0 <= seen && seen <= N);
  return NULL;
}

int main(void) {
  pthread_t r, w[N];
  pthread_create(&r, NULL, reader, NULL);
  for (long i = 0; i < N; i++)
    pthread_create(&w[i], NULL, writer, (void *)(i + 1));
  pthread_join(r, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(w[i], NULL);
  return 0;
}
