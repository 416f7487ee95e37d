// szymanski, two threads, our own version. Stateless model checking for POWER (CAV 2016), Table 1,
// without fences: an error, after 17 traces. Plain accesses of the machine are relaxed atomics,
// fences are syncs (sc fences). Failed rounds of a waiting loop do not count here.
//@ unroll 1
//@ expect sc: BOUNDED 304 traces, rc20: VIOLATED 2142 traces, power: VIOLATED 2776 traces
#include "szymanski.h"
