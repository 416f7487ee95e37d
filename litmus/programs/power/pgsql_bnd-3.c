// pgsql_bnd(3), two workers that look 3 times each, our own version. Stateless model checking for
// POWER (CAV 2016), Table 1, without fences: an error, after 2 traces. Plain accesses of the
// machine are relaxed atomics, fences are syncs (sc fences). Open: what a round is; ours claims
// that a worker that sees its latch set finds its flag set. The number of rounds is open as well.
//@ expect sc: HOLDS 20 traces, power: VIOLATED 788 traces, rc20: VIOLATED 788 traces
#ifndef ROUNDS
#define ROUNDS 3
#endif
#include "pgsql.h"
