// stack_unsafe(3), our own version. Stateless model checking for POWER (CAV 2016), Table 1: an
// error, after 20 traces. Free of races; wrong under sc already. Open: size and rounds.
//@ expect sc: VIOLATED 20 traces, power: VIOLATED 20 traces, rc20: VIOLATED 20 traces
#ifndef N
#define N 3
#endif
#define UNSAFE
#include "stack.h"
