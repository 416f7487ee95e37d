// A ring buffer whose push does not release: the consumer sees that a slot is full, but not what is
// in it. Reading it is a data race, and may give the old value.
//@ expect rc20: VIOLATED 78 traces, sc: HOLDS 20 traces

#define RELAXED_PUSH
#include "spsc.c"
