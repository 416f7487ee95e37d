// pgsql_bnd(3), two workers that look 3 times each, our own version. Stateless model checking for
// POWER (CAV 2016), Table 1, with fences: a timeout after 36,211 traces. Plain accesses of the
// machine are relaxed atomics, fences are syncs (sc fences). Open: what a round is; ours claims
// that a worker that sees its latch set finds its flag set. The number of rounds is open as well;
// under sc there are C(2N, N) executions of N rounds.
//@ expect sc: HOLDS 20 traces, power: HOLDS 20 traces, rc20: HOLDS 20 traces
#ifndef ROUNDS
#define ROUNDS 3
#endif
#define FENCES
#include "pgsql.h"
