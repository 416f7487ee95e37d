// parker, two threads, our own version. Stateless model checking for POWER (CAV 2016), Table 1,
// with fences with loop bound 5: 1126 traces and no error. Plain accesses of the machine are
// relaxed atomics, fences are syncs (sc fences). Where the paper's fences are is open. The paper
// leaves open what is claimed; ours claims that the second permit is not lost. Ours needs a fence
// in both threads.
//@ expect sc: HOLDS 14 traces, power: HOLDS 15 traces, rc20: HOLDS 15 traces
#define FENCES
#include "parker.h"
