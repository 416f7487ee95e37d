// main moves an index on and then starts a thread, N times; a thread sets the cell that the index
// names when it looks, which may by then be a later thread's cell. Thread k of N has the cells
// k .. N-1 to choose from, and stores to the same cell are ordered: 1 * 3 * 5 * ... * (2N - 1).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int values[N];
static atomic_int last = -1;

static void *setter(void *arg) {
  (void)arg;
  atomic_store(&values[atomic_load(&last)], 1);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
    atomic_store(&last, atomic_load(&last) + 1);
    pthread_create(&t[i], NULL, setter, NULL);
  }
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  int sum = 0;
  for (int i = 0; i < N; i++)
    sum += atomic_load(&values[i]);
#ifdef CLAIM_ALL
  assert(sum == N);
#else
  assert(1 <= sum && sum <= N && atomic_load(&values[N - 1]) == 1);
#endif
  return 0;
}
