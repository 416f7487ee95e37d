"""Reads of memory of which some bytes were never written: numbers must be whole, structs not."""

from __future__ import annotations

import pytest
from c_verify import calculates, holds, violates

HEAD = """struct s { char a; int b; }; struct t { char a, b; short c; }; struct r { char c[8]; };
struct bits { unsigned a : 3, b : 5; int c : 9; unsigned d : 17; };
union u { char c[4]; int i; };
static struct s make(void) { struct s s; s.a = 1; s.b = 2; return s; }
static struct t begun(void) { struct t t; t.a = 1; return t; }
static int take(struct s x) { return x.b; }
static int taken(struct t x) { return x.a; }
static int first(struct r x) { return x.c[0]; }
static void *f(void *p) { return p; }
"""
RIGHT = {
    "padding": "struct s x = make(), y = x; assert(take(y) == 2 && y.a == 1);",
    "passed from the heap": "struct s *p = malloc(sizeof *p); p->a = 1; p->b = 3; "
    "assert(take(*p) == 3); free(p);",
    "a field that is not set": "struct t x = begun(); assert(taken(x) == 1);",
    "an array in a struct": "struct r x; x.c[0] = 7; assert(first(x) == 7);",
    "bit fields": "struct bits x; x.a = 1; x.b = 2; x.c = -3; x.d = 70000; "
    "assert(x.a == 1 && x.b == 2 && x.c == -3 && x.d == 70000); x.c = 0; assert(x.c == 0);",
    "bit fields in an array": "struct bits x[2]; x[1].d = 5; x[1].a = 7; assert(x[1].d == 5);",
    "bit fields on the heap": "struct bits *x = malloc(sizeof *x); x->b = 9; x->a = 7; "
    "assert(x->b == 9 && x->a == 7); free(x);",
    "all bytes": "union u u; u.c[0] = u.c[1] = u.c[2] = u.c[3] = 1; assert(u.i == 0x1010101);",
}
WRONG = {
    "a byte of it": ("int x; ((char *)&x)[0] = 1;\n  int y = x;", "x"),
    "half of it": ("long x; memset(&x, 0, 4);\n  if (x > 3) return 1;", "x"),
    "a union": ("union u u; u.c[0] = 1; u.c[2] = 1;\n  int y = u.i;", "u.i"),
    "copied": ('char b[8]; strcpy(b, "abc"); long v; memcpy(&v, b, 8);\n  int y = v == 3;', "v"),
    "an array": ("char b[4]; b[0] = b[1] = 0;\n  int y = *(int *)b;", "b"),
    "a field": ("struct s x; memset(&x, 0, 6);\n  int y = x.b;", "x.b"),
    "on the heap": (
        "int *p = malloc(4); *(char *)p = 1;\n  int y = *p; free(p);",
        "malloc at p.c:16",
    ),
}


def main(body: str) -> str:
    return f"{HEAD}\nint main(void) {{ {body}\n  return 0; }}"


@pytest.mark.parametrize("name", RIGHT)
def test_right(name: str) -> None:
    calculates(main(RIGHT[name]))


@pytest.mark.parametrize("name", WRONG)
def test_wrong(name: str) -> None:
    body, variable = WRONG[name]
    violates(main(body), f"uninitialised read at 12: {variable} was never written as a whole")


@pytest.mark.large
@pytest.mark.parametrize("level", ["-O1", "-O2"])
def test_what_is_right_where_the_compiler_optimises(level: str) -> None:
    for body in RIGHT.values():
        holds(main(body), flags=(level,))


def test_on_one_way() -> None:
    """Where ways meet, the bytes that one of them has not set."""
    text = f"""{HEAD}atomic_int x; void *g(void *p) {{ x = 1; return 0; }}
int main(void) {{ pthread_t t; pthread_create(&t, 0, g, 0); int y; char *c = (char *)&y;
  c[0] = c[1] = c[2] = 1; if (x) c[3] = 0;
  int z = y; return 0; }}"""
    violates(text, "uninitialised read at 13: y was never written as a whole")
    calculated = text.replace("if (x) c[3] = 0;", "c[3] = 0; if (x) c[3] = 1;")
    holds(calculated, 2)


def test_bit_fields_that_are_shared() -> None:
    """The bits around one that is set need not be set."""
    holds(
        f"""{HEAD}static void *g(void *p) {{ struct bits *b = p; b->a = 3; b->c = -1; return 0; }}
int main(void) {{ struct bits x; pthread_t t; pthread_create(&t, 0, g, &x); pthread_join(t, 0);
  x.b = 1; assert(x.a == 3 && x.b == 1 && x.c == -1); return 0; }}"""
    )
