// Publication as in RCU: a writer replaces a structure by a new one while readers go on reading,
// and frees the old one when no reader can hold it any more.
//
// The new structure is published by a release and found by an acquire. A reader says that it reads,
// then gets the pointer; the writer replaces the pointer, then looks for readers. A fence in each
// makes sure that the writer sees the reader or the reader sees the new pointer.
//@ expect rc20: HOLDS 9 traces, sc: HOLDS 9 traces
//@ unroll 2

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef RELAXED
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

struct config {
  int width, area; // not atomic; area is the square of width
};

static struct config *_Atomic current;
static atomic_int reading[2];

static struct config *new_config(int width) {
  struct config *c = malloc(sizeof *c);
  c->width = width;
  c->area = width * width;
  return c;
}

// Waits until every reader that may hold the old pointer has finished.
static void wait_for_readers(void) {
#ifndef NO_WAIT
  atomic_thread_fence(memory_order_seq_cst);
  for (int i = 0; i < 2; i++)
    while (atomic_load_explicit(&reading[i], memory_order_acquire))
      ;
#endif
}

static void *reader(void *arg) {
  atomic_int *mine = arg;
  atomic_store_explicit(mine, 1, memory_order_relaxed);
#ifndef NO_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  struct config *c = atomic_load_explicit(&current, memory_order_acquire);
  int width = c->width, area = c->area;
  assert(area == width * width);
  atomic_store_explicit(mine, 0, memory_order_release);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  struct config *old = new_config(2);
  atomic_store_explicit(&current, old, memory_order_relaxed); // before there are other threads
  pthread_create(&a, NULL, reader, &reading[0]);
  pthread_create(&b, NULL, reader, &reading[1]);
  struct config *new = new_config(3);
  atomic_store_explicit(&current, new, PUBLISH);
  wait_for_readers();
  old->width = 0; // so that a reader that still has it would notice
  free(old);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(new);
  return 0;
}
