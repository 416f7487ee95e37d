// N threads put 4 messages each into a hash table of 128 cells, by compare-and-swap; who finds its
// cell taken takes the next one. Up to 11 threads never meet. Thread t + 11 and thread t meet in 3
// cells, and each meeting has two outcomes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define CELLS 128
#define MESSAGES 4

static atomic_int table[CELLS];

static void *inserter(void *arg) {
  int id = (int)(long)arg;
  for (int m = 1; m <= MESSAGES; m++) {
    int word = m * 11 + id;
    int h = word * 7 % CELLS;
    for (;;) {
      int empty = 0;
      if (atomic_compare_exchange_strong_explicit(&table[h], &empty, word, memory_order_relaxed,
                                                  memory_order_relaxed))
        break;
      h = (h + 1) % CELLS;
    }
  }
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, inserter, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  return 0;
}
