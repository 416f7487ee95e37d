// The CLH lock: threads queue up, and each waits at the flag of the one before it.
//
// The exchange on tail releases the thread's own raised flag to the next one in the queue, which
// acquires it: otherwise that one could still see the flag down.
//@ expect rc20: HOLDS 2 traces, sc: HOLDS 2 traces
//@ unroll 2

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef RELAXED
#define QUEUE_UP memory_order_relaxed
#else
#define QUEUE_UP memory_order_acq_rel
#endif

struct node {
  atomic_int busy;
};

static struct node nodes[3]; // the last one, never busy, begins the queue
static struct node *_Atomic tail = &nodes[2];
static int counter; // not atomic: the lock protects it

static void lock(struct node *me) {
  atomic_store_explicit(&me->busy, 1, memory_order_relaxed);
  struct node *before = atomic_exchange_explicit(&tail, me, QUEUE_UP);
  while (atomic_load_explicit(&before->busy, memory_order_acquire))
    ;
}

static void unlock(struct node *me) {
  atomic_store_explicit(&me->busy, 0, memory_order_release);
}

static void *run(void *arg) {
  lock(arg);
  counter++;
  unlock(arg);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, &nodes[0]);
  pthread_create(&b, NULL, run, &nodes[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 2);
  return 0;
}
