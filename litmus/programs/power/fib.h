// Two threads add each other's number to their own, N times. main claims that neither number is
// beyond LIMIT, the (2N + 2)-nd Fibonacci number, which is the largest that can arise; or, where
// STRICT is defined, that neither reaches it, which is wrong. Where JOIN is defined, main waits for
// the threads before it looks.
#include "plain.h"

static atomic_int i = 1, j = 1;

static void *add_to_i(void *arg) {
  (void)arg;
  for (int k = 0; k < N; k++)
    put(i, get(i) + get(j));
  return NULL;
}

static void *add_to_j(void *arg) {
  (void)arg;
  for (int k = 0; k < N; k++)
    put(j, get(j) + get(i));
  return NULL;
}

int main(void) {
  int limit = 1;
  for (int k = 0, before = 1; k < N; k++) {
    before += limit;
    limit += before;
  }
#ifdef STRICT
  limit--;
#endif
#ifdef JOIN
  run_two(add_to_i, add_to_j);
  assert(get(i) <= limit && get(j) <= limit);
#else
  pthread_t t[2];
  pthread_create(&t[0], NULL, add_to_i, NULL);
  pthread_create(&t[1], NULL, add_to_j, NULL);
  int seen_i = get(i), seen_j = get(j);
  assert(seen_i <= limit && seen_j <= limit);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
#endif
  return 0;
}
