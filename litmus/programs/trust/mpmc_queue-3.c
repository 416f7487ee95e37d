// mpmc_queue(3), our own version of such a queue. Truly stateless, optimal DPOR (POPL 2022), Table
// 2: 143 executions for 3, 31,880 for 4 and 1,270,584 for 5. Open in the paper: the size of the
// queue, which thread does what, the orders. Counted under sc: rounds in which compare-and-swap
// fails, not those of a waiting loop.
//@ unroll 2
//@ expect sc: HOLDS 10 traces, rc20: HOLDS 34 traces
#ifndef N
#define N 3
#endif
#include "mpmc_queue.h"
