// A lock for many readers or one writer, as in older Linux kernels: a word starts at BIAS, a reader
// takes 1 away and a writer BIAS. Who took too much gives it back and waits. N threads: the even
// ones write, the odd ones read.
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

static void *reader(void *arg) {
  (void)arg;
  read_lock();
  int once = shared, again = shared;
  assert(once == again);
  read_unlock();
  return NULL;
}

static void *writer(void *arg) {
  int id = (int)(long)arg;
  write_lock();
  shared = id;
  assert(shared == id);
  write_unlock();
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, i % 2 ? reader : writer, (void *)(i + 1));
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  return 0;
}
