"""The C language where all is known: nothing is left of these programs but their asserts, which
hold. Each is compiled without and with optimisation."""

from __future__ import annotations

import pytest
from c_verify import calculates, holds, violates

LEVELS = ("-O0", "-O1", "-O2")

TEXTS = {
    "widths": """
    #define WRAPS(type, least, most) { type v = most; v++; assert(v == (type)least); \\
      v--; assert(v == (type)most); v = (type)(v + 2); assert(v == (type)(least + 1)); }
    int main(void) {
      WRAPS(unsigned char, 0, 255) WRAPS(signed char, -128, 127)
      WRAPS(unsigned short, 0, 65535) WRAPS(short, -32768, 32767)
      WRAPS(unsigned, 0, 4294967295u) WRAPS(unsigned long, 0, 18446744073709551615ul)
      volatile int big = 2147483647;
      assert((int)((unsigned)big + 1u) == -2147483648);
      _Bool b = 7; assert(b == 1); b = 0; assert(!b);
      return 0;
    }""",
    "signs": """
    int main(void) {
      int a = -7, b = 2; unsigned u = -7;
      assert(a / b == -3 && a % b == -1 && a >> 1 == -4);
      assert(u / 2 == 2147483644u && u % 10 == 9 && u >> 1 == 2147483644u);
      assert(a < b && u > (unsigned)b && (long)a < 0 && (unsigned long)(unsigned)a == 4294967289ul);
      assert((signed char)200 == -56 && (unsigned char)-1 == 255 && (short)70000 == 4464);
      unsigned long w = -1; assert(w / 3 == 6148914691236517205ul && w % 10 == 5 && w > 1);
      long m = -9223372036854775807l - 1; assert(m / 2 == -4611686018427387904l && m < 0);
      assert(w / (1ul << 63) == 1 && w % (1ul << 63) == (1ul << 63) - 1);
      assert((1u << 31) >> 31 == 1 && (1 << 4 | 1 << 2) == 20 && (6 ^ 3) == 5 && ~0 == -1);
      return 0;
    }""",
    "control": """
    enum colour { RED, GREEN = 5, BLUE };
    static int kind(int n) {
      switch (n) { case 0: case 1: return 10; case 2: n += 5; break; case 3: n = 1;
        default: n *= 2; }
      return n;
    }
    int main(void) {
      assert(kind(0) == 10 && kind(1) == 10 && kind(2) == 7 && kind(3) == 2 && kind(9) == 18);
      enum colour c = BLUE; assert(c == 6 && sizeof c == 4 && RED == 0);
      int n = 0, sum = 0;
      again: if (n < 4) { n++; goto again; }
      assert(n == 4);
      do { sum += n; if (sum == 7) continue; } while (--n);
      assert(sum == 10 && n == 0);
      for (int i = 0; ; i++) { if (i > 6) break; if (i % 2) continue; sum += i; }
      assert(sum == 22);
      int hits = 0;
      assert((0 && ++hits) == 0 && (1 || ++hits) == 1 && hits == 0);
      assert((hits ? 1 : 2) == 2 && (hits++, hits) == 1);
      while (hits < 100) hits += hits; assert(hits == 128);
      for (int i = 0, j = 10; i < j; i++, j--) hits--; assert(hits == 123);
      return 0;
    }""",
    "structs": """
    struct point { int x, y; }; struct large { long v[6]; struct point p; };
    struct bits { unsigned a : 3, b : 7; signed c : 5; unsigned d : 17; };
    static struct point swapped(struct point p) { struct point q = { p.y, p.x }; return q; }
    static struct large filled(long v) { struct large l = { { v, v + 1 }, { 1, 2 } }; return l; }
    static long total(struct large l) {
      long sum = 0; for (int i = 0; i < 6; i++) sum += l.v[i]; l.v[0] = 99;
      return sum + l.p.x + l.p.y; }
    int main(void) {
      struct point p = { .y = 4, .x = 3 }, q = swapped(p), *r = &q;
      assert(q.x == 4 && q.y == 3 && r->x == 4 && p.x == 3);
      p = q; q.x = 9; assert(p.x == 4 && q.x == 9);
      struct large l = filled(10), m = l; assert(total(l) == 24 && l.v[0] == 10);
      m.p = q; assert(m.p.x == 9 && l.p.x == 1 && total(m) == 33);
      struct bits b = { 5, 100, -3, 70000 };
      assert(b.a == 5 && b.b == 100 && b.c == -3 && b.d == 70000);
      b.a += 4; b.c--; b.b = 129; assert(b.a == 1 && b.c == -4 && b.b == 1 && b.d == 70000);
      assert(sizeof(struct point) == 8 && sizeof(struct large) == 56 && sizeof b == 4);
      union { int i; unsigned u; } w; w.i = 5; assert(w.i == 5); w.u = 7; assert(w.u == 7);
      struct { char tag; union { long n; struct point p; }; } v;
      v.tag = 1; v.p = q; assert(v.p.x == 9); v.n = 8; assert(v.n == 8 && v.tag == 1);
      return 0;
    }""",
    "arrays": """
    static const int table[] = { 2, 3, 5, 7, 11 };
    static const char *const names[] = { "none", "one", "two" };
    int grid[3][4]; char text[] = "hello";
    int *inside = &grid[1][2]; int **twice = &inside;
    static int sum(const int *a, int n) { int s = 0; while (n--) s += *a++; return s; }
    int main(void) {
      assert(sum(table, 5) == 28 && sizeof table == 20 && sizeof table / sizeof *table == 5);
      for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) grid[i][j] = 10 * i + j;
      assert(grid[2][3] == 23 && *inside == 12 && **twice == 12 && sum(grid[1], 4) == 46);
      assert(&grid[2][0] - &grid[0][0] == 8 && inside < &grid[2][0]);
      assert(names[2][1] == 'w' && text[4] == 'o' && text[5] == 0 && sizeof text == 6);
      text[0] = 'j'; assert(text[0] == 'j' && strlen(text) == 5);
      int n = 4, v[n]; for (int i = 0; i < n; i++) v[i] = i * i; assert(sum(v, n) == 14);
      int a[2][2] = { { 1 }, { 2, 3 } }; int (*row)[2] = a;
      assert((*++row)[1] == 3 && a[0][1] == 0);
      char *c = "abc"; assert(*(c + 1) == 'b' && c[3] == 0 && 2[c] == 'c');
      return 0;
    }""",
    "functions": """
    typedef int (*operation)(int, int);
    static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; }
    static operation both[] = { add, sub };
    static int apply(operation f, int a, int b) { return f(a, b); }
    static long factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
    static int even(int n); static int odd(int n) { return n ? even(n - 1) : 0; }
    static int even(int n) { return n ? odd(n - 1) : 1; }
    static int next(void) { static int count = 40; return ++count; }
    static void set(int *p, int v) { *p = v; }
    int main(void) {
      assert(apply(both[0], 5, 3) == 8 && apply(both[1], 5, 3) == 2 && both[0] != both[1]);
      assert(factorial(12) == 479001600 && even(30) && !odd(30));
      next(); assert(next() == 42);
      int v; set(&v, 6); assert(v == 6);
      operation f = &sub; assert((*f)(1, 2) == -1);
      printf("%d %s\\n", v, "text"); fprintf(stderr, "%ld", 3l); puts("x"); putchar('c');
      return 0;
    }""",
    "pointers": """
    struct node { int v; struct node *next; };
    struct node c = { 3, 0 }, b = { 2, &c }, a = { 1, &b }; struct node *head = &a;
    struct tree { int v; struct tree *l, *r; };
    static struct tree *insert(struct tree *t, int v) {
      if (!t) { t = calloc(1, sizeof *t); t->v = v; }
      else if (v < t->v) t->l = insert(t->l, v); else t->r = insert(t->r, v);
      return t; }
    static int sum(struct tree *t) { return t ? t->v + sum(t->l) + sum(t->r) : 0; }
    static void drop(struct tree *t) { if (t) { drop(t->l); drop(t->r); free(t); } }
    int main(void) {
      int s = 0; for (struct node *n = head; n; n = n->next) s = 10 * s + n->v; assert(s == 123);
      struct node *list = 0;
      for (int i = 0; i < 5; i++) { struct node *n = malloc(sizeof *n); n->v = i; n->next = list;
        list = n; }
      for (s = 0; list; ) { struct node *n = list; list = n->next; s = 10 * s + n->v; free(n); }
      assert(s == 43210);
      struct tree *t = 0; int all[] = { 5, 2, 8, 1, 9 };
      for (int i = 0; i < 5; i++) t = insert(t, all[i]);
      assert(sum(t) == 25 && t->l->l->v == 1 && t->r->r->v == 9); drop(t);
      int x = 1, *p = &x, **q = &p; **q = 4; assert(x == 4 && (char *)(p + 1) - (char *)p == 4);
      void *any = p; assert(*(int *)any == 4 && (unsigned long)any % 4 == 0 && any != 0);
      unsigned char *bytes = (unsigned char *)&x; x = 0x01020304;
      assert(bytes[0] == 4 && bytes[3] == 1); bytes[1] = 0xff; assert(x == 0x0102ff04);
      return 0;
    }""",
    "memory": """
    struct pair { int a; long b; };
    int main(void) {
      struct pair x = { 1, 2 }, y; memcpy(&y, &x, sizeof x); assert(y.a == 1 && y.b == 2);
      memset(&y, 0, sizeof y); assert(y.a == 0 && y.b == 0); memset(&x, -1, sizeof x);
      assert(x.a == -1 && x.b == -1);
      int v[] = { 1, 2, 3, 4, 5 }; memmove(v + 1, v, 4 * sizeof *v);
      assert(v[0] == 1 && v[1] == 1 && v[4] == 4);
      int *h = malloc(2 * sizeof *h); h[0] = 7; h[1] = 8; h = realloc(h, 4 * sizeof *h); h[3] = 9;
      assert(h[0] == 7 && h[1] == 8 && h[3] == 9); free(h); free(0);
      int *z = calloc(3, sizeof *z); assert(z[0] == 0 && z[2] == 0); free(z);
      char *p = aligned_alloc(64, 128); assert((unsigned long)p % 64 == 0); free(p);
      void *q; assert(posix_memalign(&q, 256, 8) == 0 && (unsigned long)q % 256 == 0); free(q);
      int *s = __builtin_alloca(8); s[1] = 3; assert(s[1] == 3);
      return 0;
    }""",
    "texts": """
    int main(void) {
      char b[16]; strcpy(b, "abc"); assert(strcmp(b, "abc") == 0 && strlen(b) == 3);
      strcat(b, "def"); assert(strcmp(b, "abcdef") == 0 && strcmp(b, "abd") < 0);
      assert(strncmp(b, "abX", 2) == 0 && strncmp(b, "abX", 3) > 0 && strcmp("b", "abc") > 0);
      strncpy(b, "xy", 4); assert(b[0] == 'x' && b[2] == 0 && b[3] == 0 && b[4] == 'e');
      assert(strchr("hello", 'l') == strstr("hello", "l") || 1);
      char *h = "hello"; assert(strchr(h, 'l') == h + 2 && strrchr(h, 'l') == h + 3);
      assert(strchr(h, 'z') == 0 && strchr(h, 0) == h + 5 && memchr(h, 'o', 5) == h + 4);
      assert(memchr(h, 'o', 4) == 0 && memcmp("ab", "ac", 2) < 0 && memcmp("ab", "ac", 1) == 0);
      char *d = strdup(h); assert(d != h && strcmp(d, h) == 0); d[0] = 'j';
      assert(strcmp(d, "jello") == 0); free(d);
      return 0;
    }""",
}
DECLARED = "#include <stdio.h>\n"


