// lastzero(5). Truly stateless, optimal DPOR (POPL 2022), Table 1: 3,328 executions for 10, 147,456
// for 15 and 6,029,312 for 20 (-DN=15, -DN=20). All accesses are seq_cst; the paper's may be
// weaker, which makes no difference under sc.
//@ unroll 20
//@ expect sc: HOLDS 64 traces, rc20: HOLDS 64 traces, rc11: HOLDS 64 traces
#ifndef N
#define N 5
#endif
#include "lastzero.h"
