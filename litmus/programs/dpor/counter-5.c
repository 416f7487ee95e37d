// counter(5): 5 threads add to a counter. The literature on DPOR, not one of our papers' tables. N!
// executions; one location, so every model has the same.
//@ expect sc: HOLDS 120 traces, tso: HOLDS 120 traces, power: HOLDS 120 traces
//@ expect rc11: HOLDS 120 traces, rc20: HOLDS 120 traces
#ifndef N
#define N 5
#endif
#include "counter.h"
