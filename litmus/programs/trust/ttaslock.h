// A test-and-test-and-set lock: N threads enter the critical section once each. A thread waits
// until the lock looks free, and only then tries to take it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int taken;
static int shared;

static void lock(void) {
  do {
    while (atomic_load_explicit(&taken, memory_order_relaxed))
      ;
  } while (atomic_exchange_explicit(&taken, 1, memory_order_acquire));
}

static void unlock(void) {
  atomic_store_explicit(&taken, 0, memory_order_release);
}

static void *worker(void *arg) {
  int id = (int)(long)arg;
  lock();
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
