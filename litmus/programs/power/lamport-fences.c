// lamport, two threads, our own version. Stateless model checking for POWER (CAV 2016), Table 1,
// with fences with loop bound 8: 50 traces and no error. Plain accesses of the machine are relaxed
// atomics, fences are syncs (sc fences). Where the paper's fences are is open. Failed rounds of a
// waiting loop do not count here; in the paper they do up to the bound.
//@ unroll 1
//@ expect sc: HOLDS 16 traces, rc20: HOLDS 16 traces, power: HOLDS 16 traces
#define FENCES
#include "lamport.h"
