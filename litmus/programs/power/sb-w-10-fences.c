// SB+10W+syncs. Stateless model checking for POWER (CAV 2016), Fig. 11: 3 traces.
//@ expect sc: HOLDS 3 traces, tso: HOLDS 3 traces, power: HOLDS 3 traces, rc11: HOLDS 3 traces
//@ expect rc20: HOLDS 3 traces
#ifndef N
#define N 10
#endif
#define FENCES
#include "sb-w.h"
