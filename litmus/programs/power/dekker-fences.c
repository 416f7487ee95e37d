// dekker, two threads, our own version. Stateless model checking for POWER (CAV 2016), Table 1,
// with fences with loop bound 10: 246 traces and no error. Plain accesses of the machine are
// relaxed atomics, fences are syncs (sc fences). Where the paper's fences are is open. Counting is
// open: the paper counts every round of a loop up to the bound. Without the rounds in which a
// thread only waits sc has 4.
//@ unroll 2
//@ expect sc: HOLDS 4 traces, rc20: HOLDS 6 traces, power: HOLDS 6 traces
#define FENCES
#include "dekker.h"
