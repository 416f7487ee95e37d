// sigma(4). The literature on DPOR, not one of our papers' tables. 1 * 3 * ... * (2N - 1)
// executions. The usual claim, that every cell is set (-DCLAIM_ALL), is wrong; here main claims
// what is true. Index and cells are atomic.
//@ expect sc: HOLDS 105 traces, rc11: HOLDS 105 traces, rc20: HOLDS 105 traces
#ifndef N
#define N 4
#endif
#include "sigma.h"
