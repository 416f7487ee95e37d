// The lock-free queue of Michael and Scott, N threads: the first takes one element out, the second
// puts one in, all others put one in and then take one out. Runs in which a thread does not get
// the element that it has seen first are left out. Nodes are not used again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void __VERIFIER_assume(int);

struct node {
  int value;
  _Atomic(struct node *) next;
};

static struct node nodes[N + 1];
static _Atomic(struct node *) head, tail;
static int taken[N];

static void enqueue(struct node *node) {
  for (;;) {
    struct node *last = atomic_load(&tail);
    struct node *next = atomic_load(&last->next);
    if (last != atomic_load(&tail))
      continue;
    if (next == NULL && atomic_compare_exchange_strong(&last->next, &next, node)) {
      atomic_compare_exchange_strong(&tail, &last, node);
      return;
    }
    atomic_compare_exchange_strong(&tail, &last, next);
  }
}

static int dequeue(void) {
  for (;;) {
    struct node *first = atomic_load(&head);
    struct node *last = atomic_load(&tail);
    struct node *next = atomic_load(&first->next);
    if (first != atomic_load(&head))
      continue;
    if (first != last) {
      int value = next->value;
      __VERIFIER_assume(atomic_compare_exchange_strong(&head, &first, next));
      return value;
    }
    if (next == NULL)
      return 0;
    atomic_compare_exchange_strong(&tail, &last, next);
  }
}

static void *worker(void *arg) {
  long id = (long)arg;
  if (id != 0) {
    nodes[id].value = (int)id;
    enqueue(&nodes[id]);
  }
  if (id != 1)
    taken[id] = dequeue();
  return NULL;
}

int main(void) {
  pthread_t t[N];
  atomic_init(&head, &nodes[N]);
  atomic_init(&tail, &nodes[N]);
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++)
      assert(taken[i] == 0 || taken[i] != taken[j]);
  return 0;
}
