// qspinlock(2), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I: 6
// complete executions for 2 and 2 blocked, 564 for 3 and 462 blocked, 456 with awaits. All accesses
// are seq_cst, as in the paper. Parts of the word are changed by read-modify-writes of the whole.
// Ours has the same numbers, those with awaits with -DGIVE_UP; it is the second variant that was
// tried.
//@ unroll 2
//@ expect sc: HOLDS 6 traces, rc20: HOLDS 6 traces
#ifndef N
#define N 2
#endif
#include "qspinlock.h"
