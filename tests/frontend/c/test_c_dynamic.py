"""The C language on values that come from memory which threads share: the same meaning, by
expressions and branches of the program."""

from __future__ import annotations

import pytest
from c_verify import ENGINES, holds, verify, violates

from hybrid.verdict import Verdict

# Some value of v, one of two.
START = """
atomic_int v = %d;
void *set(void *_) { atomic_store(&v, %d); return 0; }
#define RUN pthread_t t; pthread_create(&t, 0, set, 0); int x = atomic_load(&v);
"""


def two(text: str, one: int, other: int, level: str = "-O0", engine: str = "rsmc") -> None:
    """Checks that a program holds that gets one of two values in x: with two traces."""
    program = START % (one, other) + f"int main(void) {{ RUN {text} return 0; }}"
    holds(program, 2, engine=engine, flags=(level,))


LEVELS = ("-O0", "-O2")

VALUES = {
    "widths": (
        """assert((unsigned char)x == (x == 300 ? 44 : 6)); assert((signed char)(x / 2) == (x == 300
        ? -106 : -125)); assert((short)(x * 1000) == (x == 300 ? -27680 : 12144));
        assert((int)(x * 10000000u) == (x == 300 ? -1294967296 : 1794967296));""",
        (300, -250),
    ),
    "signs": (
        """unsigned u = x; assert(x / 2 == (x < 0 ? -3 : 3) && x % 2 == (x < 0 ? -1 : 1));
        assert(x >> 1 == (x < 0 ? -4 : 3) && u >> 1 == (x < 0 ? 2147483644u : 3));
        assert((u > 7) == (x < 0) && (long)x * 2 == (x < 0 ? -14 : 14));
        assert(u / 2 == (x < 0 ? 2147483644u : 3) && u % 10 == (x < 0 ? 9 : 7));
        unsigned long w = (long)x; assert(w / 5 == (x < 0 ? 3689348814741910321ul : 1));
        assert(w % 10 == (x < 0 ? 9 : 7) && (w > 7) == (x < 0));
        assert(-x == (x < 0 ? 7 : -7) && ~x == (x < 0 ? 6 : -8) && !x == 0);
        assert((x << 3) == 8 * x && (x & 3) == (x < 0 ? 1 : 3) && (x ^ 1) == (x < 0 ? -8 : 6));""",
        (-7, 7),
    ),
    "large divisors": (
        """unsigned long d = (long)x, n = 7; assert(n / d == (x < 0 ? 0 : 2));
        assert(n % d == (x < 0 ? 7 : 1)); n = -2; assert(n / d == (x < 0 ? 1 : n / 3));
        assert(n % d == (x < 0 ? 1 : n % 3)); assert(~0ul / d == (x < 0 ? 1 : ~0ul / 3));
        assert(d / d == 1 && d % d == 0 && d % (1ul << 63) == (x < 0 ? (1ul << 63) - 3 : 3));""",
        (-3, 3),
    ),
    "bytes": (
        """unsigned char c = x; c++; assert(c == (x == 255 ? 0 : 2)); char s = x; s += 127;
        assert(s == (x == 255 ? 126 : -128)); unsigned short h = x; h *= 300;
        assert(h == (x == 255 ? 10964 : 300)); _Bool b = x - 1; assert(b == (x == 255));""",
        (255, 1),
    ),
    "memset": (
        """char c[5] = "abcd"; int n = 1; memset(c, x, 3); memset(&n, x, sizeof n);
        assert(c[0] == (char)x && c[2] == (char)x && c[3] == 'd');
        assert(n == (x == 255 ? -1 : 0x05050505));""",
        (255, 261),
    ),
    "memcmp": (
        """char c[4] = { 1, (char)x, 3, 4 }, d[4] = { 1, 9, 3, 4 }; assert(!memcmp(c, d, 1));
        assert((memcmp(c, d, 4) > 0) == (x == 200) && (memcmp(d, c, 4) < 0) == (x == 200));
        assert((memcmp(c, d, 4) == 0) == (x == 9)); int a[2] = { 256, x }, b[2] = { 1, 9 };
        assert(memcmp(a, b, 8) < 0 && (memcmp(a + 1, b + 1, 4) == 0) == (x == 9));""",
        (200, 9),
    ),
    "a copy of some bytes": (
        """char c[9] = "........"; memcpy(c, "abcdef", x); assert(c[2] == (x == 3 ? 'c' : '.'));
        assert(c[3] == '.' && c[1] == 'b'); int a[4] = { 0 }, b[] = { 5, 6, 7 };
        memmove(a, b, (x - 1) * sizeof *a); assert(a[0] == 5 && a[1] == (x == 3 ? 6 : 0));
        assert(a[2] == 0);""",
        (3, 2),
    ),
    "control": (
        """int k; switch (x) { case 3: k = 30; break; case 4: k = 40; default: k = 50; }
        assert(k == (x == 3 ? 30 : 50)); int n = 0; if (x == 3 && n++ == 0) n += 5;
        assert(n == (x == 3 ? 6 : 0)); if (x == 4 || n++) k = 1; assert(n == (x == 3 ? 7 : 0));
        goto over; k = 99; over: assert(k == 1); int j = x > 3 ? x : -x; assert(j == 4 || j == -3);
        int a[2] = { x, x + 1 }, s = 0; for (int i = 0; i < 2; i++) s += a[i];
        assert(s == 2 * x + 1);""",
        (3, 4),
    ),
    "bits": (
        """struct { unsigned a : 3; int b : 4; unsigned c : 9; } f = { 1, -2, 300 }; f.a = x;
        assert(f.a == (x & 7) && f.b == -2 && f.c == 300); f.b += x == 13 ? 1 : 2;
        assert(f.b == (x == 13 ? -1 : 0) && f.a == (x & 7)); f.c = x; assert(f.c == x);""",
        (13, 22),
    ),
    "structs": (
        """struct p { int a; long b; } q = { x, 2 }, r; r = q; q.a = 0; assert(r.a == x);
        struct p *w = x ? &q : &r; w->b = 7; assert((x ? q.b : r.b) == 7);
        assert((x ? r.b : q.b) == 2); memset(&r, 0, sizeof r); assert(r.a == 0 && r.b == 0);""",
        (0, 1),
    ),
    "intrinsics": (
        """assert(__builtin_popcount(x) == (x == 40 ? 2 : 32)); unsigned u = x;
        assert(__builtin_ctz(x) == (x == 40 ? 3 : 0) && __builtin_clz(u) == (x == 40 ? 26 : 0));
        assert(__builtin_bswap32(u) == (x == 40 ? 0x28000000u : 0xffffffffu));
        assert(__builtin_bswap16(u) == (x == 40 ? 0x2800 : 0xffff));
        assert(__builtin_popcountll((long)x << 8) == (x == 40 ? 2 : 56));
        assert(__builtin_ctzll((unsigned long)u << 20) == (x == 40 ? 23 : 20));
        assert(abs(x) == (x == 40 ? 40 : 1)); unsigned n = x & 31;
        assert((u << n | u >> (32 - n & 31)) == (x == 40 ? 0x2800u : u));
        assert(__builtin_expect(x > 0, 1) == (x == 40)); int r;
        assert(__builtin_add_overflow(x, 2147483610, &r) == (x == 40));
        assert(r == (x == 40 ? -2147483646 : 2147483609)); unsigned s; long l;
        assert(__builtin_sub_overflow(u, 41u, &s) == (x == 40)); assert(s == u - 41);
        assert(__builtin_mul_overflow(u, 2u, &s) == (x != 40)); assert(s == u * 2);
        assert(__builtin_add_overflow((long)x, 9223372036854775800l, &l) == (x == 40));
        assert(__builtin_sub_overflow((long)x, 9223372036854775807l, &l) == 0);""",
        (40, -1),
    ),
    "saturation": (
        """int m = x < 50 ? x : 50; assert(m == (x == 70 ? 50 : -70)); unsigned u = x;
        unsigned d = u > 5 ? u - 5 : 0; assert(d == u - 5); unsigned w = u < 3 ? u : 3;
        assert(w == 3); int k = x > -60 ? x : -60; assert(k == (x == 70 ? 70 : -60));""",
        (70, -70),
    ),
}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", VALUES)
def test_values(name: str, level: str) -> None:
    text, (one, other) = VALUES[name]
    two(text, one, other, level)


