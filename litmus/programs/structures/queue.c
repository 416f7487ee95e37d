// A bounded queue for many producers and consumers (queue.h): two producers, and main as consumer.
//
// Letters go through a queue of one cell, so that the cell is used again. What is checked: a letter
// arrives as it was sent; none arrives twice; letters of one sender arrive in the order in which
// they were sent; none is lost: what a sender could push is popped in the end.
//@ expect rc20: HOLDS 121 traces, sc: HOLDS 101 traces
//@ unroll 3

#include <assert.h>
#include <hybrid.h>

#include "queue.h"

struct letter {
  int sender, number; // not atomic: the letter is the sender's, then the queue's, then the reader's
  int read;
};

static struct queue *queue;
static struct letter letters[2][2];
static int sent[2], received[2];

static void *sender(void *arg) {
  int me = arg != NULL;
  for (int i = 0; i < 2 - me; i++) {
    struct letter *letter = &letters[me][sent[me]];
    letter->sender = me;
    letter->number = sent[me] + 1;
    if (queue_push(queue, letter))
      sent[me]++;
  }
  return NULL;
}

static void receive(void) {
  void *item;
  if (!queue_pop(queue, &item))
    return;
  struct letter *letter = item;
  assert(letter->read == 0);
  letter->read = 1;
  assert(letter->number == received[letter->sender] + 1);
  received[letter->sender]++;
}

int main(void) {
  queue = queue_new(1);
  pthread_t a = hybrid_spawn(sender, NULL);
  pthread_t b = hybrid_spawn(sender, queue);
  receive();
  hybrid_join(a);
  hybrid_join(b);
  receive();
  assert(queue_length(queue) == 0);
  assert(received[0] == sent[0] && received[1] == sent[1]);
  queue_free(queue);
  return 0;
}
