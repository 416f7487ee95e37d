// treiber-stack(3), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I: 426
// complete executions for 3, 274 with the removal of pure rounds and 60 blocked; 1,546,168 and
// 250,088 for 4. All accesses are seq_cst, as in the paper. Which thread does what is not in the
// paper; chosen among ten ways for its numbers, which ours has.
//@ unroll 3
//@ expect sc: HOLDS 274 traces, rc11: HOLDS 274 traces, rc20: HOLDS 274 traces
#ifndef N
#define N 3
#endif
#include "treiber-stack.h"
