// A work-stealing deque, without locks, that grows as needed.
//
// One thread owns the deque. It pushes and takes tasks at the bottom, so that it works on what it
// has just made; any other thread may steal the oldest task at the top. top and bottom only count:
// the tasks are those numbered from top to bottom - 1, and task number i lies in slot i modulo the
// size of the buffer. Only the owner moves bottom; top moves up by one for each task that a thief
// gets, or the owner if it is the last.
//
// Who gets the last task? The owner lowers bottom and then reads top, a thief reads top and then
// bottom, each with a sequentially consistent fence between. So either the owner sees that top has
// moved or the thief sees that bottom has; and if both still want the task, the compare-and-swap on
// top lets one of them have it.
//
// When the buffer is full the owner copies the tasks into one of twice the size and publishes that.
// A thief may still have the old buffer in hand: the tasks in it that could be stolen are the same,
// and the owner does not write there any more. So old buffers are kept, in a chain behind the new
// one, until the deque is freed; all together they are no larger than the last one.

#ifndef DEQUE_H
#define DEQUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef WEAK
#define DEQUE_NEW_BUFFER memory_order_relaxed
#else
#define DEQUE_NEW_BUFFER memory_order_release
#endif

struct deque_buffer {
  long size;
  struct deque_buffer *older;
  void *_Atomic slots[];
};

struct deque {
  atomic_long top;
  atomic_long bottom;
  struct deque_buffer *_Atomic buffer;
};

enum deque_result {
  DEQUE_EMPTY, // there was no task
  DEQUE_LOST,  // another thread got the task first: it may be worthwhile to try again
  DEQUE_GOT
};

static inline struct deque_buffer *deque_buffer_new(long size, struct deque_buffer *older) {
  struct deque_buffer *buffer = malloc(sizeof *buffer + size * sizeof buffer->slots[0]);
  if (buffer == NULL)
    return NULL;
  buffer->size = size;
  buffer->older = older;
  for (long i = 0; i < size; i++)
    atomic_init(&buffer->slots[i], NULL);
  return buffer;
}

static inline void *deque_slot(struct deque_buffer *buffer, long number) {
  return atomic_load_explicit(&buffer->slots[number % buffer->size], memory_order_relaxed);
}

static inline void deque_set_slot(struct deque_buffer *buffer, long number, void *task) {
  atomic_store_explicit(&buffer->slots[number % buffer->size], task, memory_order_relaxed);
}

// False if there is no memory. size is that of the first buffer.
static inline bool deque_init(struct deque *deque, long size) {
  struct deque_buffer *buffer = deque_buffer_new(size, NULL);
  if (buffer == NULL)
    return false;
  atomic_init(&deque->top, 0);
  atomic_init(&deque->bottom, 0);
  atomic_init(&deque->buffer, buffer);
  return true;
}

// No other thread may use the deque any more. The tasks in it are the caller's.
static inline void deque_destroy(struct deque *deque) {
  struct deque_buffer *buffer = atomic_load_explicit(&deque->buffer, memory_order_relaxed);
  while (buffer != NULL) {
    struct deque_buffer *older = buffer->older;
    free(buffer);
    buffer = older;
  }
}

// Doubles the buffer, which holds the tasks numbered from top to bottom - 1.
static inline struct deque_buffer *deque_grow(struct deque *deque, struct deque_buffer *buffer,
                                              long top, long bottom) {
  struct deque_buffer *larger = deque_buffer_new(buffer->size * 2, buffer);
  if (larger == NULL)
    return NULL;
  for (long i = top; i < bottom; i++)
    deque_set_slot(larger, i, deque_slot(buffer, i));
  atomic_store_explicit(&deque->buffer, larger, DEQUE_NEW_BUFFER);
  return larger;
}

// For the owner. False if the deque is full and there is no memory for it to grow.
static inline bool deque_push(struct deque *deque, void *task) {
  long bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
  long top = atomic_load_explicit(&deque->top, memory_order_acquire);
  struct deque_buffer *buffer = atomic_load_explicit(&deque->buffer, memory_order_relaxed);
  if (bottom - top >= buffer->size) {
    buffer = deque_grow(deque, buffer, top, bottom);
    if (buffer == NULL)
      return false;
  }
  deque_set_slot(buffer, bottom, task);
  atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);
  return true;
}

// Moves top past the task with that number, if no other thread has. Release: a push that finds the
// slot free acquires it, and overwrites the slot after the thief has read it.
static inline bool deque_claim(struct deque *deque, long number) {
  return atomic_compare_exchange_strong_explicit(&deque->top, &number, number + 1,
                                                 memory_order_release, memory_order_relaxed);
}

// For the owner: the newest task.
static inline enum deque_result deque_take(struct deque *deque, void **task) {
  long bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed) - 1;
  struct deque_buffer *buffer = atomic_load_explicit(&deque->buffer, memory_order_relaxed);
  // Release: a thief that reads bottom from here has to see the tasks below it, as it would if it
  // read bottom from the push. C11 gave that for nothing, but C++20 does not.
  atomic_store_explicit(&deque->bottom, bottom, memory_order_release);
  atomic_thread_fence(memory_order_seq_cst);
  long top = atomic_load_explicit(&deque->top, memory_order_relaxed);
  if (top < bottom) { // more than one is left: no thief goes for this one
    *task = deque_slot(buffer, bottom);
    return DEQUE_GOT;
  }
  enum deque_result result = DEQUE_EMPTY;
  if (top == bottom) {
    *task = deque_slot(buffer, bottom);
    result = deque_claim(deque, top) ? DEQUE_GOT : DEQUE_LOST;
  }
  atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_relaxed);
  return result;
}

// For the other threads: the oldest task.
static inline enum deque_result deque_steal(struct deque *deque, void **task) {
  long top = atomic_load_explicit(&deque->top, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  long bottom = atomic_load_explicit(&deque->bottom, memory_order_acquire);
  if (top >= bottom)
    return DEQUE_EMPTY;
  struct deque_buffer *buffer = atomic_load_explicit(&deque->buffer, memory_order_acquire);
  *task = deque_slot(buffer, top); // to be forgotten if the claim fails
  return deque_claim(deque, top) ? DEQUE_GOT : DEQUE_LOST;
}

#endif
