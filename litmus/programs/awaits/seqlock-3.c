// seqlock(3), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I: 9
// complete executions for 3 and 88 for 4 with the removal of pure rounds, 36 and 729 blocked; 83
// and 2,769 blocked without awaits. All accesses are seq_cst, as in the paper. Which thread does
// what is not in the paper; chosen among nine ways for its numbers. Ours has them, the blocked ones
// with -DGIVE_UP.
//@ unroll 1
//@ expect sc: HOLDS 9 traces, rc20: HOLDS 9 traces
#ifndef N
#define N 3
#endif
#include "seqlock.h"
