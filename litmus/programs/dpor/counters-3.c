// counters(3): 3 threads add to two counters. The literature on DPOR, not one of our papers'
// tables. (N!)^2 executions: sc has every pair of orders, so every model has the same.
//@ expect sc: HOLDS 36 traces, tso: HOLDS 36 traces, power: HOLDS 36 traces, rc11: HOLDS 36 traces
//@ expect rc20: HOLDS 36 traces
#ifndef N
#define N 3
#endif
#include "counters.h"
