// szymanski, two threads, our own version. Stateless model checking for POWER (CAV 2016), Table 1,
// without fences: an error, after 17 traces. Plain accesses of the machine are relaxed atomics,
// fences are syncs (sc fences). Failed rounds of a waiting loop do not count here.
//@ unroll 1
//@ expect sc: HOLDS 29 traces, rc20: VIOLATED 341 traces, power: VIOLATED 412 traces
#include "szymanski.h"
