// Treiber's stack with a relaxed push: a thread that pops the other's node need not see what the
// other wrote into it. Its access to the value is a data race.
//@ expect rc20: VIOLATED 212 traces, sc: HOLDS 40 traces
//@ unroll 2

#define RELAXED
#include "treiber.c"
