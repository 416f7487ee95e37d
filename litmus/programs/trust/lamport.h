// Lamport's fast mutual exclusion ("A fast mutual exclusion algorithm", 1987): N threads enter the
// critical section once each. Thread numbers start at 1; y is 0 while the section is free.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, busy[N + 1];
static int inside;

static void lock(int id) {
  for (;;) {
    atomic_store(&busy[id], 1);
    atomic_store(&x, id);
    if (atomic_load(&y) != 0) {
      atomic_store(&busy[id], 0);
      while (atomic_load(&y) != 0)
        ;
      continue;
    }
    atomic_store(&y, id);
    if (atomic_load(&x) == id)
      return;
    atomic_store(&busy[id], 0);
    for (int other = 1; other <= N; other++)
      while (atomic_load(&busy[other]))
        ;
    if (atomic_load(&y) == id)
      return;
    while (atomic_load(&y) != 0)
      ;
  }
}

static void unlock(int id) {
  atomic_store(&y, 0);
  atomic_store(&busy[id], 0);
}

static void *worker(void *arg) {
  int id = (int)(long)arg;
  lock(id);
  inside++;
  assert(inside == 1);
  inside--;
  unlock(id);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)(i + 1));
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  return 0;
}
