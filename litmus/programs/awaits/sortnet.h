// N threads sort 2N numbers by a network of comparators, Batcher's odd-even mergesort. Thread t
// runs the comparators whose upper line is 2t or 2t + 1. A line has a generation, the number of
// comparators that it has passed; a comparator waits until both its lines are in the right one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define LINES (2 * N)

static int value[LINES];
static atomic_int generation[LINES];

static void await_generation(int line, int wanted) {
  while (atomic_load(&generation[line]) != wanted)
    ;
}

static void compare(int low, int high) {
  int a = value[low], b = value[high];
  value[low] = a < b ? a : b;
  value[high] = a < b ? b : a;
}

static void *sorter(void *arg) {
  int id = (int)(long)arg;
  int passed[LINES] = {0};
  int top = 1;
  while (2 * top < LINES)
    top *= 2;
  for (int p = top; p > 0; p /= 2) {
    int r = 0, d = p;
    for (int q = top; q >= p; q /= 2) {
      for (int i = 0; i + d < LINES; i++) {
        if ((i & p) != r)
          continue;
        if (i / 2 == id) {
          await_generation(i, passed[i]);
          await_generation(i + d, passed[i + d]);
          compare(i, i + d);
          atomic_store(&generation[i], passed[i] + 1);
          atomic_store(&generation[i + d], passed[i + d] + 1);
        }
        passed[i]++;
        passed[i + d]++;
      }
      d = q - p;
      r = p;
    }
  }
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < LINES; i++)
    value[i] = LINES - i;
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, sorter, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  for (int i = 0; i < LINES; i++)
    assert(value[i] == i + 1);
  return 0;
}
