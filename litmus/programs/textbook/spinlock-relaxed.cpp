// The lock is given back without release: what was done under it is not handed over.
//@ expect rc20: VIOLATED 6 traces, sc: HOLDS 2 traces
//@ unroll 3

#define RELAXED
#include "spinlock.cpp"
