// ms-queue(2), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I: 925 or
// 901 complete executions for 3, 75 with the removal of pure rounds at run time. All accesses are
// seq_cst, as in the paper. Open: which thread does what. Ours has, without loop bound, 31
// executions for 2 and 155,572 for 3.
//@ unroll 2
//@ expect sc: HOLDS 8 traces, rc11: HOLDS 8 traces, rc20: HOLDS 8 traces
#ifndef N
#define N 2
#endif
#include "ms-queue.h"
