// Hazard pointers: a reader announces which node it is about to use, and a node that has been
// replaced is freed only if no reader announces it.
//
// The reader announces, then looks whether the node is still in use; the writer replaces it, then
// looks at the announcements. With a fence in each, one of them sees the other. The reader's last
// store releases its reads to the writer, which acquires it before it frees.
//@ expect rc20: HOLDS 16 traces, sc: HOLDS 16 traces

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct node {
  int value; // not atomic
};

static struct node *_Atomic shared, *_Atomic hazard;

static struct node *new_node(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  return node;
}

// One attempt: a user would repeat it with the node that is there now.
static struct node *protect(void) {
  struct node *node = atomic_load_explicit(&shared, memory_order_relaxed);
  atomic_store_explicit(&hazard, node, memory_order_release); // done with the one before
#ifndef NO_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  // Acquire, to see what is in the node. (The fence does that as well.)
  return atomic_load_explicit(&shared, memory_order_acquire) == node ? node : NULL;
}

static void retire(struct node *node) {
  atomic_thread_fence(memory_order_seq_cst);
  if (atomic_load_explicit(&hazard, memory_order_acquire) != node) {
    node->value = 0; // so that a reader that still has it would notice
    free(node);
  } // A user would keep it and try again later.
}

static void *reader(void *arg) {
  for (int i = 0; i < 2; i++) {
    struct node *node = protect();
    if (node != NULL)
      assert(node->value == 1 || node->value == 2);
  }
  atomic_store_explicit(&hazard, NULL, memory_order_release);
  return arg;
}

static void *writer(void *arg) {
  struct node *new = new_node(2);
  retire(atomic_exchange_explicit(&shared, new, memory_order_release));
  return arg;
}

int main(void) {
  pthread_t r, w;
  atomic_store_explicit(&shared, new_node(1), memory_order_relaxed);
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&w, NULL, writer, NULL);
  pthread_join(r, NULL);
  pthread_join(w, NULL);
  return 0;
}
