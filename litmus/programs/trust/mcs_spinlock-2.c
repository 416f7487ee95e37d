// mcs_spinlock(2), our own version of the algorithm. Truly stateless, optimal DPOR (POPL 2022),
// Table 2: 15,264 executions for 4 and 964,320 for 5. Ours has 1,080 for 4 under sc, with no failed
// round of a waiting loop: what else the paper's threads do is open.
//@ unroll 2
//@ expect sc: HOLDS 6 traces, rc20: HOLDS 6 traces
#ifndef N
#define N 2
#endif
#include "mcs_spinlock.h"
