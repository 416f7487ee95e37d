// A ticket lock that serves the next number with a relaxed store: the next holder enters in its
// turn, but nothing says that it sees what the last one did. counter++ is a data race.
//@ expect rc20: VIOLATED 108 traces, sc: HOLDS 6 traces
//@ unroll 2

#define RELAXED
#include "ticketlock.c"
