// A seqlock whose data are ordinary variables. What the reader keeps is right, but it reads while
// the writer writes: a data race even when the values are thrown away, and C leaves everything
// undefined after one.
//@ expect rc20: VIOLATED 60 traces, sc: HOLDS 37 traces

#define PLAIN
#include "seqlock.c"
