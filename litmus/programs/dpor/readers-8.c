// readers(8): one writer, 8 readers. The literature on DPOR, not one of our papers' tables. 2^N
// executions; one location, so every model has the same.
//@ expect sc: HOLDS 256 traces, tso: HOLDS 256 traces, power: HOLDS 256 traces
//@ expect rc11: HOLDS 256 traces, rc20: HOLDS 256 traces
#ifndef N
#define N 8
#endif
#include "readers.h"
