// sortnet(2): a sorting network for 4 numbers, after Fig. 1. Awaiting for Godot (FMCAD 2022), Table
// I: a single complete execution for 4, 5 and 6 (-DN=6). All accesses are seq_cst, as in the paper.
// Open: which thread runs which comparator. Every wait has one store that ends it, so the number
// does not depend on it.
//@ unroll 2
//@ expect sc: HOLDS 1 traces, rc20: HOLDS 1 traces
#ifndef N
#define N 2
#endif
#include "sortnet.h"
