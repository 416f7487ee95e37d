// A sequence lock over atomic data: the number is odd while a writer is inside; a reader reads the
// data between two reads of the number and tries again if it moved. N threads: the first reads, the
// others write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int sequence, first, second;

static void write_both(int value) {
  int seen;
  do {
    while ((seen = atomic_load_explicit(&sequence, memory_order_relaxed)) % 2)
      ;
  } while (!atomic_compare_exchange_strong_explicit(&sequence, &seen, seen + 1,
                                                    memory_order_acquire, memory_order_relaxed));
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&first, value, memory_order_relaxed);
  atomic_store_explicit(&second, value, memory_order_relaxed);
  atomic_store_explicit(&sequence, seen + 2, memory_order_release);
}

static void read_both(int *a, int *b) {
  int seen;
  do {
    while ((seen = atomic_load_explicit(&sequence, memory_order_acquire)) % 2)
      ;
    *a = atomic_load_explicit(&first, memory_order_relaxed);
    *b = atomic_load_explicit(&second, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
  } while (atomic_load_explicit(&sequence, memory_order_relaxed) != seen);
}

static void *reader(void *arg) {
  (void)arg;
  int a, b;
  read_both(&a, &b);
  assert(a == b);
  return NULL;
}

static void *writer(void *arg) {
  write_both((int)(long)arg);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, i == 0 ? reader : writer, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  return 0;
}
