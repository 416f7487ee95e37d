// ms-queue(2), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I: 925
// complete executions for 3 and 350 blocked by GenMC, 901 and 374 by Nidhugg, 75 and 284 with the
// removal of pure rounds at run time. All accesses are seq_cst, as in the paper. Which thread does
// what is not in the paper; chosen among some twenty ways for the first two numbers.
//@ unroll 2
//@ expect sc: HOLDS 3 traces, rc11: HOLDS 3 traces, rc20: HOLDS 3 traces
#ifndef N
#define N 2
#endif
#include "ms-queue.h"
