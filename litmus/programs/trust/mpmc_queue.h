// A bounded queue for many producers and consumers. One word holds how many places were claimed for
// reading (high half) and for writing (low half); two counters say how many of them are done. Who
// has claimed a place waits until the claims before it on the other side are done. N threads: the
// last takes an element out if there is one, the others put one in.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define PLACES N
#define READS(claims) ((claims) >> 16)
#define WRITES(claims) ((claims) & 0xffffu)
#define A_READ 0x10000u
#define A_WRITE 1u

static atomic_uint claims, reads_done, writes_done;
static int place[PLACES];

static int claim(unsigned *seen, unsigned what) {
  return atomic_compare_exchange_strong_explicit(&claims, seen, *seen + what, memory_order_acq_rel,
                                                 memory_order_relaxed);
}

static int put(int value) {
  unsigned seen;
  do {
    seen = atomic_load_explicit(&claims, memory_order_acquire);
    if (WRITES(seen) - READS(seen) == PLACES)
      return 0;
  } while (!claim(&seen, A_WRITE));
  while (atomic_load_explicit(&reads_done, memory_order_acquire) < READS(seen))
    ;
  place[WRITES(seen) % PLACES] = value;
  atomic_fetch_add_explicit(&writes_done, 1, memory_order_release);
  return 1;
}

static int take(void) {
  unsigned seen;
  do {
    seen = atomic_load_explicit(&claims, memory_order_acquire);
    if (WRITES(seen) == READS(seen))
      return 0;
  } while (!claim(&seen, A_READ));
  while (atomic_load_explicit(&writes_done, memory_order_acquire) < WRITES(seen))
    ;
  int value = place[READS(seen) % PLACES];
  atomic_fetch_add_explicit(&reads_done, 1, memory_order_release);
  return value;
}

static void *producer(void *arg) {
  int done = put((int)(long)arg);
  assert(done);
  return NULL;
}

static void *consumer(void *arg) {
  (void)arg;
  int value = take();
  assert(0 <= value && value < N);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, i < N - 1 ? producer : consumer, (void *)(i + 1));
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  return 0;
}
