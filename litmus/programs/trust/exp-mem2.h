// exp-mem without read-modify-writes. N threads increment y by a load and a store: (N!)^2 ways. One
// thread stores to x N + 1 times; the first and the last of the N then load x, and each has N + 2
// stores to read from.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *set_x(void *arg) {
  (void)arg;
  for (int i = 1; i <= N + 1; i++)
    atomic_store_explicit(&x, i, memory_order_relaxed);
  return NULL;
}

static void *add_y(void *arg) {
  (void)arg;
  int v = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&y, v + 1, memory_order_relaxed);
  return NULL;
}

static void *add_y_see_x(void *arg) {
  add_y(arg);
  int v = atomic_load_explicit(&x, memory_order_relaxed);
  assert(0 <= v && v <= N + 1);
  return NULL;
}

int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[0], NULL, set_x, NULL);
  for (int i = 1; i <= N; i++)
    pthread_create(&t[i], NULL, 1 < i && i < N ? add_y : add_y_see_x, NULL);
  for (int i = 0; i <= N; i++)
    pthread_join(t[i], NULL);
  int v = atomic_load_explicit(&y, memory_order_relaxed);
  assert(1 <= v && v <= N);
  return 0;
}
