// Peterson's algorithm: mutual exclusion of two threads; who gives way last, waits.
//
// Written with an exchange on turn it needs no sequentially consistent access: exchanges of one
// variable come one after the other, and the second acquires what the first released. So the
// second thread to give way sees the other's flag.
//@ expect rc20: HOLDS 4 traces, sc: HOLDS 4 traces
//@ unroll 2

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef RELAXED
#define GIVE_WAY memory_order_relaxed
#else
#define GIVE_WAY memory_order_acq_rel
#endif

static atomic_int wants[2], turn;
static int counter; // not atomic: the lock protects it

static void lock(int me) {
  int other = 1 - me;
  atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
  atomic_exchange_explicit(&turn, other, GIVE_WAY);
  // Either load lets the thread in: both acquire what the other did when it held the lock before.
  while (atomic_load_explicit(&wants[other], memory_order_acquire) &&
         atomic_load_explicit(&turn, memory_order_acquire) == other)
    ;
}

static void unlock(int me) {
  atomic_store_explicit(&wants[me], 0, memory_order_release);
}

static void *run(void *arg) {
  int me = arg != NULL;
  lock(me);
  counter++;
  unlock(me);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, NULL);
  pthread_create(&b, NULL, run, &counter);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 2);
  return 0;
}
