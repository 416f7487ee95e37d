// The queue of Michael and Scott: a list with a dummy node at its head. A node is linked behind the
// last one by compare-and-swap; whoever finds tail lagging behind moves it on.
//
// Linking a node releases it; following a link acquires. Nodes are not used again after they have
// left the queue.
//@ expect rc20: HOLDS 38 traces, sc: HOLDS 26 traces
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
  int value; // not atomic
  struct node *_Atomic next;
};

static struct node dummy, nodes[2];
static struct node *_Atomic head = &dummy, *_Atomic tail = &dummy;

static int swing(struct node *_Atomic *where, struct node *from, struct node *to) {
  return atomic_compare_exchange_strong_explicit(where, &from, to, memory_order_release,
                                                 memory_order_relaxed);
}

static void enqueue(struct node *node, int value) {
  node->value = value;
  atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
  for (;;) {
    struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
    struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
    if (next != NULL)
      swing(&tail, last, next);
    else if (atomic_compare_exchange_strong_explicit(&last->next, &next, node, PUBLISH,
                                                     memory_order_relaxed)) {
      swing(&tail, last, node);
      return;
    }
  }
}

// Returns 0 if the queue is empty.
static int dequeue(int *value) {
  for (;;) {
    struct node *first = atomic_load_explicit(&head, memory_order_acquire);
    struct node *last = atomic_load_explicit(&tail, memory_order_relaxed);
    struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
    if (next == NULL)
      return 0;
    if (first == last)
      swing(&tail, last, next); // head must not overtake tail
    else if (swing(&head, first, next)) {
      *value = next->value;
      return 1;
    }
  }
}

static void *one(void *arg) {
  enqueue(&nodes[0], 1);
  return arg;
}

static void *two(void *arg) {
  enqueue(&nodes[1], 2);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  int early = 0, first = 0, second = 0;
  if (dequeue(&early))
    assert(early == 1 || early == 2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  if (early == 0) {
    dequeue(&first);
    dequeue(&second);
    assert(first + second == 3 && first != 0 && second != 0);
  } else {
    dequeue(&second);
    assert(early + second == 3 && second != 0);
  }
  int more = dequeue(&second);
  assert(!more);
  return 0;
}
