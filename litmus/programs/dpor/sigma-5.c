// sigma(5). The literature on DPOR, not one of our papers' tables. 1 * 3 * ... * (2N - 1)
// executions. The usual claim, that every cell is set (-DCLAIM_ALL), is wrong; here main claims
// what is true. Index and cells are atomic.
//@ expect sc: HOLDS 945 traces, rc11: HOLDS 945 traces, rc20: HOLDS 945 traces
#ifndef N
#define N 5
#endif
#include "sigma.h"
