// The deque of Chase and Lev whose owner takes without a fence: its store to bottom may still be on
// its way when it reads top. A thief and the owner then both believe that more than one task is
// left, and get the same one: done[task]++ is a data race, and the task is done twice.
//@ expect rc20: VIOLATED 491 traces, sc: HOLDS 332 traces

#define NO_FENCE
#include "chaselev.c"
