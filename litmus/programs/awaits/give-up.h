// What the tool of "Awaiting for Godot" does not turn into awaits, so that it gives up runs where we
// wait: a loop whose test is more than a comparison of what was read, as `word & 1`, and a round
// whose purity depends on two accesses, or on whether an inner loop has gone round. With -DGIVE_UP
// we give up the same runs.
#ifdef GIVE_UP
void __VERIFIER_assume(int);
#define WAIT_FOR(condition) __VERIFIER_assume(condition)
#define GIVE_UP_UNLESS(condition) __VERIFIER_assume(condition)
#else
#define WAIT_FOR(condition) \
  while (!(condition)) \
  continue
#define GIVE_UP_UNLESS(condition) (void)0
#endif
