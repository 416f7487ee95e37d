"""What is wrong with C programs: every kind of fault, where it is told, and by which engines."""

from __future__ import annotations

import pytest
from c_verify import ENGINES, LINES, holds, told, verify, violates

from hybrid.execution.trace import Trace
from hybrid.model.core import RACE
from hybrid.report.sightings import Violation
from hybrid.verdict import Verdict
from hybrid.witness.run import NO_EVENTS, SourceRow, run_table, source_rows

# Programs in which something goes wrong at line 3, with what is said.
ONE_THREAD = {
    "assertion": ("int x = 1;", "assert(x == 2);", "assertion at 3: x == 2"),
    "abort": ("", "abort();", "assertion at 3: abort is called"),
    "error": (
        "void __VERIFIER_error(void);",
        "__VERIFIER_error();",
        "assertion at 3: __VERIFIER_error is called",
    ),
    "reach": ("void reach_error(void);", "reach_error();", "assertion at 3: reach_error is called"),
    "trap": ("", "__builtin_trap();", "assertion at 3: a trap is reached"),
    "null": ("int *p;", "*p = 1;", "null pointer at 3"),
    "null field": (
        "struct s { int a, b; } *p;",
        "return p->b;",
        "null pointer at 3",
    ),
    "wild": ("", "*(int *)0x123456 = 1;", "wild pointer at 3"),
    "wild and far": ("", "*(int *)0x7654321076543210 = 1;", "wild pointer at 3"),
    "wild and farther": ("", "*(int *)0xfedcba9876543210 = 1;", "wild pointer at 3"),
    "bounds": ("int a[4]; int n = 4;", "a[n] = 1;", "out of bounds at 3"),
    "bounds below": ("int a[4]; int n = -1;", "return a[n];", "out of bounds at 3"),
    "bounds of malloc": ("", "int *p = malloc(8); p[2] = 1;", "out of bounds at 3"),
    "bounds of a text": ('char *s = "ab";', "return s[5];", "out of bounds at 3"),
    "freed load": ("", "int *p = malloc(4); *p = 1; free(p); return *p;", "use after free at 3"),
    "freed store": ("", "int *p = malloc(4); free(p); *p = 1;", "use after free at 3"),
    "double free": ("", "int *p = malloc(4); free(p); free(p);", "double free at 3"),
    "invalid free": ("int x;", "free(&x);", "invalid free at 3"),
    "free in the middle": ("", "int *p = malloc(8); free(p + 1);", "invalid free at 3"),
    "invalid realloc": ("int x;", "int *p = realloc(&x, 8);", "invalid free at 3"),
    "unset heap": ("", "int *p = malloc(4); return *p;", "uninitialised read at 3"),
    "unset local": ("", "int v; return v;", "uninitialised read at 3: v was never written"),
    "unset array": ("", "int v[3]; v[0] = 1; return v[1];", "uninitialised read at 3: v[1]"),
    "empty": ("", "char *p = malloc(0); p[0] = 1; free(p);", "out of bounds at 3"),
    "text": ("", 'char *p = "ab"; p[0] = 1;', 'write to a constant at 3: the text "ab"'),
    "constant": ("const int k = 1;", "*(int *)&k = 2;", "write to a constant at 3: k"),
    "unset result": (
        "int g(int k) { if (k) return 3; }",
        "return g(0);",
        "uninitialised read at 1: what g returns was never set, and is used",
    ),
    "division": ("int z;", "return 1 / z;", "division by zero at 3"),
    "remainder": ("unsigned z;", "return 7 % z;", "division by zero at 3"),
    "call": ("void (*f)(void);", "f();", "wild pointer at 3: a call through a pointer"),
}


@pytest.mark.parametrize("name", ONE_THREAD)
def test_one_thread(name: str) -> None:
    before, text, fault = ONE_THREAD[name]
    found = verify(f"{before}\nint main(void) {{\n  {text}\n  return 0; }}")
    assert found.answer is Verdict.VIOLATED, (told(found), found.messages)
    assert any(each.startswith(fault) for each in told(found)), told(found)


