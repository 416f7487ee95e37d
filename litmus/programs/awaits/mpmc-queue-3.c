// mpmc-queue(3), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I: 166
// complete executions for 3 and 39,706 for 4; 76 and 5,410 where fetch-and-adds are independent.
// All accesses are seq_cst, as in the paper. Open: the size of the queue and which thread does
// what. Ours has 2 for 2 and 10 for 3 with the removal of pure rounds, 34 for 3 without.
//@ unroll 2
//@ expect sc: HOLDS 10 traces, rc20: HOLDS 10 traces
#ifndef N
#define N 3
#endif
#include "mpmc-queue.h"
