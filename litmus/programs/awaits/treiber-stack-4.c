// treiber-stack(4), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I: 426
// complete executions for 3, 274 with the removal of pure rounds; 1,546,168 and 250,088 for 4. All
// accesses are seq_cst, as in the paper. Open: which thread does what. Ours has 22 for 3, 8 with
// the removal of pure rounds, and 38 of the latter kind for 4.
//@ unroll 2
//@ expect sc: HOLDS 88 traces, rc11: HOLDS 88 traces, rc20: HOLDS 88 traces
#ifndef N
#define N 4
#endif
#include "treiber-stack.h"
