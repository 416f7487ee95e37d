// peterson, two threads, our own version. Stateless model checking for POWER (CAV 2016), Table 1,
// with fences: 10 traces and no error. Plain accesses of the machine are relaxed atomics, fences
// are syncs (sc fences). Where the paper's fences are is open. Without the rounds in which a thread
// only waits sc has 4; the paper's 10 are likely these and the 6 in which a thread waits for ever,
// as it has the loop read once.
//@ unroll 2
//@ expect sc: HOLDS 4 traces, rc20: HOLDS 4 traces, power: HOLDS 4 traces
#define FENCES
#include "peterson.h"
