// fib_false_join(3). Stateless model checking for POWER (CAV 2016), Table 1: an error after 11,938
// traces (its N is 5, -DN=5). Plain accesses of the machine are relaxed atomics, fences are syncs (sc
// fences). C(2N, N)^2 - C(2N, N + 1)^2 traces where only dependencies order the accesses.
//@ expect sc: VIOLATED 141 traces, power: VIOLATED 175 traces, rc20: VIOLATED 175 traces
#ifndef N
#define N 3
#endif
#define JOIN
#define STRICT
#include "fib.h"
