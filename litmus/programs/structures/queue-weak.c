// queue.c with one order weakened: a push passes the cell's turn on by a relaxed store. A consumer
// that finds its turn come need not see the item: reading the cell is a data race.
//@ expect rc20: VIOLATED 820 traces, sc: HOLDS 101 traces
//@ unroll 3

#define WEAK
#include "queue.c"
