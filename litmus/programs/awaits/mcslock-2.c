// mcslock(2), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I: 336
// complete executions for 3, 26,232 for 4. All accesses are seq_cst, as in the paper. Ours has 66
// for 3 and 1,080 for 4: what else the paper's threads do is open.
//@ unroll 2
//@ expect sc: HOLDS 6 traces, rc20: HOLDS 6 traces
#ifndef N
#define N 2
#endif
#include "mcslock.h"
