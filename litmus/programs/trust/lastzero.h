// T0 looks for the last cell of an array that is 0, from the end; each of N threads sets a cell to
// its left neighbour's value plus 1.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int array[N + 1];

static void *searcher(void *arg) {
  (void)arg;
  int i = N;
  while (atomic_load(&array[i]) != 0)
    i--;
  assert(0 <= i && i <= N);
  return NULL;
}

static void *setter(void *arg) {
  long i = (long)arg;
  atomic_store(&array[i], atomic_load(&array[i - 1]) + 1);
  return NULL;
}

int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[0], NULL, searcher, NULL);
  for (long i = 1; i <= N; i++)
    pthread_create(&t[i], NULL, setter, (void *)i);
  for (int i = 0; i <= N; i++)
    pthread_join(t[i], NULL);
  return 0;
}
