// The MCS lock: threads queue up in a list, and each waits at a flag of its own.
//
// The exchange on tail releases the thread's node, emptied, to the one that will link itself behind
// it, and acquires from the one that left the lock free. The flag hands the lock over. The link is
// released and acquired so that no store to a node comes before its own thread has set it up:
// without that no assertion fails, but a thread could wait for ever.
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

struct node {
  struct node *_Atomic next;
  atomic_int waiting;
};

static struct node *_Atomic tail;
static struct node nodes[2];
static int counter; // not atomic: the lock protects it

static void lock(struct node *me) {
  atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
  atomic_store_explicit(&me->waiting, 1, memory_order_relaxed);
  struct node *before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
  if (before == NULL)
    return;
  atomic_store_explicit(&before->next, me, memory_order_release);
  while (atomic_load_explicit(&me->waiting, memory_order_acquire))
    ;
}

static void unlock(struct node *me) {
  struct node *after = atomic_load_explicit(&me->next, memory_order_acquire);
  if (after == NULL) {
    struct node *expected = me;
    if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, memory_order_release,
                                                memory_order_relaxed))
      return;
    // Someone is behind: wait until it has linked itself.
    while ((after = atomic_load_explicit(&me->next, memory_order_acquire)) == NULL)
      ;
  }
  atomic_store_explicit(&after->waiting, 0, HAND_OVER);
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
