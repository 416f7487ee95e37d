// The lock-free queue of Michael and Scott, N threads: each puts one element in and, except the
// last, takes one out. Nodes are not used again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

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
    if (next == NULL) {
      if (atomic_compare_exchange_strong(&last->next, &next, node)) {
        atomic_compare_exchange_strong(&tail, &last, node);
        return;
      }
    } else {
      atomic_compare_exchange_strong(&tail, &last, next);
    }
  }
}

static int dequeue(void) {
  for (;;) {
    struct node *first = atomic_load(&head);
    struct node *last = atomic_load(&tail);
    struct node *next = atomic_load(&first->next);
    if (first != atomic_load(&head))
      continue;
    if (next == NULL)
      return 0;
    if (first == last) {
      atomic_compare_exchange_strong(&tail, &last, next);
    } else {
      int value = next->value;
      if (atomic_compare_exchange_strong(&head, &first, next))
        return value;
    }
  }
}

static void *worker(void *arg) {
  long id = (long)arg;
  nodes[id].value = (int)id + 1;
  enqueue(&nodes[id]);
  if (id < N - 1) {
    taken[id] = dequeue();
    assert(taken[id] != 0);
  }
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
  for (int i = 0; i < N - 1; i++)
    for (int j = 0; j < i; j++)
      assert(taken[i] != taken[j]);
  return 0;
}
