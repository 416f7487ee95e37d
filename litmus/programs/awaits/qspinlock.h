// A queued spinlock after the Linux kernel's: one word with a locked bit, a pending bit and the
// tail of a queue. The first to wait sets the pending bit, everyone after it queues. N threads
// enter the critical section once each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "give-up.h"

#define LOCKED 1u
#define PENDING 0x100u
#define TAIL(id) ((unsigned)((id) + 1) << 16)
#define TAIL_MASK 0xffff0000u

struct node {
  _Atomic(struct node *) next;
  atomic_int granted;
};

static atomic_uint word;
static struct node nodes[N];
static int shared;

static int replace(unsigned *old, unsigned new) {
  return atomic_compare_exchange_strong(&word, old, new);
}

static void lock_queued(int id) {
  struct node *me = &nodes[id], *after;
  atomic_store(&me->granted, 0);
  atomic_store(&me->next, NULL);
  unsigned old = 0;
  if (atomic_load(&word) == 0 && replace(&old, LOCKED))
    return;
  old = atomic_load(&word);
  while (!replace(&old, (old & ~TAIL_MASK) | TAIL(id)))
    ;
  if (old & TAIL_MASK) {
    atomic_store(&nodes[(old >> 16) - 1].next, me);
    while (!atomic_load(&me->granted))
      ;
  }
  unsigned seen;
  WAIT_FOR(!((seen = atomic_load(&word)) & (LOCKED | PENDING)));
  if (seen == TAIL(id) && replace(&seen, LOCKED))
    return;
  atomic_fetch_or(&word, LOCKED);
  while ((after = atomic_load(&me->next)) == NULL)
    ;
  atomic_store(&after->granted, 1);
}

static void lock(int id) {
  unsigned old = 0, new;
  if (replace(&old, LOCKED))
    return;
  if (old == PENDING)
    while ((old = atomic_load(&word)) == PENDING)
      ;
  do {
    if (old & ~LOCKED) {
      lock_queued(id);
      return;
    }
    new = old == LOCKED ? LOCKED | PENDING : LOCKED;
  } while (!replace(&old, new));
  if (new == LOCKED)
    return;
  WAIT_FOR(!(atomic_load(&word) & LOCKED));
  atomic_fetch_add(&word, LOCKED - PENDING);
}

static void unlock(void) {
  atomic_fetch_sub(&word, LOCKED);
}

static void *worker(void *arg) {
  int id = (int)(long)arg;
  lock(id);
  shared = id;
  assert(shared == id);
  unlock();
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  return 0;
}
