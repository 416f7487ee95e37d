// SB+4W: store buffering with 4 stores in each critical section. Stateless model checking for POWER
// (CAV 2016), Fig. 11 without its fences, where the paper has 10 stores and 184,759 traces
// (-DN=10). C(2N, N) + 3 traces where store buffering is allowed, 3 where it is not.
//@ expect sc: HOLDS 3 traces, tso: HOLDS 73 traces, power: HOLDS 73 traces, rc11: HOLDS 73 traces
//@ expect rc20: HOLDS 73 traces
#ifndef N
#define N 4
#endif
#include "sb-w.h"
