// The deque of Chase and Lev whose owner lowers bottom by a relaxed store: what changed from C11 to
// C++20.
//
// A thief that reads bottom from that store need not see the task that an earlier push released. In
// C11 it did: the store belonged to the release sequence of the push, as it comes from the same
// thread. Since C++20 only read-modify-writes continue a release sequence. The thief may read the
// slot as it was before the push, and then works on a task that does not exist while the real one
// is never done.
//@ expect rc20: VIOLATED 475 traces, rc11: HOLDS 348 traces, sc: HOLDS 332 traces

#define RELAXED
#include "chaselev.c"
