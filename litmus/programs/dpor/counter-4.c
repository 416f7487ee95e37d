// counter(4): 4 threads add to a counter. The literature on DPOR, not one of our papers' tables. N!
// executions; one location, so every model has the same.
//@ expect sc: HOLDS 24 traces, tso: HOLDS 24 traces, power: HOLDS 24 traces, rc11: HOLDS 24 traces
//@ expect rc20: HOLDS 24 traces
#ifndef N
#define N 4
#endif
#include "counter.h"
