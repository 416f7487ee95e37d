// twalock(3), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I: 96
// complete executions for 3, 6,144 for 4. All accesses are seq_cst, as in the paper. Ours has the
// same if a round counts in which a thread is woken and still not near its turn, and failed rounds of
// the waiting loops do not; the round changes nothing, and hybrid takes it out as well: 4 for 2, 72
// for 3.
//@ unroll 1
//@ expect sc: HOLDS 72 traces, rc20: HOLDS 72 traces
#ifndef N
#define N 3
#endif
#include "twalock.h"
