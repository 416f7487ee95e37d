// SB+5W: store buffering with 5 stores in each critical section. Stateless model checking for POWER
// (CAV 2016), Fig. 11 without its fences, where the paper has 10 stores and 184,759 traces
// (-DN=10). C(2N, N) + 3 traces where store buffering is allowed, 3 where it is not.
//@ expect sc: HOLDS 3 traces, tso: HOLDS 255 traces, power: HOLDS 255 traces
//@ expect rc11: HOLDS 255 traces, rc20: HOLDS 255 traces
#ifndef N
#define N 5
#endif
#include "sb-w.h"