def test_a_function_without_a_result() -> None:
    """To fall out of it is right as long as nobody uses what it returns."""
    text = """atomic_int x; void *f(void *_) { x = 1; } int g(int k) { if (k) return 3; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); %s pthread_join(t, 0); }"""
    holds(text % "g(x);", 2)
    violates(text % "if (g(x)) x = 2;", "uninitialised read at 1: what g returns was")


# ---- what comes from memory that threads share

# Thread f does something, main does something when it sees the flag.
TOGETHER = """struct s {{ int a; int b; }}; struct s *p; int a[4]; atomic_int flag; int x;
void *f(void *_) {{
  {first} flag = 1; return 0; }}
int main(void) {{ {before} pthread_t t; pthread_create(&t, 0, f, 0); int n = flag;
  {second}
  return 0; }}"""
SEVERAL = {
    "null": ("", "", "if (n) p->a = 1;", "null pointer at 5"),
    "null or not": ("p = malloc(8); p->a = 1;", "", "if (!n) p->b = 1;", "null pointer at 5"),
    "bounds": ("", "", "a[4 * n] = 1;", "out of bounds at 5"),
    "wild": ("", "", "*(int *)(n * 0x12345678l + 4096l) = 1;", "wild pointer at 5"),
    "freed load": (
        "free(p);",
        "p = malloc(8); p->a = 1;",
        "if (n) x = p->a;",
        "use after free at 5",
    ),
    "freed store": (
        "free(p);",
        "p = malloc(8); p->a = 1;",
        "if (n) p->a = 2;",
        "use after free at 5",
    ),
    "double free": ("free(p);", "p = malloc(8); p->a = 1;", "if (n) free(p);", "double free at 5"),
    "unset": ("", "p = malloc(8); p->a = 1;", "if (n) x = p->b;", "uninitialised read at 5"),
    "division": ("", "", "x = 5 / (1 - n);", "division by zero at 5"),
    "assertion": ("", "", "assert(n == 0);", "assertion at 5: n == 0"),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", SEVERAL)
def test_several_threads(name: str, engine: str) -> None:
    first, before, second, fault = SEVERAL[name]
    found = verify(TOGETHER.format(first=first, before=before, second=second), engine)
    assert found.answer is Verdict.VIOLATED, (told(found), found.messages)
    assert any(each.startswith(fault) for each in told(found)), told(found)


def test_freed_before_threads_run() -> None:
    text = """int *p;
void *f(void *_) {
  %s return 0; }
int main(void) { p = malloc(4); *p = 1; free(p); pthread_t t; pthread_create(&t, 0, f, 0);
  return 0; }"""
    violates(text % "*p = 2;", "use after free at 3")
    violates(text % "return (void *)(long)*p;", "use after free at 3")
    violates(text % "free(p);", "double free at 3")


def test_an_object_that_only_its_address_is_known_of() -> None:
    text = """int *_Atomic p;
void *f(void *_) { free(atomic_exchange(&p, 0)); return 0; }
int main(void) { pthread_t t[2]; atomic_store(&p, malloc(4));
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0); assert(p == 0); return 0; }"""
    holds(text, 2)
    text = text.replace("atomic_exchange(&p, 0)", "atomic_load(&p)").replace("assert(p == 0);", "")
    found = verify(text)
    assert found.answer is Verdict.VIOLATED
    assert any(each.startswith(("race at 2", "double free at 2")) for each in told(found))


# ---- races


@pytest.mark.parametrize("engine", ENGINES)
def test_race(engine: str) -> None:
    text = """int x;
void *f(void *_) {
  x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
  return x; }"""
    result = violates(text, "race at", engine=engine)
    message = result.violations[0].fault.message
    assert f"p.c:{3 + LINES}" in message and f"p.c:{5 + LINES}" in message and "on x" in message


def test_no_race() -> None:
    """With what is ordered by a join, by an atomic that is read, by the start of a thread."""
    text = """int x, y; atomic_int flag;
void *f(void *_) { assert(x == 1); x = 2; y = 3; atomic_store_explicit(&flag, 1,
  memory_order_release); return 0; }
int main(void) { x = 1; pthread_t t; pthread_create(&t, 0, f, 0);
  if (atomic_load_explicit(&flag, memory_order_acquire)) assert(y == 3); pthread_join(t, 0);
  assert(x == 2); x = 4; return 0; }"""
    holds(text, 2)
    relaxed = text.replace("memory_order_acquire", "memory_order_relaxed")
    assert "race at 5" in " ".join(told(verify(relaxed)))


def test_a_race_with_free() -> None:
    text = """int *p;
void *f(void *_) { *p = 1; return 0; }
int main(void) { p = malloc(4); pthread_t t; pthread_create(&t, 0, f, 0);
  free(p); return 0; }"""
    assert "race at" in " ".join(told(verify(text)))


# ---- leaks, which violate nothing


@pytest.mark.parametrize(
    "text",
    [
        "int main(void) {\n  int *p = malloc(4); *p = 1;\n  return 0; }",
        "void *f(void *_) {\n  malloc(4);\n  return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }",
    ],
    ids=["main", "thread"],
)
def test_leak(text: str) -> None:
    result = holds(text)
    assert [each.fault.kind for each in result.beside] == ["memory leak"]
    assert "malloc at p.c:7 is not freed" in result.beside[0].fault.message


def test_no_leak() -> None:
    text = """void *f(void *p) { free(p); return 0; }
int main(void) { int *q = malloc(4); free(q); pthread_t t;
  pthread_create(&t, 0, f, malloc(4)); return 0; }"""
    assert not holds(text).beside


def test_assertions_of_one_line() -> None:
    text = """atomic_int x; void *f(void *_) { x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int v = x;
  assert(v != 0); assert(v != 1); }"""
    result = violates(text, "assertion at 3: v != 0", "assertion at 3: v != 1")
    for each, value in zip(result.violations, (0, 1), strict=True):
        assert each.executions == 1 and each.witness is not None
        assert any(row.effect.startswith(f"reads x = {value}") for row in rows(each.witness))


def test_one_race_for_several_events() -> None:
    """Of a free, which looks at what it frees and writes to it, and of x++."""
    text = """int x, *_Atomic p;
void *f(void *_) { x++; int *q = p; if (q) *q = 1; return 0; }
int main(void) { p = malloc(4); pthread_t t; pthread_create(&t, 0, f, 0);
  x++;
  free(p); }"""
    found = [each.fault.line - LINES for each in verify(text).violations if _is_race(each)]
    assert found == [4, 5]


def _is_race(violation: Violation) -> bool:
    return violation.fault.kind == RACE


def rows(trace: Trace) -> list[SourceRow]:
    return source_rows(trace.data())


def test_values_that_are_chosen() -> None:
    text = """int __VERIFIER_nondet_range(int, int); _Bool __VERIFIER_nondet_bool(void);
int main(void) { int few = __VERIFIER_nondet_range(3, 6);
  int many = __VERIFIER_nondet_range(-1, 40); _Bool one = __VERIFIER_nondet_bool();
  assert(!one || few != 5 || many != 16); }"""
    result = violates(text, "assertion at 4")
    assert result.witness is not None
    told = [(row.place.partition("#")[0], row.effect) for row in rows(result.witness)]
    bits = ["adds 1 to -1", *["adds 0 to -1"] * 3, "adds 16 to -1", "adds 0 to -1"]
    chosen = ["is 5", *bits, "is 1"]
    assert [effect for _, effect in told] == chosen
    assert {place for place, _ in told} == {f"p.c:{LINES + 2}", f"p.c:{LINES + 3}"}


def test_a_witness_without_events() -> None:
    result = violates("int main(void) {\n  abort(); }", "assertion at 2: abort is called")
    assert result.witness is not None
    assert run_table(result.witness.data()) == NO_EVENTS
