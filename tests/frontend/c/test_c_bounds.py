"""Loops and recursion: on constants they run to their end, on memory they are cut, and it is said
where. Nondeterministic values and assumptions."""

from __future__ import annotations

import pytest
from c_verify import ENGINES, LINES, compiled, holds, refused, told, verify, violates

from hybrid.program.loops import is_backward
from hybrid.report.notes import notes
from hybrid.report.result import Result
from hybrid.verdict import Verdict


def bounded(text: str, message: str, engine: str = "rsmc") -> Result:
    """Checks that nothing is found but that runs are cut, and what is said of that."""
    result = verify(text, engine)
    assert result.answer is Verdict.BOUNDED, (told(result), result.messages)
    said = " ".join(notes(result, wrong_race=False))
    assert message in said, said
    return result


LOOPS = """atomic_int x;
void *f(void *_) { for (int i = 0; i < 20; i++) if (i % 3) x++; return 0; }
int main(void) { f(0); assert(x == 13); int n = 0;
  for (int i = 0; i < 100; i++) for (int j = 0; j < i; j += 7) n++;
  assert(n == 6557 - 64); pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);
  assert(x == 26); return 0; }
"""


@pytest.mark.large
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_loops_on_constants(level: str) -> None:
    """They are not cut, however many rounds they have."""
    count = sum(1 for i in range(100) for _ in range(0, i, 7))
    holds(LOOPS.replace("6557 - 64", str(count)), 1, flags=(level,))


ROUNDS = """atomic_int x, y; int n; void *f(void *_) { x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
  for (int i = 0; ; i++) { BODY }
  assert(n == 8); return 0; }
"""


@pytest.mark.parametrize(
    ("body", "jumps"),
    [
        ("n++; if (i % 2) continue; if (i >= 7) break;", False),
        ("n++; if (x) y++; if (i % 2) continue; if (i >= 6 + (x & 0)) break;", True),
        ("n++; if (x) y++; if (i % 2 == 0) continue; if (i >= 7) break;", False),
        (
            "if (i < 5) { n++; continue; } switch (i) { case 5: n++; continue; case 6: n += 2; "
            "continue; } if (i == 9) return 0;",
            False,
        ),
        ("n++; if (x) continue; if (i >= 7) break;", True),
    ],
    ids=["first", "memory", "beside", "switch", "decides"],
)
def test_a_round_without_an_exit(body: str, jumps: bool) -> None:
    """Known numbers decide that it does not come to one; where memory does, it stays a loop."""
    code = compiled(ROUNDS.replace("BODY", body)).threads[0].code
    backward = [at for at in range(len(code)) if is_backward(code, at)]
    assert bool(backward) == jumps, len(code)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_loop_on_memory(engine: str) -> None:
    text = """atomic_int x; void *f(void *_) { x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int n = 0;
  while (x < 2)
    n++;
  return 0; }"""
    result = verify(text, engine)
    assert result.answer in (Verdict.BOUNDED, Verdict.VIOLATED)
    fine = text.replace("x < 2", "x < 1 && n < 9")
    bounded(fine, f"p.c:{3 + LINES}", engine)


def test_a_loop_that_waits() -> None:
    """Waiting in a loop for what comes adds no trace."""
    text = """atomic_int x; int d; void *f(void *_) { d = 5; x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
  while (!x) ;
  assert(d == 5); return 0; }"""
    assert verify(text).answer in (Verdict.HOLDS, Verdict.BOUNDED)


def test_a_loop_that_waits_for_ever() -> None:
    text = """atomic_int x; void *f(void *_) { while (x) ; return 0; }
int main(void) { pthread_t t; x = 1; pthread_create(&t, 0, f, 0); return 0; }"""
    result = verify(text)
    assert result.answer in (Verdict.VIOLATED, Verdict.BOUNDED), result.messages


# ---- recursion


def test_recursion_on_memory() -> None:
    text = """atomic_int x; void *f(void *_) { x = 1; return 0; }
static int depth(int n) {
  return x ? n : depth(n + 1); }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
  int n = depth(0); assert(n >= 0); return 0; }"""
    told = bounded(
        text, f"main: p.c:{3 + LINES} depth(n + 1): depth calls itself more than 8 times"
    )
    (note,) = notes(told, wrong_race=False)
    assert note.endswith("//@ recursion 16 in the file goes further") and "max-steps" not in note
    deeper = bounded("//@ recursion 12\n" + text, "depth calls itself more than 12 times")
    assert deeper.traces == told.traces + 4


