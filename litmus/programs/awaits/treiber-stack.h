// R. K. Treiber's lock-free stack, N threads: each pushes one element, and the last POPPERS of them
// then pop one. Nodes are not used again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef POPPERS
#define POPPERS 1
#endif

struct node {
  int value;
  _Atomic(struct node *) next;
};

static _Atomic(struct node *) top;
static struct node nodes[N];
static int popped[N];

static void push(struct node *node) {
  struct node *old;
  do {
    old = atomic_load(&top);
    atomic_store(&node->next, old);
  } while (!atomic_compare_exchange_strong(&top, &old, node));
}

static struct node *pop(void) {
  struct node *old;
  do {
    old = atomic_load(&top);
    if (old == NULL)
      return NULL;
  } while (!atomic_compare_exchange_strong(&top, &old, atomic_load(&old->next)));
  return old;
}

static void *worker(void *arg) {
  long id = (long)arg;
  nodes[id].value = (int)id + 1;
  push(&nodes[id]);
  if (id >= N - POPPERS) {
    struct node *node = pop();
    popped[id] = node == NULL ? 0 : node->value;
    assert(popped[id] != 0);
  }
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++)
      assert(popped[i] == 0 || popped[i] != popped[j]);
  return 0;
}
