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
    while (atomic_load(&taken))
      ;
  } while (atomic_exchange(&taken, 1));
}

static void unlock(void) {
  atomic_store(&taken, 0);
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
