// A seqlock whose reader has no fence: its second look at the version may come before its loads of
// the data. It finds the version unchanged, and keeps one value from before a write and one from
// after: a != b.
//@ expect rc20: VIOLATED 60 traces, sc: HOLDS 37 traces

#define NO_FENCE
#include "seqlock.c"
