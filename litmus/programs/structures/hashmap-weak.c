// hashmap.c with one order weakened: a move freezes values by a relaxed read-modify-write, as if it
// only had to stop others. It does not acquire the value that it copies: who finds the copy
// synchronises with the thread that moved it, but not with the one that made the record. Reading
// the record is a data race, and it may be incomplete. Only a lookup that finds a copy shows it.
//@ expect rc20: VIOLATED 536 traces, sc: HOLDS 272 traces

#define WEAK
#include "hashmap.c"
