// Parking a thread as in the HotSpot Java VM: park() consumes a permit and otherwise waits,
// unpark() gives one. When a permit is there, park() takes it without the mutex. The parker parks
// and then looks for news in x; the other thread unparks it, sets x, and unparks it again. If the
// parker sees no news it will park again, so the second permit has to be there in the end.
#include "plain.h"

static atomic_int permit, x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int news;

static void park(void) {
  if (get(permit) > 0) {
    put(permit, 0);
    fence();
    return;
  }
  if (pthread_mutex_trylock(&mutex) != 0)
    return;
  if (get(permit) == 0)
    pthread_cond_wait(&cond, &mutex);
  put(permit, 0);
  pthread_mutex_unlock(&mutex);
}

static void unpark(void) {
  pthread_mutex_lock(&mutex);
  fence();
  int before = get(permit);
  put(permit, 1);
  pthread_mutex_unlock(&mutex);
  if (before < 1)
    pthread_cond_signal(&cond);
}

static void *parker(void *arg) {
  (void)arg;
  park();
  news = get(x);
  return NULL;
}

static void *unparker(void *arg) {
  (void)arg;
  unpark();
  put(x, 1);
  unpark();
  return NULL;
}

int main(void) {
  run_two(parker, unparker);
  assert(news == 1 || get(permit) == 1);
  return 0;
}
