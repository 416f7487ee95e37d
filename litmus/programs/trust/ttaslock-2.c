// ttaslock(2), our own version of the algorithm. Truly stateless, optimal DPOR (POPL 2022), Table
// 2: 162 executions for 3, 20,760 for 4 and 14,457,720 for 5 (-DN=4, -DN=5). Counted are rounds in
// which the exchange fails, not those of the inner, waiting loop; this gives the paper's numbers
// for 3 and 4. (A tool that also drops failed exchanges has (N!)^2.) The lock is one location, so
// the orders of its accesses do not change the number.
//@ unroll 2
//@ expect sc: HOLDS 4 traces, rc20: HOLDS 4 traces
#ifndef N
#define N 2
#endif
#include "ttaslock.h"
