// qspinlock(2), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I: 6
// complete executions for 2, 564 for 3. All accesses are seq_cst, as in the paper. Open: the
// kernel's byte and halfword accesses, which are read-modify-writes of the whole word here. Ours
// has the paper's 6 for 2, but 570 for 3.
//@ unroll 2
//@ expect sc: HOLDS 6 traces, rc20: HOLDS 6 traces
#ifndef N
#define N 2
#endif
#include "qspinlock.h"
