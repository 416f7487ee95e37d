// A sequence lock: the number is odd while a writer is inside; a reader reads the data between two
// reads of the number and tries again if it moved. Writers take a mutex. N threads: the first
// reads, the second writes, all others read and then write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "give-up.h"

static atomic_int sequence, data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void writing(void) {
  pthread_mutex_lock(&mutex);
  int odd = atomic_fetch_add(&sequence, 1) + 1;
  atomic_store(&data, odd);
  atomic_fetch_add(&sequence, 1);
  pthread_mutex_unlock(&mutex);
}

static void reading(void) {
  int seen, copy;
  do {
    WAIT_FOR(!((seen = atomic_load(&sequence)) & 1));
    copy = atomic_load(&data);
  } while (atomic_load(&sequence) != seen);
  assert(copy == (seen == 0 ? 0 : seen - 1));
}

static void *worker(void *arg) {
  int id = (int)(long)arg;
  if (id != 1)
    reading();
  if (id != 0)
    writing();
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
