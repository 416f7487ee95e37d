// hybrid.h: what a test harness may say to hybrid.
//
// hybrid verify file.c finds this header by itself and defines __HYBRID__: the functions below are
// then hybrid's own. With any other compiler they have bodies, so that the same file builds and
// runs as an ordinary program: cc -pthread -I DIRECTORY-OF-THIS-HEADER file.c
//
//   __VERIFIER_assume(c)            only executions in which c is true count
//   __VERIFIER_nondet_TYPE()        some value of that type: hybrid tries each that matters
//   __VERIFIER_nondet_range(a, b)   some int from a to b, both included
//   __VERIFIER_error()              an error if it is ever reached
//   hybrid_spawn(f, arg)            starts a thread that runs f(arg), and returns it
//   hybrid_join(t)                  waits for the thread t, and returns what f returned
//
// In an ordinary program
//   - an assumption that is false ends the process at once and quietly, with exit status 0,
//     whatever its threads are doing: this run shows nothing. Buffered output is not written;
//   - nondet values are random. They are different in each run, unless the environment variable
//     HYBRID_SEED is a number: then a thread's calls get the same values again, as far as the
//     threads call in the same order;
//   - __VERIFIER_error() aborts.
//
// Include this header rather than declare the functions by hand, as programs of SV-COMP do: their
// declarations are right for hybrid, but not beside the bodies below.

#ifndef HYBRID_H
#define HYBRID_H

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef __HYBRID__

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_error(void) __attribute__((noreturn));
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_range(int low, int high);

#define HYBRID_NONDET(name, type) extern type __VERIFIER_nondet_##name(void);

#else

#include <time.h>

static inline void __VERIFIER_assume(int condition) {
  if (!condition)
    _Exit(0);
}

static inline __attribute__((noreturn)) void __VERIFIER_error(void) {
  abort();
}

// A counter that all threads share, scattered by a mixing function: 64 random bits per call.
static inline unsigned long long hybrid_random(void) {
  static unsigned long long seed, calls;
  unsigned long long x = __atomic_load_n(&seed, __ATOMIC_RELAXED);
  if (x == 0) {
    const char *given = getenv("HYBRID_SEED");
    struct timespec now = {0, 0};
    if (given == NULL)
      timespec_get(&now, TIME_UTC);
    x = given != NULL ? strtoull(given, NULL, 0) * 2 + 1
                      : (unsigned long long)now.tv_sec * 1000000007 + now.tv_nsec * 2 + 1;
    __atomic_store_n(&seed, x, __ATOMIC_RELAXED);
  }
  x += 0x9b1f3c57a2e4d681 * (__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) + 1);
  for (int round = 0; round < 3; round++) {
    x ^= x >> 32;
    x *= 0xc4a5d37e90b86f2b;
  }
  return x ^ x >> 32;
}

static inline _Bool __VERIFIER_nondet_bool(void) {
  return hybrid_random() >> 63;
}

static inline int __VERIFIER_nondet_range(int low, int high) {
  if (low > high)
    abort();
  unsigned long long values = (unsigned long long)((long long)high - low) + 1;
  return (int)(low + (long long)(hybrid_random() % values));
}

#define HYBRID_NONDET(name, type)                     \
  static inline type __VERIFIER_nondet_##name(void) { \
    return (type)(hybrid_random() >> 7);              \
  }

#endif

HYBRID_NONDET(char, char)
HYBRID_NONDET(schar, signed char)
HYBRID_NONDET(uchar, unsigned char)
HYBRID_NONDET(short, short)
HYBRID_NONDET(ushort, unsigned short)
HYBRID_NONDET(int, int)
HYBRID_NONDET(uint, unsigned int)
HYBRID_NONDET(long, long)
HYBRID_NONDET(ulong, unsigned long)
HYBRID_NONDET(longlong, long long)
HYBRID_NONDET(ulonglong, unsigned long long)
HYBRID_NONDET(size_t, size_t)

#undef HYBRID_NONDET

static inline pthread_t hybrid_spawn(void *(*function)(void *), void *argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, function, argument) != 0)
    abort();
  return thread;
}

static inline void *hybrid_join(pthread_t thread) {
  void *result;
  if (pthread_join(thread, &result) != 0)
    abort();
  return result;
}

#endif
