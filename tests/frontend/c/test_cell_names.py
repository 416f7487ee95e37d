"""What cells of memory are called: as the source would write them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from c_verify import compiled, violates

from hybrid.frontend.compiler_options import CompilerOptions
from hybrid.frontend.load import load_program
from hybrid.program.program import Program

# Declarations, what main does to what they declare before and after it starts the thread, and what
# the cells are called.
NAMES = {
    "a struct": ("struct s { int a; long b; } x;", "", "x.a = 1; x.b = 2;", ["x.a", "x.b"]),
    "a typedef": ("typedef struct { char a, b; } t; t x;", "", "x.b = 1;", ["x.b"]),
    "a struct without a name": ("struct { int a, b; } x;", "", "x.b = 1;", ["x.b"]),
    "structs in structs": (
        "struct in { int u, v; }; struct { struct in i[2]; struct { int w; } k; } x;",
        "",
        "x.i[1].v = 1; x.k.w = 2;",
        ["x.i[1].v", "x.k.w"],
    ),
    "a struct inside that has no name": (
        "struct { int a; struct { int b, c; }; } x;",
        "",
        "x.c = 1;",
        ["x.c"],
    ),
    "arrays of arrays": (
        "struct { int a[2][3]; } x[2];",
        "",
        "x[1].a[1][2] = 1;",
        ["x[1].a[1][2]"],
    ),
    "a union": ("union { int a; long b; } x;", "", "x.b = 1;", ["x.b"]),
    "a union of equals": ("union { int a; int b; } x;", "", "x.b = 1;", ["x.a/b"]),
    "bit fields": (
        "struct { int a; unsigned b : 3, c : 4; } x;",
        "",
        "x.b = 1;",
        ["x.b/c"],
    ),
    "atomics and qualifiers": (
        "struct { volatile _Atomic int a; int *_Atomic b; } x;",
        "",
        "x.a = 1; x.b = 0;",
        ["x.a", "x.b"],
    ),
    "an enumeration": ("struct { int a; enum { E, F } b; } x;", "", "x.b = F;", ["x.b"]),
    "locks": (
        "struct { int a; pthread_mutex_t m; } x;",
        "",
        "pthread_mutex_lock(&x.m); x.a = 1; pthread_mutex_unlock(&x.m);",
        ["x.a", "x.m"],
    ),
    "a variable of a function": (
        "struct s { int a, b; } *p;",
        "struct s x; p = &x;",
        "x.b = 1;",
        ["x.b"],
    ),
    "malloc": (
        "struct s { int a, b; } *p;",
        "p = malloc(sizeof *p);",
        "p->b = 1;",
        ["(malloc at p.c:8).b"],
    ),
    "an array from malloc": (
        "struct s { int a, b; } *p;",
        "p = malloc(2 * sizeof *p);",
        "p[1].b = 1;",
        ["(malloc at p.c:8)[1].b"],
    ),
    "numbers from malloc": (
        "int *p;",
        "p = malloc(12);",
        "p[0] = 1; p[2] = 1;",
        ["(malloc at p.c:8)[0]", "(malloc at p.c:8)[2]"],
    ),
    "an array at the end": (
        "struct s { int n; int a[]; } *p;",
        "p = malloc(sizeof *p + 8);",
        "p->a[1] = 1;",
        ["(malloc at p.c:8).a[1]"],
    ),
    "two of a thread": (
        "struct s { int a; } *p, *q;",
        "struct s **w[] = { &p, &q }; for (int i = 0; i < 2; i++) *w[i] = malloc(4);",
        "p->a = 1; q->a = 2;",
        ["(malloc at p.c:8 #2).a", "(malloc at p.c:8).a"],
    ),
}  # fmt: skip
AROUND = """%s
void *f(void *_) { %s return 0; }
int main(void) { %s
  pthread_t t; pthread_create(&t, 0, f, 0); %s pthread_join(t, 0); }"""


def names(program: Program) -> list[str]:
    hidden = re.compile(r"(start|end|argument) of ")
    return sorted(each.name for each in program.locations if not hidden.match(each.name))


@pytest.mark.parametrize("name", NAMES)
def test_names(name: str) -> None:
    declared, before, after, cells = NAMES[name]
    other = "p->b = 2;" if "struct s x;" in before else after
    assert names(compiled(AROUND % (declared, other, before, after))) == cells


def test_without_metadata() -> None:
    text = AROUND % ("struct { int a, b; } x;", "x.b = 1;", "", "x.b = 2;")
    assert names(compiled(text, ("-g0",))) == ["x+4"]


def test_pointers() -> None:
    """A pointer into a struct is the address of the field there."""
    result = violates(
        """struct s { int a, b; } x; int *_Atomic p; void *f(void *_) { x.b++; p = &x.b; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
  assert(p == 0); return 0; }""",
        "assertion at 3",
    )
    assert result.witness is not None
    assert "&x.b" in str(result.witness.data())


@pytest.mark.large
def test_cxx(tmp_path: Path) -> None:
    path = tmp_path / "p.cpp"
    path.write_text(
        """#include <array>
#include <atomic>
#include <mutex>
#include <thread>
struct Base { int first = 0; };
struct Queue : Base { std::mutex m; std::atomic<int> head{0}; std::array<int, 3> slots{}; };
Queue q; std::atomic<long> count;
void work() { std::lock_guard g(q.m); q.first++; q.slots[q.head] = 1; q.head++; count++; }
int main() { std::thread t(work); work(); t.join(); }
""",
        encoding="utf-8",
    )
    every = names(load_program(str(path), CompilerOptions()))
    found = [each for each in every if not each.startswith("q.m+")]  # what else a mutex has
    assert found == ["count", "q.first", "q.head", "q.m", *(f"q.slots[{n}]" for n in range(3))]
