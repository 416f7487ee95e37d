// mutex_musl(2), our own version of the algorithm. Truly stateless, optimal DPOR (POPL 2022), Table
// 2: 361,296 executions for 3 (-DN=3), a timeout for 4. Open in the paper: the loop bound and how
// the futex is modelled. Ours has 124,074 for 3 under sc, with no failed round of a waiting loop.
//@ unroll 2
//@ expect sc: HOLDS 20 traces, rc20: HOLDS 26 traces
#ifndef N
#define N 2
#endif
#include "mutex_musl.h"
