// peterson, two threads, our own version. Stateless model checking for POWER (CAV 2016), Table 1,
// without fences: an error, after 3 traces. Plain accesses of the machine are relaxed atomics,
// fences are syncs (sc fences). Without the rounds in which a thread only waits sc has 4; the
// paper's 10 are likely these and the 6 in which a thread waits for ever, as it has the loop read
// once.
//@ unroll 2
//@ expect sc: HOLDS 4 traces, rc20: VIOLATED 34 traces, power: VIOLATED 40 traces
#include "peterson.h"
