// exp-mem(4). Truly stateless, optimal DPOR (POPL 2022), Table 1, program EXP-MEM in Section 2.3:
// 10,080 executions for 7, 80,640 for 8 and 725,760 for 9 (-DN=8, -DN=9). 2 * N! executions; sc has
// every pair of orders, so every model has the same.
//@ expect sc: HOLDS 48 traces, tso: HOLDS 48 traces, power: HOLDS 48 traces, rc11: HOLDS 48 traces
//@ expect rc20: HOLDS 48 traces
#ifndef N
#define N 4
#endif
#include "exp-mem.h"
