// szymanski, two threads, our own version. Stateless model checking for POWER (CAV 2016), Table 1,
// with fences: 226 traces and no error. Plain accesses of the machine are relaxed atomics, fences
// are syncs (sc fences). Where the paper's fences are is open. Failed rounds of a waiting loop do
// not count here.
//@ unroll 1
//@ expect sc: HOLDS 29 traces, rc20: HOLDS 29 traces, power: HOLDS 29 traces
#define FENCES
#include "szymanski.h"
