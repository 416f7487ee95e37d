// Dekker's algorithm without its fence: each thread may read the other's flag before its own store
// reaches memory, see it down, and both enter. counter++ is then a data race, and one may be lost.
// x86 does the same: its stores wait in a buffer while later loads go ahead.
//@ expect rc20: VIOLATED 12 traces, sc: HOLDS 4 traces
//@ unroll 1

#define NO_FENCE
#include "dekker.c"
