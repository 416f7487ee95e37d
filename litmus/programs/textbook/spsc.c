// A ring buffer for one producer and one consumer, with two counters and no read-modify-write.
//
// Each counter has one writer, whose release hands slots over: written_to says which are full,
// read_to which are free again. The ring has one slot, so the second push uses the first one's.
//@ expect rc20: HOLDS 20 traces, sc: HOLDS 20 traces

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef RELAXED_PUSH
#define PUSHED memory_order_relaxed
#else
#define PUSHED memory_order_release
#endif

#ifdef RELAXED_POP
#define POPPED memory_order_relaxed
#else
#define POPPED memory_order_release
#endif

#define SLOTS 1

static int slots[SLOTS]; // not atomic
static atomic_uint written_to, read_to;

static int push(int value) {
  unsigned w = atomic_load_explicit(&written_to, memory_order_relaxed);
  if (w - atomic_load_explicit(&read_to, memory_order_acquire) == SLOTS)
    return 0;
  slots[w % SLOTS] = value;
  atomic_store_explicit(&written_to, w + 1, PUSHED);
  return 1;
}

static int pop(int *value) {
  unsigned r = atomic_load_explicit(&read_to, memory_order_relaxed);
  if (atomic_load_explicit(&written_to, memory_order_acquire) == r)
    return 0;
  *value = slots[r % SLOTS];
  atomic_store_explicit(&read_to, r + 1, POPPED);
  return 1;
}

static void *producer(void *arg) {
  int next = 1;
  for (int i = 0; i < 3; i++)
    next += push(next); // again if the ring is full
  return arg;
}

static void *consumer(void *arg) {
  int last = 0, value;
  for (int i = 0; i < 3; i++)
    if (pop(&value)) {
      assert(value == last + 1);
      last = value;
    }
  return arg;
}

int main(void) {
  pthread_t p, c;
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
  return 0;
}
