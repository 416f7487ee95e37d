// ttaslock(2), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I: 162
// complete executions for 3 and 20,760 for 4; with the removal of pure rounds 36 and 576. All
// accesses are seq_cst, as in the paper. Ours has the same: 162 if a failed exchange counts, which
// stores the value that was there, and (N!)^2 = 36 if it does not. For 2 it is 6 or 4.
//@ unroll 2
//@ expect sc: HOLDS 4 traces, rc20: HOLDS 4 traces
#ifndef N
#define N 2
#endif
#include "ttaslock.h"
