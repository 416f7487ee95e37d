// RCU whose readers have no fence: a reader's load of the pointer may come before the store that
// says it is reading. The writer sees no reader, and frees the structure that the reader has got.
//@ expect rc20: VIOLATED 81 traces, sc: HOLDS 9 traces
//@ unroll 2

#define NO_FENCE
#include "rcu.c"
