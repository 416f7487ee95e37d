// dekker, two threads, our own version. Stateless model checking for POWER (CAV 2016), Table 1,
// without fences with loop bound 10: an error, after 5 traces. Plain accesses of the machine are
// relaxed atomics, fences are syncs (sc fences). Counting is open: the paper counts every round of
// a loop up to the bound. Without the rounds in which a thread only waits sc has 4.
//@ unroll 2
//@ expect sc: HOLDS 4 traces, rc20: VIOLATED 26 traces, power: VIOLATED 32 traces
#include "dekker.h"
