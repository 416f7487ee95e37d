// mutex(2), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I: 12 complete
// executions for 2, and for 3 9,486 without and 6,582 with the removal of pure rounds; 10 and 3,618
// where fetch-and-adds are independent. All accesses are seq_cst, as in the paper. Ours has the
// paper's 12 for 2, for which it was chosen among two variants. For 3 it has 5,970, with failed
// exchanges counted: a detail of the paper's is open.
//@ unroll 2
//@ expect sc: HOLDS 12 traces, rc20: HOLDS 12 traces
#ifndef N
#define N 2
#endif
#include "mutex.h"
