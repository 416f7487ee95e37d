// The queue lock of Mellor-Crummey and Scott: N threads enter the critical section once each. A
// thread appends its node to the queue and waits until its predecessor hands the lock over.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  _Atomic(struct node *) next;
  atomic_int granted;
};

static _Atomic(struct node *) tail;
static struct node nodes[N];
static int shared;

static void lock(struct node *me) {
  atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
  atomic_store_explicit(&me->granted, 0, memory_order_relaxed);
  struct node *before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
  if (before == NULL)
    return;
  atomic_store_explicit(&before->next, me, memory_order_release);
  while (!atomic_load_explicit(&me->granted, memory_order_acquire))
    ;
}

static void unlock(struct node *me) {
  struct node *after = atomic_load_explicit(&me->next, memory_order_acquire);
  if (after == NULL) {
    struct node *last = me;
    if (atomic_compare_exchange_strong_explicit(&tail, &last, NULL, memory_order_release,
                                                memory_order_relaxed))
      return;
    while ((after = atomic_load_explicit(&me->next, memory_order_acquire)) == NULL)
      ;
  }
  atomic_store_explicit(&after->granted, 1, memory_order_release);
}

static void *worker(void *arg) {
  long id = (long)arg;
  lock(&nodes[id]);
  shared = (int)id;
  assert(shared == id);
  unlock(&nodes[id]);
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
