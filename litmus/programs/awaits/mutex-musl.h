// A mutex as in musl's C library: a word, 0 free, 1 taken and 2 taken while somebody may wait, and
// the number of threads that wait. The futex is a counter of wake-ups: who waits reads it, looks at
// the word again and waits until the counter moves. N threads enter the critical section once each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int word, waiters, wakeups;
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

static int trylock(void) {
  int old = 0;
  return atomic_compare_exchange_strong(&word, &old, 1);
}

static void lock(void) {
  if (trylock())
    return;
  while (!trylock()) {
    int taken = 1;
    atomic_fetch_add(&waiters, 1);
    atomic_compare_exchange_strong(&word, &taken, 2);
    futex_wait(2);
    atomic_fetch_sub(&waiters, 1);
  }
}

static void unlock(void) {
  int old = atomic_exchange(&word, 0);
  if (atomic_load(&waiters) > 0 || old != 1)
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