def test_recursion_on_constants() -> None:
    text = """atomic_int x;
static int fib(int n) { x++; return n < 2 ? n : fib(n - 1) + fib(n - 2); }
void *f(void *_) { assert(fib(7) == 13); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(x == 41);
  return 0; }"""
    holds(text, 1)


def test_recursion_without_end() -> None:
    text = """static int deep(int n) {
  return 1 + deep(n + 1); }
int main(void) { return deep(0); }"""
    bounded(text, "calls within each other")


def test_allocation_in_a_loop_on_memory() -> None:
    text = """struct n { struct n *next; } *_Atomic top; atomic_int stop;
void *f(void *_) { stop = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
  while (!stop) { struct n *n = malloc(sizeof *n); n->next = top; top = n; }
  int k = 0; for (struct n *n = top; n; n = n->next) k++; assert(k <= 5); return 0; }"""
    bounded(text, f"p.c:{4 + LINES}")


# ---- nondeterministic values and assumptions

HARNESS = "#include <hybrid.h>\n"


@pytest.mark.parametrize("engine", ENGINES)
def test_any_truth(engine: str) -> None:
    text = (
        HARNESS
        + """int main(void) { _Bool a = __VERIFIER_nondet_bool();
  _Bool b = __VERIFIER_nondet_bool(); assert(a + b <= 2); return 0; }"""
    )
    holds(text, 4, engine=engine)
    violates(text.replace("a + b <= 2", "a + b < 2"), "assertion at 3: a + b < 2", engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("low", "high"), [(0, 3), (-2, 2), (5, 5), (10, 15)])
def test_any_of_a_range(low: int, high: int, engine: str) -> None:
    text = (
        HARNESS
        + f"""int main(void) {{ int v = __VERIFIER_nondet_range({low}, {high});
  assert(v >= {low} && v <= {high});
  return 0; }}"""
    )
    holds(text, high - low + 1, engine=engine)
    text = text.replace(f"v <= {high}", f"v < {high}")
    violates(text, "assertion at 3", engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_assumptions(engine: str) -> None:
    text = (
        HARNESS
        + """int main(void) { int v = __VERIFIER_nondet_range(0, 7);
  __VERIFIER_assume(v % 3 == 1); assert(v == 1 || v == 4 || v == 7); return 0; }"""
    )
    holds(text, 3, engine=engine)


def test_an_assumption_that_does_not_hold() -> None:
    text = HARNESS + "int main(void) { __VERIFIER_assume(0); assert(0); return 0; }"
    assert verify(text).traces == 0


def test_a_value_in_a_loop() -> None:
    text = (
        HARNESS
        + """int main(void) { int sum = 0;
  for (int i = 0; i < 3; i++) sum += __VERIFIER_nondet_bool();
  assert(sum >= 0 && sum <= 3); return 0; }"""
    )
    holds(text, 8)


def test_a_value_by_which_threads_are_started() -> None:
    text = (
        HARNESS
        + """atomic_int x; void *f(void *_) { x++; return 0; }
int main(void) { pthread_t t; if (__VERIFIER_nondet_bool()) { t = hybrid_spawn(f, 0);
    hybrid_join(t); assert(x == 1); } else assert(x == 0); return 0; }"""
    )
    holds(text, 2)


def test_a_value_without_a_range() -> None:
    text = HARNESS + "int main(void) {\n  int v = __VERIFIER_nondet_int();\n  return v; }"
    refused(text, "3: a nondeterministic value without a range: __VERIFIER_nondet_range(LOW, HIGH)")
    text = HARNESS + "int main(void) {\n  int v = __VERIFIER_nondet_range(0, 99999);\n  return v; }"
    refused(text, "3: a nondeterministic value of more than 65536 possible ones")


# ---- the end of the program


def test_exit() -> None:
    text = """atomic_int x; void *f(void *_) { x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (x) exit(3); assert(x < 2);
  return 0; }"""
    assert verify(text).answer is Verdict.HOLDS
    assert len(compiled("int main(void) { exit(0); assert(0); }").threads[0].code) == 0
