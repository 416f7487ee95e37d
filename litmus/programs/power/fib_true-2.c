// fib_true(2). Stateless model checking for POWER (CAV 2016), Table 1: a timeout after 109,122
// traces (its N is likely 5, -DN=5). Plain accesses of the machine are relaxed atomics, fences are
// syncs (sc fences). C(2N, N)^2 - C(2N, N + 1)^2 traces where only dependencies order the accesses,
// times (N + 1)^2 for what main sees.
//@ expect sc: HOLDS 140 traces, power: HOLDS 180 traces, rc11: HOLDS 180 traces
//@ expect rc20: HOLDS 180 traces
#ifndef N
#define N 2
#endif
#include "fib.h"
