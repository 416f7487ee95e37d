// RCU without a grace period: the writer frees the old structure while a reader may still hold it.
// Wrong under every model: the reader uses memory that has been freed.
//@ expect rc20: VIOLATED 49 traces, sc: VIOLATED 49 traces

#define NO_WAIT
#include "rcu.c"
