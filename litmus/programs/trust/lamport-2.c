// lamport(2), our own version of the algorithm. Truly stateless, optimal DPOR (POPL 2022), Table 2:
// 6,690 executions for 3 and 12,163,630 for 4. All accesses are seq_cst. Open in the paper: how
// often a thread may start again, and the orders of the accesses. Counted here: every round of a
// thread that starts again, no failed round of a waiting loop.
//@ unroll 1
//@ expect sc: HOLDS 16 traces, rc20: HOLDS 16 traces
#ifndef N
#define N 2
#endif
#include "lamport.h"
