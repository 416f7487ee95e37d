// writers(3): one reader, 3 writers. The literature on DPOR, not one of our papers' tables. (N + 1)
// * N! executions; one location, so every model has the same.
//@ expect sc: HOLDS 24 traces, tso: HOLDS 24 traces, power: HOLDS 24 traces, rc11: HOLDS 24 traces
//@ expect rc20: HOLDS 24 traces
#ifndef N
#define N 3
#endif
#include "writers.h"
