// dcl_singleton, two threads, our own version. Stateless model checking for POWER (CAV 2016), Table
// 1, with fences with loop bound 7: 7 traces and no error. Plain accesses of the machine are
// relaxed atomics, fences are syncs (sc fences). Where the paper's fences are is open. The paper's
// lock is likely a loop, ours is a mutex.
//@ expect sc: HOLDS 4 traces, power: HOLDS 4 traces, rc20: HOLDS 4 traces
#define FENCES
#include "dcl_singleton.h"
