// Peterson's algorithm with a relaxed exchange: the second thread to give way need not see the
// flag that the first raised before its own exchange. Both enter: counter++ is a data race, and one
// may be lost.
//@ expect rc20: VIOLATED 62 traces, sc: BOUNDED 24 traces
//@ unroll 2

#define RELAXED
#include "peterson.c"
