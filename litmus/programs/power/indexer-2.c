// indexer(2), with a mutex for each cell. Stateless model checking for POWER (CAV 2016), Table 1
// with loop bound 5: 19 traces and no error. Open: the number of threads, and how the paper's lock
// is done. Two threads 11 apart meet in 3 cells, as two of 12 do (-DN=12 -DSTEP=1).
//@ unroll 1
//@ expect sc: HOLDS 8 traces, power: HOLDS 8 traces, rc20: HOLDS 8 traces
#ifndef N
#define N 2
#define STEP 11
#endif
#include "indexer.h"
