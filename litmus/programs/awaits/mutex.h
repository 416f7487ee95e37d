// A mutex over a futex, after U. Drepper's: 0 free, 1 taken, 2 taken and perhaps somebody waits.
// Not his text: compare-and-swaps do all the changes but one. The futex is a counter of wake-ups:
// who waits reads it, looks at the word again and waits until the counter moves. N threads enter
// the critical section once each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "give-up.h"

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

static int change(int from, int to) {
  return atomic_compare_exchange_strong(&word, &from, to);
}

static void lock(void) {
  if (change(0, 1))
    return;
  int marked, mine;
  do {
    marked = change(1, 2);
    futex_wait(2);
    mine = change(0, 2);
    GIVE_UP_UNLESS(mine || marked);
  } while (!mine);
}

static void unlock(void) {
  if (change(1, 0))
    return;
  atomic_store(&word, 0);
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
