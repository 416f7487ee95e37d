// exp-mem2(3). Truly stateless, optimal DPOR (POPL 2022), Table 1: 20,736 executions for 4, 705,600
// for 5 and 33,177,600 for 6 (-DN=5, -DN=6). The paper only says that it is exp-mem without read-
// modify-writes. This is our own program with the paper's number of executions, (N! * (N + 2))^2;
// the paper's is likely another one.
//@ expect sc: HOLDS 900 traces, tso: HOLDS 900 traces, power: HOLDS 900 traces
//@ expect rc11: HOLDS 900 traces, rc20: HOLDS 900 traces
#ifndef N
#define N 3
#endif
#include "exp-mem2.h"
