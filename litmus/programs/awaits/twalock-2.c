// twalock(2), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I: 96
// complete executions for 3, 6,144 for 4. All accesses are seq_cst, as in the paper. Ours has the
// same with --loops await. A thread that is woken and still not near its turn goes round again,
// which counts.
//@ unroll 2
//@ expect sc: HOLDS 4 traces, rc20: HOLDS 4 traces
#ifndef N
#define N 2
#endif
#include "twalock.h"
