// Peterson's algorithm with a relaxed exchange: the second thread to give way need not see the
// flag that the first raised before its own exchange. Both enter: counter++ is a data race, and one
// may be lost.
//@ expect rc20: VIOLATED 22 traces, sc: HOLDS 4 traces
//@ unroll 2

#define RELAXED
#include "peterson.c"
