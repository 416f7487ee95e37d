// A lock for many readers or one writer, as in older Linux kernels: a word starts at BIAS, a reader
// takes 1 away and a writer BIAS. Who took too much gives it back and waits. N threads: the
// first reads, the second writes, all others read and then write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define BIAS 0x100000

static atomic_int word = BIAS;
static int shared;

static void read_lock(void) {
  while (atomic_fetch_sub(&word, 1) <= 0) {
    atomic_fetch_add(&word, 1);
    while (atomic_load(&word) <= 0)
      ;
  }
}

static void read_unlock(void) {
  atomic_fetch_add(&word, 1);
}

static void write_lock(void) {
  while (atomic_fetch_sub(&word, BIAS) != BIAS) {
    atomic_fetch_add(&word, BIAS);
    while (atomic_load(&word) != BIAS)
      ;
  }
}

static void write_unlock(void) {
  atomic_fetch_add(&word, BIAS);
}

static void reading(void) {
  read_lock();
  int once = shared, again = shared;
  assert(once == again);
  read_unlock();
}

static void writing(int id) {
  write_lock();
  shared = id;
  assert(shared == id);
  write_unlock();
}

static void *worker(void *arg) {
  int id = (int)(long)arg;
  if (id != 1)
    reading();
  if (id != 0)
    writing(id);
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
