// The MCS lock with a relaxed hand-over: the waiting thread enters when its flag falls, but need
// not see what the holder did before. counter++ is a data race. A thread that finds the lock free
// is not affected, so that tests without contention pass.
//@ expect rc20: VIOLATED 14 traces, sc: HOLDS 6 traces
//@ unroll 2

#define RELAXED
#include "mcslock.c"
