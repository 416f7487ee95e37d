// ttaslock(3), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I: 162
// complete executions for 3 and 20,760 for 4; with the removal of pure rounds 36 and 576. All
// accesses are seq_cst, as in the paper. Ours has the same: 162 if a failed exchange counts, which
// stores the value that was there, and (N!)^2 = 36 if it does not.
//@ unroll 1
//@ expect sc: HOLDS 36 traces, rc20: HOLDS 36 traces
#ifndef N
#define N 3
#endif
#include "ttaslock.h"
