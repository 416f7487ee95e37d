// Treiber's stack with nodes used again: the ABA problem. No memory order is to blame.
//
// The stack holds A above B. One thread begins to pop: it reads A as top and B as the next. The
// other pops A, pops B and pushes A again. top is A as before, so the first thread's compare-and-
// swap succeeds and makes B the top, though the other thread owns it.
//@ expect rc20: VIOLATED 18 traces, sc: VIOLATED 16 traces
//@ unroll 2

#define ABA
#include "treiber.c"

static void *pops_one(void *arg) {
  pop();
  return arg;
}

static void *pops_two(void *arg) {
  struct node *first = pop();
  struct node *second = pop();
  if (first != NULL)
    push(first);
  return second == NULL ? arg : second; // the caller owns this node now
}

int main(void) {
  push(&nodes[1]);
  push(&nodes[0]);
  pthread_t a, b;
  pthread_create(&a, NULL, pops_one, NULL);
  pthread_create(&b, NULL, pops_two, NULL);
  void *owned;
  pthread_join(a, NULL);
  pthread_join(b, &owned);
  for (struct node *node = pop(); node != NULL; node = pop())
    assert(node != owned);
  return 0;
}