def test_functions_that_other_compilers_know_themselves() -> None:
    text = """assert(abs(x) == (x == 40 ? 40 : 1)); long y = 10000000000 * x;
    assert(labs(y) == (x == 40 ? y : -y)); assert(llabs(y) == labs(y));"""
    two(text, 40, -1, level="-fno-builtin")


@pytest.mark.large
@pytest.mark.parametrize("engine", ENGINES[1:])
@pytest.mark.parametrize("name", ["signs", "large divisors", "control", "intrinsics"])
def test_values_of_other_engines(name: str, engine: str) -> None:
    text, (one, other) = VALUES[name]
    two(text, one, other, engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_that_a_wrong_one_is_found(engine: str) -> None:
    text = START % (1, 2) + "int main(void) { RUN\n  assert(x == 1); return 0; }"
    violates(text, "assertion at 6: x == 1", engine=engine)


# ---- pointers and functions from memory

POINTERS = """
int a = 1, b = 2; int *_Atomic p = &a;
void *set(void *_) { atomic_store(&p, &b); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, set, 0);
  int *q = atomic_load(&p); assert(*q == (q == &b ? 2 : 1)); *q = 5;
  assert(a + b == (q == &b ? 6 : 7));
  return 0; }
"""
FUNCTIONS = """
static int one(int n) { return n + 1; } static int two(int n) { return n + 2; }
int (*_Atomic f)(int) = one;
void *set(void *_) { atomic_store(&f, two); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, set, 0);
  int (*g)(int) = atomic_load(&f); int r = g(10); assert(r == (g == one ? 11 : 12));
  return 0; }
"""
INDICES = """
int a[4] = { 10, 11, 12, 13 }; atomic_int i = 1; int grid[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
void *set(void *_) { atomic_store(&i, 3); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, set, 0);
  int k = atomic_load(&i); assert(a[k] == 10 + k); a[k - 1] = 7; assert(a[0] == 7 || a[2] == 7);
  assert(grid[k / 3][k % 3] == (k == 1 ? 2 : 4)); const int table[] = { 9, 8, 7, 6 };
  assert(table[k] == 9 - k); return 0; }
"""
LIST = """
struct node { int v; struct node *next; }; struct node *_Atomic top;
void *push(void *v) { struct node *n = malloc(sizeof *n); n->v = (long)v;
  struct node *old = atomic_load(&top);
  do n->next = old; while (!atomic_compare_exchange_strong(&top, &old, n)); return 0; }
int main(void) { pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, push, (void *)(i + 1));
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  int sum = 0, n = 0; for (struct node *p = top; p; p = p->next) { sum += p->v; n++; }
  assert(sum == 3 && n == 2); return 0; }
"""


@pytest.mark.large
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("text", "traces"),
    [(POINTERS, 2), (FUNCTIONS, 2), (INDICES, 2)],
    ids=["pointers", "functions", "indices"],
)
def test_addresses(text: str, traces: int, engine: str) -> None:
    holds(text, traces, engine=engine)


