// counters(4): 4 threads add to two counters. The literature on DPOR, not one of our papers'
// tables. (N!)^2 executions: sc has every pair of orders, so every model has the same.
//@ expect sc: HOLDS 576 traces, tso: HOLDS 576 traces, power: HOLDS 576 traces
//@ expect rc11: HOLDS 576 traces, rc20: HOLDS 576 traces
#ifndef N
#define N 4
#endif
#include "counters.h"
