// Double-checked locking with a relaxed first look: a thread may find the pointer, but not what it
// points to. Reading value is a data race, and may give 0. The object is still made only once.
//@ expect rc20: VIOLATED 30 traces, sc: HOLDS 15 traces

#define RELAXED
#include "doublecheck.c"
