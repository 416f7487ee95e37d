// fib_false(2). Stateless model checking for POWER (CAV 2016), Table 1: a timeout after 109,171
// traces (its N is likely 5, -DN=5). Plain accesses of the machine are relaxed atomics, fences are
// syncs (sc fences). C(2N, N)^2 - C(2N, N + 1)^2 traces where only dependencies order the accesses,
// times (N + 1)^2 for what main sees.
//@ expect sc: VIOLATED 140 traces, power: VIOLATED 180 traces, rc20: VIOLATED 180 traces
#ifndef N
#define N 2
#endif
#define STRICT
#include "fib.h"