@pytest.mark.large
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", TEXTS)
def test_language(name: str, level: str) -> None:
    calculates(DECLARED + TEXTS[name], (level,))


@pytest.mark.parametrize("level", LEVELS)
def test_that_a_wrong_assert_is_found(level: str) -> None:
    """All of the above would pass if asserts were dropped, as zig does where it optimises."""
    text = "int main(void) { int a = 1;\n  assert(a == 2); return 0; }"
    violates(text, "assertion at 2: a == 2", flags=(level,))


def test_asserts_are_dropped_by_request() -> None:
    calculates("int main(void) { int a = 1; assert(a == 2); return 0; }", ("-DNDEBUG",))


def test_a_round_that_does_not_come_to_the_exit() -> None:
    calculates(
        """int main(void) { int sum = 0;
        for (int i = 0; ; i++) { if (i % 2) continue; if (i > 6) break; sum += i; }
        assert(sum == 12); return 0; }"""
    )


ARGUMENTS = """#include <stdarg.h>
#include <stdio.h>
atomic_int seen;
long vsum(int n, va_list l) { long s = 0; while (n--) s += va_arg(l, int); return s; }
long sum(int n, ...) { va_list l, m; va_start(l, n); va_copy(m, l); long s = vsum(n, l);
  s += va_arg(m, int); va_end(l); va_end(m); return s; }
void log_it(const char *form, ...) {
  va_list l; va_start(l, form); vfprintf(stderr, form, l); va_end(l); }
const char *pick(int n, ...) { va_list l; va_start(l, n); const char *p = 0;
  while (n--) p = va_arg(l, const char *);
  assert(va_arg(l, long) == 1l << 40); assert(va_arg(l, int) == 'x'); return p; }
void *f(void *_) { seen = 5; log_it("%d %s %f", 3, "x", 2.5); return 0; }
int main(void) { assert(sum(3, 1, 2, 3) == 7); assert(sum(1, 4) == 8);
  assert(pick(2, "a", "b", 1l << 40, 'x')[0] == 'b');
  pthread_t t; pthread_create(&t, 0, f, 0); int k = seen; assert(sum(2, k, k) == 3 * k); }"""


@pytest.mark.parametrize("level", ["-O0", "-O1"])
def test_any_number_of_arguments(level: str) -> None:
    holds(ARGUMENTS, 2, flags=(level,))


def test_more_arguments_than_there_are() -> None:
    text = """#include <stdarg.h>
int g(int n, ...) { va_list l; va_start(l, n); return va_arg(l, int); }
int main(void) { return g(1); }"""
    violates(text, "out of bounds at 2: access to 4 bytes at offset 0 of arguments of g")


def test_the_arguments_of_main() -> None:
    calculates("""int main(int argc, char **argv, char **envp) {
  assert(argc == 1 && argv[1] == 0 && envp[0] == 0); assert(strcmp(argv[0], "p") == 0); }""")
    calculates("int main(int argc) { assert(argc == 1); }")


def test_halves_of_128_bits() -> None:
    calculates("""__int128 a = (((__int128)5) << 64) | 7;
int main(void) { assert(((long *)&a)[0] == 7 && ((long *)&a)[1] == 5); }""")
