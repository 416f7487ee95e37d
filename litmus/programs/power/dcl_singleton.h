// Double-checked locking: the first to come makes the only object, the others find it, and only who
// finds nothing takes the lock. Without fences a thread may find an object that is not filled in.
#include "plain.h"

struct singleton {
  atomic_int value;
};

static struct singleton object;
static _Atomic(struct singleton *) instance;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct singleton *find(void) {
  struct singleton *found = get(instance);
  fence();
  if (found == NULL) {
    pthread_mutex_lock(&mutex);
    found = get(instance);
    if (found == NULL) {
      found = &object;
      put(found->value, 42);
      fence();
      put(instance, found);
    }
    pthread_mutex_unlock(&mutex);
  }
  return found;
}

static void *user(void *arg) {
  (void)arg;
  struct singleton *found = find();
  assert(get(found->value) == 42);
  return NULL;
}

int main(void) {
  run_two(user, user);
  return 0;
}
