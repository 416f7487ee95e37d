// One writer and N readers of one location. Each reader comes before or after the writer: 2^N.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *writer(void *arg) {
  (void)arg;
  atomic_store(&x, 42);
  return NULL;
}

static void *reader(void *arg) {
  (void)arg;
  int seen = atomic_load(&x);
  assert(seen == 0 || seen == 42);
  return NULL;
}

int main(void) {
  pthread_t w, r[N];
  pthread_create(&w, NULL, writer, NULL);
  for (int i = 0; i < N; i++)
    pthread_create(&r[i], NULL, reader, NULL);
  pthread_join(w, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(r[i], NULL);
  return 0;
}
