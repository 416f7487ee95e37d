// The work-stealing deque of Chase and Lev, with a buffer that does not grow: its owner pushes and
// takes at the bottom, thieves steal at the top. (../structures/deque.h has one that grows.)
//
// Owner and thief may both go for the last task. The owner lowers bottom, then looks at top; the
// thief looks at top, then at bottom. A fence between the two in each of them makes sure that at
// least one sees the other; then the compare-and-swap on top decides.
//@ expect rc20: HOLDS 340 traces, sc: HOLDS 332 traces

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef RELAXED
#define LOWER memory_order_relaxed
#else
#define LOWER memory_order_release
#endif

#define SIZE 2
#define NONE 0

static atomic_int top, bottom, buffer[SIZE];
static int done[3]; // by task, 1 or 2; not atomic: only who gets the task touches it

static void push(int task) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed);
  int t = atomic_load_explicit(&top, memory_order_acquire);
  assert(b - t < SIZE);
  atomic_store_explicit(&buffer[b % SIZE], task, memory_order_relaxed);
  atomic_store_explicit(&bottom, b + 1, memory_order_release);
}

// Release, for a push that finds the slot free again: it acquires, and overwrites the slot after
// the thief has read it. (No execution here depends on that, as rc20 forbids cycles of program
// order and reads-from in any case; the standard does not.)
static int win(int t) {
  return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_release,
                                                 memory_order_relaxed);
}

static int take(void) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  // Release, for a thief that reads bottom here and not from the push: it has to see the task.
  atomic_store_explicit(&bottom, b, LOWER);
#ifndef NO_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  int t = atomic_load_explicit(&top, memory_order_relaxed);
  int task = NONE;
  if (t <= b) {
    task = atomic_load_explicit(&buffer[b % SIZE], memory_order_relaxed);
    if (t < b)
      return task;
    if (!win(t))
      task = NONE;
  }
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  return task;
}

static int steal(void) {
  int t = atomic_load_explicit(&top, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  int b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t >= b)
    return NONE;
  int task = atomic_load_explicit(&buffer[t % SIZE], memory_order_relaxed);
  return win(t) ? task : NONE;
}

static void work(int task) {
  if (task != NONE)
    done[task]++;
}

static void *thief(void *arg) {
  work(steal());
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, thief, NULL);
  pthread_create(&b, NULL, thief, NULL);
  push(1);
  push(2);
  work(take());
  work(take());
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(done[1] == 1 && done[2] == 1);
  return 0;
}
