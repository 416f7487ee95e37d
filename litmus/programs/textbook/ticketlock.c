// A ticket lock: draw a number, wait until it is served. First come, first served.
//
// Drawing may be relaxed: the number alone matters. What one holder does reaches the next through
// the number served, released by one and acquired by the other.
//@ expect rc20: HOLDS 6 traces, sc: HOLDS 6 traces
//@ unroll 2

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef RELAXED
#define HAND_OVER memory_order_relaxed
#else
#define HAND_OVER memory_order_release
#endif

#define THREADS 3

static atomic_uint next_ticket, now_serving;
static int counter; // not atomic: the lock protects it

static void lock(void) {
  unsigned mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
  while (atomic_load_explicit(&now_serving, memory_order_acquire) != mine)
    ;
}

static void unlock(void) {
  // Only the holder stores here: no read-modify-write is needed.
  unsigned served = atomic_load_explicit(&now_serving, memory_order_relaxed);
  atomic_store_explicit(&now_serving, served + 1, HAND_OVER);
}

static void *run(void *arg) {
  lock();
  counter++;
  unlock();
  return arg;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, run, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  assert(counter == THREADS);
  return 0;
}
