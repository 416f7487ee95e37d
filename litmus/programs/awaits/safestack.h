// D. Vyukov's "safe stack", which is not safe: a lock-free stack of cells of an array, linked by
// index. A popping thread takes the top cell's link away before it swings the head. Threads perform
// OPS operations each, in turn pop, push, pop, push; a thread that finds too little to pop tries
// again, and the stack never gives away its last cell.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "give-up.h"

#define CELLS 3
#define NONE (-1)

struct cell {
  atomic_int owner;
  atomic_int next;
};

static const int ops[] = {OPS};
#define THREADS (int)(sizeof ops / sizeof ops[0])

static struct cell cells[CELLS];
static atomic_int head, count;

#ifndef GIVE_UP
static int pop(void) {
  while (atomic_load(&count) > 1) {
    int top = atomic_load(&head);
    int next = atomic_exchange(&cells[top].next, NONE);
    if (next == NONE)
      continue;
    int expected = top;
    if (atomic_compare_exchange_strong(&head, &expected, next)) {
      atomic_fetch_sub(&count, 1);
      return top;
    }
    atomic_exchange(&cells[top].next, next);
  }
  return NONE;
}
#else
// The rounds that the paper's tool leaves: one that finds too little on the stack is given up at
// once if it is the first, and otherwise begins again.
static int pop(void) {
  for (;;) {
    WAIT_FOR(atomic_load(&count) > 1);
    do {
      int top = atomic_load(&head), expected = top, next;
      do {
        next = atomic_exchange(&cells[top].next, NONE);
      } while (next == NONE);
      if (atomic_compare_exchange_strong(&head, &expected, next)) {
        atomic_fetch_sub(&count, 1);
        return top;
      }
      atomic_exchange(&cells[top].next, next);
    } while (atomic_load(&count) > 1);
  }
}
#endif

static void push(int cell) {
  int top;
  do {
    top = atomic_load(&head);
    atomic_store(&cells[cell].next, top);
  } while (!atomic_compare_exchange_strong(&head, &top, cell));
  atomic_fetch_add(&count, 1);
}

static void *worker(void *arg) {
  int id = (int)(long)arg;
  int cell = NONE;
  for (int i = 0; i < ops[id]; i++) {
    if (i % 2 == 0) {
      while ((cell = pop()) == NONE)
        ;
      atomic_store(&cells[cell].owner, id);
      assert(atomic_load(&cells[cell].owner) == id);
    } else {
      push(cell);
    }
  }
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  atomic_init(&count, CELLS);
  for (int i = 0; i < CELLS; i++)
    atomic_init(&cells[i].next, i + 1 < CELLS ? i + 1 : NONE);
  for (long i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  return 0;
}
