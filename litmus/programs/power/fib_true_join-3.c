// fib_true_join(3). Stateless model checking for POWER (CAV 2016), Table 1: 19,404 traces and no
// error (its N is 5, -DN=5). Plain accesses of the machine are relaxed atomics, fences are syncs (sc
// fences). C(2N, N)^2 - C(2N, N + 1)^2 traces where only dependencies order the accesses.
//@ expect sc: HOLDS 141 traces, power: HOLDS 175 traces, rc11: HOLDS 175 traces
//@ expect rc20: HOLDS 175 traces
#ifndef N
#define N 3
#endif
#define JOIN
#include "fib.h"
