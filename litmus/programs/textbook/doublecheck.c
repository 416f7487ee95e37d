// Double-checked locking: an object is made when it is first needed, and only then a lock is taken.
//
// The first look has no lock, so it has to acquire what the store of the pointer released. The
// second look is protected by the lock and may be relaxed.
//@ expect rc20: HOLDS 15 traces, sc: HOLDS 15 traces

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef RELAXED
#define FIRST_LOOK memory_order_relaxed
#else
#define FIRST_LOOK memory_order_acquire
#endif

struct object {
  int value; // not atomic
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object the_object;
static struct object *_Atomic instance;
static int made; // protected by lock

static struct object *get(void) {
  struct object *object = atomic_load_explicit(&instance, FIRST_LOOK);
  if (object == NULL) {
    pthread_mutex_lock(&lock);
    object = atomic_load_explicit(&instance, memory_order_relaxed);
    if (object == NULL) {
      made++;
      object = &the_object;
      object->value = 42;
      atomic_store_explicit(&instance, object, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
  }
  return object;
}

static void *user(void *arg) {
  int value = get()->value;
  assert(value == 42);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, user, NULL);
  pthread_create(&b, NULL, user, NULL);
  user(NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(made == 1);
  return 0;
}
