// mpmc-queue(2), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I: 166
// complete executions for 3, 840 blocked with assumes and 517 with awaits; 76 and 421 where
// fetch-and-adds are independent. All accesses are seq_cst, as in the paper. Which thread does what
// is not in the paper; chosen among some forty ways for its numbers. Ours has them, those with
// awaits with -DGIVE_UP.
//@ unroll 2
//@ expect sc: HOLDS 3 traces, rc20: HOLDS 6 traces
#ifndef N
#define N 2
#endif
#include "mpmc-queue.h"
