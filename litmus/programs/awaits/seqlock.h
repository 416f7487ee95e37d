// A sequence lock: the number is odd while a writer is inside; a reader reads the data between two
// reads of the number and tries again if it moved. N threads: the first reads, the others write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int sequence, first, second;

static void write_both(int value) {
  int seen;
  do {
    while ((seen = atomic_load(&sequence)) % 2)
      ;
  } while (!atomic_compare_exchange_strong(&sequence, &seen, seen + 1));
  atomic_store(&first, value);
  atomic_store(&second, value);
  atomic_store(&sequence, seen + 2);
}

static void read_both(int *a, int *b) {
  int seen;
  do {
    while ((seen = atomic_load(&sequence)) % 2)
      ;
    *a = atomic_load(&first);
    *b = atomic_load(&second);
  } while (atomic_load(&sequence) != seen);
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
