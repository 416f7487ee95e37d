// The queue of Michael and Scott that links a node with a relaxed compare-and-swap: who follows the
// link need not see the value in the node. Reading it is a data race.
//@ expect rc20: VIOLATED 146 traces, sc: HOLDS 26 traces
//@ unroll 2

#define RELAXED
#include "msqueue.c"
