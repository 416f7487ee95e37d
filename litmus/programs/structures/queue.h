// A bounded queue for any number of producers and consumers, without locks.
//
// The queue is a ring of cells. Each cell has a turn: which operation may use it next, counted over
// all the times that the ring has been gone round. In round r, from 0, of a ring of n cells, cell i
// accepts the push with ticket r * n + i when its turn is 2r, and then the pop with that ticket
// when its turn is 2r + 1. A producer that finds its cell's turn come claims the ticket by a
// compare-and-swap on the counter of pushes; nobody else then touches the cell until the producer
// passes the turn on. Consumers do the same with the counter of pops.
//
// The turn of a cell is the only thing that carries data from thread to thread:
// - a push stores the item, then releases the turn; the pop acquires it: it sees the item;
// - a pop reads the item, then releases the turn; the push of the next round acquires it: it
//   overwrites an item that has been read.
// The counters only hand out tickets, and are relaxed.
//
// queue_push and queue_pop do not wait: they say whether they could do it. A queue that is full
// (empty) only because another thread is in the midst of a pop (push) counts as full (empty).

#ifndef QUEUE_H
#define QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef WEAK
#define QUEUE_ITEM_IN memory_order_relaxed
#else
#define QUEUE_ITEM_IN memory_order_release
#endif

struct queue_cell {
  atomic_uint turn;
  void *item;
};

struct queue {
  unsigned size;
  atomic_uint pushes;
  atomic_uint pops;
  struct queue_cell cells[];
};

// A queue for up to size items. A queue of one cell works too: it is a mailbox.
static inline struct queue *queue_new(unsigned size) {
  struct queue *queue = malloc(sizeof *queue + size * sizeof queue->cells[0]);
  if (queue == NULL)
    return NULL;
  queue->size = size;
  atomic_init(&queue->pushes, 0);
  atomic_init(&queue->pops, 0);
  for (unsigned i = 0; i < size; i++) {
    atomic_init(&queue->cells[i].turn, 0);
    queue->cells[i].item = NULL;
  }
  return queue;
}

// No other thread may use the queue any more. The items in it are the caller's.
static inline void queue_free(struct queue *queue) {
  free(queue);
}

// Claims a ticket of the counter for an operation of the given kind (0 push, 1 pop): the cell that
// it is for, or NULL if the queue is full or empty. turn is then the cell's.
static inline struct queue_cell *queue_claim(struct queue *queue, atomic_uint *tickets,
                                             unsigned kind, unsigned *turn) {
  unsigned ticket = atomic_load_explicit(tickets, memory_order_relaxed);
  for (;;) {
    struct queue_cell *cell = &queue->cells[ticket % queue->size];
    unsigned wanted = ticket / queue->size * 2 + kind;
    *turn = atomic_load_explicit(&cell->turn, memory_order_acquire);
    if (*turn == wanted) {
      // On failure ticket is the counter's new value, and we try with that.
      if (atomic_compare_exchange_strong_explicit(tickets, &ticket, ticket + 1,
                                                  memory_order_relaxed, memory_order_relaxed))
        return cell;
    } else {
      // The turn has not come, or someone else has had it: then the counter has moved on.
      unsigned now = atomic_load_explicit(tickets, memory_order_relaxed);
      if (now == ticket)
        return NULL;
      ticket = now;
    }
  }
}

// False if the queue is full.
static inline bool queue_push(struct queue *queue, void *item) {
  unsigned turn;
  struct queue_cell *cell = queue_claim(queue, &queue->pushes, 0, &turn);
  if (cell == NULL)
    return false;
  cell->item = item;
  atomic_store_explicit(&cell->turn, turn + 1, QUEUE_ITEM_IN);
  return true;
}

// False if the queue is empty.
static inline bool queue_pop(struct queue *queue, void **item) {
  unsigned turn;
  struct queue_cell *cell = queue_claim(queue, &queue->pops, 1, &turn);
  if (cell == NULL)
    return false;
  *item = cell->item;
  atomic_store_explicit(&cell->turn, turn + 1, memory_order_release);
  return true;
}

// How many items the queue holds: an estimate while other threads use it.
static inline unsigned queue_length(struct queue *queue) {
  unsigned pops = atomic_load_explicit(&queue->pops, memory_order_relaxed);
  unsigned pushes = atomic_load_explicit(&queue->pushes, memory_order_relaxed);
  return (int)(pushes - pops) > 0 ? pushes - pops : 0;
}

#endif
