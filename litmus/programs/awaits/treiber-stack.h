// R. K. Treiber's lock-free stack, N threads: the even ones push one element, the odd ones pop one
// if there is one. Nodes are not used again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  int value;
  struct node *next;
};

static _Atomic(struct node *) top;
static struct node nodes[N];
static int popped[N];

static void push(struct node *node) {
  struct node *old;
  do {
    old = atomic_load(&top);
    node->next = old;
  } while (!atomic_compare_exchange_strong(&top, &old, node));
}

static struct node *pop(void) {
  struct node *old;
  do {
    old = atomic_load(&top);
    if (old == NULL)
      return NULL;
  } while (!atomic_compare_exchange_strong(&top, &old, old->next));
  return old;
}

static void *pusher(void *arg) {
  long id = (long)arg;
  nodes[id].value = (int)id + 1;
  push(&nodes[id]);
  return NULL;
}

static void *popper(void *arg) {
  struct node *node = pop();
  popped[(long)arg] = node == NULL ? 0 : node->value;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, i % 2 ? popper : pusher, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++)
      assert(popped[i] == 0 || popped[i] != popped[j]);
  return 0;
}
