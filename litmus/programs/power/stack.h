// A stack of at most N numbers under a mutex. One thread pushes N times, another pops N times; it
// looks whether there is something to pop, or, where UNSAFE is defined, claims it.
#include "plain.h"

static int stack[N], top;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *pusher(void *arg) {
  (void)arg;
  for (int k = 0; k < N; k++) {
    pthread_mutex_lock(&mutex);
    stack[top++] = k + 1;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

static void *popper(void *arg) {
  (void)arg;
  for (int k = 0; k < N; k++) {
    pthread_mutex_lock(&mutex);
#ifdef UNSAFE
    assert(top > 0);
#endif
    if (top > 0) {
      int value = stack[--top];
      assert(1 <= value && value <= N);
    }
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  run_two(pusher, popper);
  return 0;
}
