// deque.c with one order weakened: the larger buffer is published by a relaxed store. A thief may
// find it, but not what the owner put there: reading its size is a data race, and the slot may hold
// no task.
//@ expect rc20: VIOLATED 429 traces, sc: HOLDS 219 traces

#define WEAK
#include "deque.c"
