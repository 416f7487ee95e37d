// N threads put 4 messages each into a hash table of 128 cells; a cell has a mutex, and who finds
// its cell taken goes on to the next one. Their numbers are STEP apart; who is 11 after another
// meets it in 3 cells.
#include "plain.h"

#ifndef STEP
#define STEP 1
#endif

#define CELLS 128
#define MESSAGES 4

static int table[CELLS];
static pthread_mutex_t mutex[CELLS];

static int put_if_empty(int h, int word) {
  pthread_mutex_lock(&mutex[h]);
  int empty = table[h] == 0;
  if (empty)
    table[h] = word;
  pthread_mutex_unlock(&mutex[h]);
  return empty;
}

static void *inserter(void *arg) {
  int id = (int)(long)arg;
  for (int m = 1; m <= MESSAGES; m++) {
    int word = m * 11 + id;
    int h = word * 7 % CELLS;
    while (!put_if_empty(h, word))
      h = (h + 1) % CELLS;
  }
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int h = 0; h < CELLS; h++)
    pthread_mutex_init(&mutex[h], NULL);
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, inserter, (void *)(i * STEP));
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  return 0;
}
