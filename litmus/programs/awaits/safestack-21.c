// safestack-21: 2 threads with 2 and 1 operations. Awaiting for Godot (FMCAD 2022), Table II: 34
// complete executions with the removal of pure rounds, in which a thread finds the top cell's link
// gone. All accesses are seq_cst, as in the paper. Our own version of the algorithm; it has the
// same number, for 32 and 33 after a change of push. The bug needs 3, 3 and 1 operations
// (-DOPS=3,3,1), the original test has 4, 4 and 4 (-DOPS=4,4,4).
//@ unroll 2
//@ expect sc: HOLDS 34 traces, rc20: HOLDS 34 traces
#ifndef OPS
#define OPS 2, 1
#endif
#include "safestack.h"
