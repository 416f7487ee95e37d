// fib_bench(3), with a third thread that looks while the two add. The literature on DPOR, not one
// of our papers' tables. The order in which a thread loads i and j does not matter, since no other
// thread stores to its own number.
//@ expect sc: HOLDS 1698 traces, rc11: HOLDS 1698 traces, rc20: HOLDS 1698 traces
#ifndef N
#define N 3
#endif
#include "fib_bench.h"
