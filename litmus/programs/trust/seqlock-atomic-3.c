// seqlock-atomic(3), our own version of the algorithm. Truly stateless, optimal DPOR (POPL 2022),
// Table 2: 1,500 executions for 5, 16,200 for 6 and 185,220 for 7. Open in the paper: which thread
// does what, and the loop bound; a reader that tries again counts here, for any number of times,
// and makes the number larger.
//@ unroll 1
//@ expect sc: HOLDS 6 traces, rc20: HOLDS 6 traces
#ifndef N
#define N 3
#endif
#include "seqlock-atomic.h"
