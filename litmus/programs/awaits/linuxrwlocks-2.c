// linuxrwlocks(2), our own version of the algorithm. Awaiting for Godot (FMCAD 2022), Table I:
// 38,033 complete executions for 3, 3,840 where fetch-and-adds are independent, 24 with the removal
// of rounds without net effect. All accesses are seq_cst, as in the paper. Which thread reads and
// which writes is not in the paper; chosen among ten ways for its two numbers, which ours has with
// --loops await.
//@ unroll 2
//@ expect sc: HOLDS 6 traces, rc20: HOLDS 6 traces
#ifndef N
#define N 2
#endif
#include "linuxrwlocks.h"
