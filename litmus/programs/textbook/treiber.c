// Treiber's stack: a list whose head is moved by compare-and-swap.
//
// A push releases the node, a pop acquires it. Nodes are not used again after a pop; if they were,
// a compare-and-swap could succeed although the list has changed (treiber-aba.c).
//@ expect rc20: HOLDS 40 traces, sc: HOLDS 40 traces
//@ unroll 2

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef RELAXED
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

struct node {
  int value; // not atomic: whoever has popped the node owns it
  struct node *_Atomic next;
};

static struct node *_Atomic top;
static struct node nodes[2];

static void push(struct node *node) {
  struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
  do
    atomic_store_explicit(&node->next, old, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(&top, &old, node, PUBLISH,
                                                  memory_order_relaxed));
}

static struct node *pop(void) {
  struct node *old = atomic_load_explicit(&top, memory_order_acquire);
  while (old != NULL) {
    struct node *next = atomic_load_explicit(&old->next, memory_order_relaxed);
    // What counts is that the load and the failure acquire; C11 wants no less for success.
    if (atomic_compare_exchange_strong_explicit(&top, &old, next, memory_order_acquire,
                                                memory_order_acquire))
      break;
  }
  return old;
}

#ifndef ABA // treiber-aba.c has threads of its own

// Each thread pushes a node and pops one, its own or the other's. None is popped twice.
static void *run(void *arg) {
  struct node *mine = arg;
  mine->value = 1;
  push(mine);
  struct node *got = pop();
  assert(got != NULL && got->value == 1);
  got->value = 2;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, &nodes[0]);
  pthread_create(&b, NULL, run, &nodes[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(nodes[0].value == 2 && nodes[1].value == 2);
  return 0;
}

#endif
