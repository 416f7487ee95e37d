// indexer(12): a hash table. The literature on DPOR, not one of our papers' tables. 2^3 executions
// for each thread from the twelfth on. Cells are filled by relaxed compare-and-swap; sc has all the
// outcomes of the meetings, so every model has the same.
//@ unroll 1
//@ expect sc: HOLDS 8 traces, tso: HOLDS 8 traces, power: HOLDS 8 traces, rc11: HOLDS 8 traces
//@ expect rc20: HOLDS 8 traces
#ifndef N
#define N 12
#endif
#include "indexer.h"
