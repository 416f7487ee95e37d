// N threads add to y and the last of them then adds to x, as does one thread more: N! orders of the
// additions to y, 2 of those to x.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *add_x(void *arg) {
  (void)arg;
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return NULL;
}

static void *add_y(void *arg) {
  (void)arg;
  atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
  return NULL;
}

static void *add_both(void *arg) {
  add_y(arg);
  return add_x(arg);
}

int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[0], NULL, add_x, NULL);
  for (int i = 1; i <= N; i++)
    pthread_create(&t[i], NULL, i < N ? add_y : add_both, NULL);
  for (int i = 0; i <= N; i++)
    pthread_join(t[i], NULL);
  assert(atomic_load(&x) == 2 && atomic_load(&y) == N);
  return 0;
}
