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
  int seen = atomic_load_explicit(&wakeups, memory_order_acquire);
  if (atomic_load_explicit(&word, memory_order_relaxed) != value)
    return;
  while (atomic_load_explicit(&wakeups, memory_order_acquire) == seen)
    ;
}

static void futex_wake(void) {
  atomic_fetch_add_explicit(&wakeups, 1, memory_order_release);
}

static int trylock(void) {
  int old = 0;
  return atomic_compare_exchange_strong_explicit(&word, &old, 1, memory_order_acquire,
                                                 memory_order_relaxed);
}

static void lock(void) {
  if (trylock())
    return;
  while (!trylock()) {
    int taken = 1;
    atomic_fetch_add_explicit(&waiters, 1, memory_order_relaxed);
    atomic_compare_exchange_strong_explicit(&word, &taken, 2, memory_order_relaxed,
                                            memory_order_relaxed);
    futex_wait(2);
    atomic_fetch_sub_explicit(&waiters, 1, memory_order_relaxed);
  }
}

static void unlock(void) {
  int old = atomic_exchange_explicit(&word, 0, memory_order_release);
  if (atomic_load_explicit(&waiters, memory_order_relaxed) > 0 || old != 1)
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
