// A mutex over a futex, after U. Drepper's: 0 free, 1 taken, 2 taken and perhaps somebody waits.
// Not his text: this one unlocks by a single exchange. The futex is a counter of wake-ups: who
// waits reads it, looks at the word again and waits until the counter moves. N threads enter the
// critical section once each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int word, wakeups;
static int shared;

static void futex_wait(int value) {
  int seen = atomic_load(&wakeups);
  if (atomic_load(&word) != value)
    return;
  while (atomic_load(&wakeups) == seen)
    ;
}

static void futex_wake(void) {
  atomic_fetch_add(&wakeups, 1);
}

static void lock(void) {
  int old = 0;
  if (atomic_compare_exchange_strong(&word, &old, 1))
    return;
  while (atomic_exchange(&word, 2) != 0)
    futex_wait(2);
}

static void unlock(void) {
  if (atomic_exchange(&word, 0) == 2)
    futex_wake();
}

static void *worker(void *arg) {
  int id = (int)(long)arg;
  lock();
  shared = id;
  assert(shared == id);
  unlock();
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  return 0;
}
