// A work-stealing deque that grows (deque.h): main owns it, and two thieves steal.
//
// The second push finds the buffer full, with a thief perhaps about to read it. What is checked:
// every task is done, by one thread, and that thread sees the task's data.
//@ expect rc20: HOLDS 229 traces, sc: HOLDS 219 traces

#include <assert.h>
#include <hybrid.h>

#include "deque.h"

#define TASKS 2

struct task {
  int input, output; // not atomic: only who has got the task touches it
};

static struct deque deque;
static struct task tasks[TASKS];

static void work(struct task *task) {
  assert(task->output == 0);
  task->output = task->input * task->input;
}

static void *thief(void *arg) {
  void *task;
  if (deque_steal(&deque, &task) == DEQUE_GOT)
    work(task);
  return arg;
}

int main(void) {
  void *task;
  deque_init(&deque, 1);
  pthread_t a = hybrid_spawn(thief, NULL);
  pthread_t b = hybrid_spawn(thief, NULL);
  for (int i = 0; i < TASKS; i++) {
    tasks[i].input = i + 1;
    deque_push(&deque, &tasks[i]);
  }
  if (deque_take(&deque, &task) == DEQUE_GOT)
    work(task);
  hybrid_join(a);
  hybrid_join(b);
  for (int i = 0; i < TASKS; i++) // what is left
    if (deque_take(&deque, &task) == DEQUE_GOT)
      work(task);
  for (int i = 0; i < TASKS; i++)
    assert(tasks[i].output == tasks[i].input * tasks[i].input);
  deque_destroy(&deque);
  return 0;
}
