// RCU with a relaxed publication: a reader may find the pointer to the new structure, but not what
// the writer put there. Its reads are data races, and may give anything.
//@ expect rc20: VIOLATED 36 traces, sc: HOLDS 9 traces
//@ unroll 2

#define RELAXED
#include "rcu.c"
