// What old and new compilers write in other ways: pointers in structs, functions as arguments,
// structs by value, thread-locals, locks, memory that is freed, a compare-exchange in a loop.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct pair { long first; long second; long third; };
struct node { int value; struct node *next; struct pair pair; };
typedef int operation(struct pair, int);

static struct node *_Atomic top;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static _Thread_local int own = 5;
static atomic_int data, flag;

static int sum(struct pair pair, int by) { return (int)(pair.first + pair.third) * by; }
static int difference(struct pair pair, int by) { return (int)(pair.third - pair.first) * by; }
static operation *const operations[] = {sum, difference};

static int chosen(struct pair pair, int by) {
  switch (by) {
  case 1: return operations[0](pair, by);
  case 2: return operations[1](pair, by);
  default: return -1;
  }
}

static void push(struct node *node) {
  node->next = atomic_load_explicit(&top, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&top, &node->next, node, memory_order_release,
                                                memory_order_relaxed))
    ;
}

static void *worker(void *argument) {
  long number = (long)argument;
  struct node *node = malloc(sizeof *node);
  struct pair pair = {number, 0, 2 * number};
  node->value = chosen(pair, (int)number);
  memcpy(&node->pair, &pair, sizeof pair);
  push(node);
  own += number;
  pthread_mutex_lock(&mutex);
  counter += own;
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *publish(void *argument) {
  atomic_store_explicit(&data, 42, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t workers[2], publisher;
  for (long i = 0; i < 2; i++)
    pthread_create(&workers[i], 0, worker, (void *)(i + 1));
  for (int i = 0; i < 2; i++)
    pthread_join(workers[i], 0);
  int found = 0;
  for (struct node *node = top, *next; node; node = next) {
    next = node->next;
    found = 10 * found + node->value;
    assert(node->pair.third == 2 * node->pair.first);
    free(node);
  }
  assert(found == 34 || found == 43);
  assert(counter == 13 && own == 5);
  pthread_create(&publisher, 0, publish, 0);
  if (atomic_load_explicit(&flag, memory_order_acquire))
    assert(atomic_load_explicit(&data, memory_order_relaxed) == 42);
  pthread_join(publisher, 0);
  return 0;
}
