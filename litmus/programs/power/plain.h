// Accesses as plain as the machine's own, but free of C11's data races; and fences, which a program
// has if FENCES is defined.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define get(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define put(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)

#ifdef FENCES
#define fence() atomic_thread_fence(memory_order_seq_cst)
#else
#define fence() ((void)0)
#endif

static inline void run_two(void *(*first)(void *), void *(*second)(void *)) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, first, (void *)0L);
  pthread_create(&t[1], NULL, second, (void *)1L);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
}
