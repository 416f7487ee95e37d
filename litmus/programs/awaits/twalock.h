// A ticket lock with a waiting array: a thread whose turn is more than one away waits on a cell of
// the array instead of the common counter. N threads enter the critical section once each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define NEAR 1
#define CELLS 4

static atomic_int ticket, grant, waiting[CELLS];
static int shared;

static void lock(void) {
  int mine = atomic_fetch_add(&ticket, 1);
  if (mine - atomic_load(&grant) > NEAR) {
    atomic_int *cell = &waiting[mine % CELLS];
    int seen = atomic_load(cell), now;
    while (mine - atomic_load(&grant) > NEAR) {
      while ((now = atomic_load(cell)) == seen)
        ;
      seen = now;
    }
  }
  while (atomic_load(&grant) != mine)
    ;
}

static void unlock(void) {
  int next = atomic_load(&grant) + 1;
  atomic_store(&grant, next);
  atomic_fetch_add(&waiting[(next + NEAR) % CELLS], 1);
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
