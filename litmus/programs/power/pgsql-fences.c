// pgsql, two workers for ever, our own version. Stateless model checking for POWER (CAV 2016),
// Table 1, with fences and with loop bound 8: 16 traces and no error. Plain accesses of the machine
// are relaxed atomics, fences are syncs (sc fences). Open: what a round is; ours claims that a
// worker that sees its latch set finds its flag set.
//@ unroll 1
//@ expect sc: BOUNDED 0 traces, rc20: BOUNDED 0 traces, power: BOUNDED 0 traces
#define FENCES
#include "pgsql.h"
