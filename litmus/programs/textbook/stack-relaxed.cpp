// A push does not release: the popped node's value is not seen.
//@ expect rc20: VIOLATED 21 traces, sc: HOLDS 5 traces
//@ unroll 2

#define RELAXED
#include "stack.cpp"
