// dcl_singleton, two threads, our own version. Stateless model checking for POWER (CAV 2016), Table
// 1, without fences with loop bound 7: an error, after 3 traces. Plain accesses of the machine are
// relaxed atomics, fences are syncs (sc fences). The paper's lock is likely a loop, ours is a
// mutex.
//@ expect sc: HOLDS 4 traces, power: VIOLATED 6 traces, rc20: VIOLATED 6 traces
#include "dcl_singleton.h"
