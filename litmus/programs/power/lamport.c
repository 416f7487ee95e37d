// lamport, two threads, our own version. Stateless model checking for POWER (CAV 2016), Table 1,
// without fences with loop bound 8: an error, after 3 traces. Plain accesses of the machine are
// relaxed atomics, fences are syncs (sc fences). Failed rounds of a waiting loop do not count here;
// in the paper they do up to the bound.
//@ unroll 1
//@ expect sc: HOLDS 16 traces, rc20: VIOLATED 240 traces, power: VIOLATED 288 traces
#include "lamport.h"
