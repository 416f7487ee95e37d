// mutex-musl(2), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I: 20
// complete executions for 2, 25,146 or 136,728 for 3, depending on the tool. All accesses are
// seq_cst, as in the paper. Ours was chosen among two variants for its 20. Open: the loop bound,
// which decides the number for 3 (-DN=3); ours has 124,074. Failed rounds of the waiting loop do
// not count.
//@ unroll 2
//@ expect sc: HOLDS 20 traces, rc20: HOLDS 20 traces
#ifndef N
#define N 2
#endif
#include "mutex-musl.h"
