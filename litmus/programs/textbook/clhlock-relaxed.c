// The CLH lock with a relaxed exchange: the second thread in the queue may still see the flag of
// the first one down, as it was before that one raised it, and enters beside it. counter++ is a
// data race, and one may be lost.
//@ expect rc20: VIOLATED 10 traces, sc: HOLDS 2 traces
//@ unroll 2

#define RELAXED
#include "clhlock.c"
