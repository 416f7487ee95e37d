// readers(4): one writer, 4 readers. The literature on DPOR, not one of our papers' tables. 2^N
// executions; one location, so every model has the same.
//@ expect sc: HOLDS 16 traces, tso: HOLDS 16 traces, power: HOLDS 16 traces, rc11: HOLDS 16 traces
//@ expect rc20: HOLDS 16 traces
#ifndef N
#define N 4
#endif
#include "readers.h"
