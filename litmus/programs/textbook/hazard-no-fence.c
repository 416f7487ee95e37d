// Hazard pointers without the reader's fence: its second look at the node may come before its
// announcement reaches the writer. The reader finds the node still in use, the writer finds no
// announcement and frees it: the reader uses freed memory, and races with the writer.
//@ expect rc20: VIOLATED 34 traces, sc: HOLDS 16 traces

#define NO_FENCE
#include "hazard.c"
