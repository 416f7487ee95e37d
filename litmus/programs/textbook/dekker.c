// Dekker's algorithm: mutual exclusion of two threads, by a flag for each and whose turn it is.
//
// A thread raises its flag, then looks at the other's. The fence between the two is what the
// algorithm stands on: two threads that both raise a flag cannot both miss the other's.
//@ expect rc20: HOLDS 4 traces, sc: HOLDS 4 traces
//@ unroll 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2], turn;
static int counter; // not atomic: the lock protects it

static void raise_flag(int me) {
  atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
#ifndef NO_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void lock(int me) {
  int other = 1 - me;
  raise_flag(me);
  while (atomic_load_explicit(&wants[other], memory_order_acquire))
    if (atomic_load_explicit(&turn, memory_order_relaxed) != me) {
      // The other thread may enter because of this store, and has to see what this one did when it
      // held the lock before. The fence since then releases it.
      atomic_store_explicit(&wants[me], 0, memory_order_relaxed);
      while (atomic_load_explicit(&turn, memory_order_relaxed) != me)
        ;
      raise_flag(me);
    }
}

static void unlock(int me) {
  atomic_store_explicit(&turn, 1 - me, memory_order_relaxed);
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
