// Two threads add each other's number to their own, N times, and so at most compute Fibonacci
// numbers; a third reads both numbers at some point and claims that neither is beyond the largest
// that can arise, the (2N + 2)-nd Fibonacci number.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int i = 1, j = 1;

static int largest(void) {
  int a = 1, b = 1;
  for (int k = 0; k < N; k++) {
    a += b;
    b += a;
  }
  return b;
}

static void *add_to_i(void *arg) {
  (void)arg;
  for (int k = 0; k < N; k++)
    atomic_store(&i, atomic_load(&i) + atomic_load(&j));
  return NULL;
}

static void *add_to_j(void *arg) {
  (void)arg;
  for (int k = 0; k < N; k++)
    atomic_store(&j, atomic_load(&j) + atomic_load(&i));
  return NULL;
}

static void *observer(void *arg) {
  (void)arg;
  assert(atomic_load(&i) <= largest() && atomic_load(&j) <= largest());
  return NULL;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, add_to_i, NULL);
  pthread_create(&t[1], NULL, add_to_j, NULL);
  pthread_create(&t[2], NULL, observer, NULL);
  for (int k = 0; k < 3; k++)
    pthread_join(t[k], NULL);
  return 0;
}
