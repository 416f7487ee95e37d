// mutex(2), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I: 12 complete
// executions for 2, and for 3 6,582 with the removal of pure rounds and 336 blocked; 10 and 3,618
// with 312 blocked where fetch-and-adds are independent. All accesses are seq_cst, as in the paper.
// Ours has the same with --loops await, the blocked ones with -DGIVE_UP; it is the third variant
// that was tried.
//@ unroll 2
//@ expect sc: HOLDS 12 traces, rc20: HOLDS 12 traces
#ifndef N
#define N 2
#endif
#include "mutex.h"
