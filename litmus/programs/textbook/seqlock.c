// A seqlock: readers take no lock; they read a version before and after, and keep what they read
// only if the version is the same and even.
//
// The data are read while they may be written, so they are atomic, but relaxed. The order comes
// from two fences: the writer's keeps its stores after the odd version, the reader's keeps its
// loads before its second look at the version.
//@ expect rc20: HOLDS 39 traces, sc: HOLDS 37 traces

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef PLAIN
typedef int data;
#define LOAD(x) (x)
#define STORE(x, v) ((x) = (v))
#else
typedef atomic_int data;
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
#endif

static atomic_uint version;
static data low, high; // always written to be equal

static void write_both(int value) {
  unsigned v = atomic_load_explicit(&version, memory_order_relaxed);
  atomic_store_explicit(&version, v + 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  STORE(low, value);
  STORE(high, value);
  atomic_store_explicit(&version, v + 2, memory_order_release);
}

// One attempt: a user would repeat it until it succeeds.
static int read_both(int *a, int *b) {
  unsigned v = atomic_load_explicit(&version, memory_order_acquire);
  if (v % 2 != 0)
    return 0;
  *a = LOAD(low);
  *b = LOAD(high);
#ifndef NO_FENCE
  atomic_thread_fence(memory_order_acquire);
#endif
  return atomic_load_explicit(&version, memory_order_relaxed) == v;
}

static void *writer(void *arg) {
  write_both(1);
  write_both(2);
  return arg;
}

static void *reader(void *arg) {
  int a, b;
  if (read_both(&a, &b))
    assert(a == b);
  return arg;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r, NULL, reader, NULL);
  pthread_join(w, NULL);
  pthread_join(r, NULL);
  return 0;
}
