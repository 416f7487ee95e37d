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
  atomic_store(&me->next, NULL);
  atomic_store(&me->granted, 0);
  struct node *before = atomic_exchange(&tail, me);
  if (before == NULL)
    return;
  atomic_store(&before->next, me);
  while (!atomic_load(&me->granted))
    ;
}

static void unlock(struct node *me) {
  struct node *after = atomic_load(&me->next);
  if (after == NULL) {
    struct node *last = me;
    if (atomic_compare_exchange_strong(&tail, &last, NULL))
      return;
    while ((after = atomic_load(&me->next)) == NULL)
      ;
  }
  atomic_store(&after->granted, 1);
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
