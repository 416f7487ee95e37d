// seqlock(2), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I: 9
// complete executions for 3 and 88 for 4 with the removal of pure rounds, 147 and 87,980 without.
// All accesses are seq_cst, as in the paper. Open: which thread does what, and the loop bound. Ours
// has 2 for 2, 6 for 3 and 24 for 4 with the removal of pure rounds, N! in general.
//@ unroll 2
//@ expect sc: HOLDS 2 traces, rc20: HOLDS 2 traces
#ifndef N
#define N 2
#endif
#include "seqlock.h"