@pytest.mark.parametrize("engine", ENGINES[:2])
def test_a_list_that_threads_push_to(engine: str) -> None:
    holds(LIST, 4, engine=engine)


def test_an_array_inside_a_struct_does_not_spread_over_it() -> None:
    text = """struct event { int kind, key; long value; };
struct queue { atomic_int head; struct event slots[2]; };
struct context { struct queue q; int *bucket[6]; };
void init(struct queue *q) { q->head = 0; }
void *push(void *arg) {
  struct context *c = arg;
  int at = atomic_fetch_add(&c->q.head, 1);
  c->q.slots[at].key = 7;
  c->bucket[at] = &c->q.slots[at].key;
  return NULL;
}
int main(void) {
  struct context *c = calloc(1, sizeof *c);
  init(&c->q);
  pthread_t p, q;
  pthread_create(&p, NULL, push, c);
  pthread_create(&q, NULL, push, c);
  pthread_join(p, NULL);
  pthread_join(q, NULL);
  return 0;
}"""
    holds(text, 2)


@pytest.mark.large
def test_what_is_freed_has_the_cells_that_other_accesses_give_it() -> None:
    """The last access to it is seen in a later pass than the others."""
    text = """atomic_int turn;
void *f(void *arg) { int *p = arg; p[turn & 1] = 1; return NULL; }
int main(void) {
  int *p = calloc(1, 16);
  pthread_t t;
  pthread_create(&t, NULL, f, p);
  turn = 1;
  pthread_join(t, NULL);
  for (int i = 0; i < 5000; i++) ;
  assert(((long *)p)[1] == 0);
  free(p);
}"""
    holds(text, 2)


BIT_FIELDS = """struct s { int x; unsigned a : 5; int b : 7; };
struct s g0 = { 1, 2, 3 }, g1 = { 4, 5, 6 }; atomic_int k;
void *f(void *_) { struct s *p = k ? &g0 : &g1; p->a = 9; return 0; }
void *g(void *p) { struct s *own = p; own->b++; return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); k = 1; pthread_join(t, 0);
  assert((g0.a == 9) != (g1.a == 9)); assert(g0.b == 3 && g1.b == 6);
  struct s own = { 7, 8, 9 }; pthread_create(&u, 0, g, &own); pthread_join(u, 0);
  assert(own.x == 7 && own.a == 8 && own.b == 10); }"""


def test_bit_fields_that_are_initialised() -> None:
    """An initialiser has them byte by byte."""
    holds(BIT_FIELDS, 2)


@pytest.mark.large
def test_a_copy_of_too_many_bytes() -> None:
    """Where memory decides how many, there are some that are explored; others are cut."""
    text = (
        START % (16, 17)
        + """char c[40], d[40];
int main(void) { RUN memcpy(c, d, x); pthread_join(t, 0); return 0; }"""
    )
    result = verify(text)
    assert result.answer is Verdict.BOUNDED and result.traces == 1
    assert "a copy of more than 16 bytes, where memory decides how many" in str(result.messages)
