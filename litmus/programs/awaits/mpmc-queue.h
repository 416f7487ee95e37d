// A bounded queue for many producers and consumers. One word holds how many places were claimed for
// reading (high half) and for writing (low half); two counters say how many of them are done. Who
// has claimed a place waits until the claims before it on the other side are done. At first there
// is one element. N threads: the first takes elements out until there is none, the second puts one
// in, all others put one in and then take out what there is.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "give-up.h"

#define PLACES 4u
#define HALF 0xffffu
#define READS(claims) (((claims) >> 16) & HALF)
#define WRITES(claims) ((claims) & HALF)

static atomic_uint claims, reads_done, writes_done;
static int place[PLACES];

static void put(int value) {
  unsigned seen, wanted;
  do {
    seen = atomic_load(&claims);
    if (WRITES(seen) == ((READS(seen) + PLACES) & HALF))
      return;
    wanted = READS(seen) << 16 | ((WRITES(seen) + 1) & HALF);
  } while (!atomic_compare_exchange_strong(&claims, &seen, wanted));
  WAIT_FOR((atomic_load(&reads_done) & HALF) == READS(seen));
  place[WRITES(seen) % PLACES] = value;
  atomic_fetch_add(&writes_done, 1);
}

static int take(void) {
  unsigned seen;
  do {
    seen = atomic_load(&claims);
    if (WRITES(seen) == READS(seen))
      return 0;
  } while (!atomic_compare_exchange_strong(&claims, &seen, seen + (1u << 16)));
  WAIT_FOR((atomic_load(&writes_done) & HALF) == WRITES(seen));
  int value = place[READS(seen) % PLACES];
  atomic_fetch_add(&reads_done, 1);
  return value;
}

static void take_all(void) {
  int value;
  while ((value = take()) != 0)
    assert(0 < value && value <= N);
}

static void *worker(void *arg) {
  int id = (int)(long)arg;
  if (id != 0)
    put(id);
  if (id != 1)
    take_all();
  return NULL;
}

int main(void) {
  pthread_t t[N];
  put(N);
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  return 0;
}
