// stack_safe(3), our own version. Stateless model checking for POWER (CAV 2016), Table 1: 1,005
// traces and no error. Free of races, so every model has sc's C(2N, N) orders of the critical
// sections. Open: size and rounds.
//@ expect sc: HOLDS 20 traces, power: HOLDS 20 traces, rc20: HOLDS 20 traces
#ifndef N
#define N 3
#endif
#include "stack.h"
