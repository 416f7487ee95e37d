// A ring buffer whose pop does not release: the direction one forgets. The producer sees that a
// slot is free, and writes while, for all that C knows, the consumer still reads: a data race.
//@ expect rc20: VIOLATED 20 traces, sc: HOLDS 20 traces

#define RELAXED_POP
#include "spsc.c"
