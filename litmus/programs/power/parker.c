// parker, two threads, our own version. Stateless model checking for POWER (CAV 2016), Table 1,
// without fences with loop bound 5: an error, after 5 traces. Plain accesses of the machine are
// relaxed atomics, fences are syncs (sc fences). The paper leaves open what is claimed; ours claims
// that the second permit is not lost. Ours needs a fence in both threads.
//@ expect sc: HOLDS 14 traces, power: VIOLATED 18 traces, rc20: VIOLATED 18 traces
#include "parker.h"
