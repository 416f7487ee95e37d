// writers(5): one reader, 5 writers. The literature on DPOR, not one of our papers' tables. (N + 1)
// * N! executions; one location, so every model has the same.
//@ expect sc: HOLDS 720 traces, tso: HOLDS 720 traces, power: HOLDS 720 traces
//@ expect rc11: HOLDS 720 traces, rc20: HOLDS 720 traces
#ifndef N
#define N 5
#endif
#include "writers.h"
