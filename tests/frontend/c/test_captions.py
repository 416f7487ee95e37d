"""The pieces of source that events are shown as."""

from __future__ import annotations

import pytest
from c_verify import compiled

from hybrid.frontend.c.captions import _statement

# A line, where in it the compiler says that an event is, and how it is shown.
PIECES = [
    ("  x = 1;", "= 1", "x = 1"),
    ("void *f(void *a) { data = 1; flag = 1; return 0; }", "= 1", "data = 1"),
    ("  node *n = malloc(sizeof *n); n->v = 1; n->w = 2;", "= 2", "n->w = 2"),
    ("  if (q) *q = 3;", "= 3", "*q = 3"),
    ("  else if (f(a, b)) while (y) z += g(1, 2), y = 4;", "+=", "z += g(1, 2), y = 4"),
    ("  else if (f(a, b)) while (y) z += g(1, 2), y = 4;", "= 4", "y = 4"),
    ("  for (int i = 0; i < n; i++) a[i] = f(i);", "< n", "i < n"),
    ("  for (int i = 0; i < n; i++) a[i] = f(i);", "= f", "a[i] = f(i)"),
    ("  case 3: z = 3; break;", "= 3", "z = 3"),
    ("  while (!(after = me.next)) ;", "= me", "after = me.next"),
    ("  return a == b;", "==", "return a == b"),
    ("  q.head.load(x);", "load", "q.head.load(x)"),
    ("} while (x);", "while", "while (x)"),
    ("  store(p, load(&n->next, relaxed), release);", "load", "load(&n->next, relaxed)"),
    (
        "  store(p, load(&n->next, relaxed), release);",
        "store",
        "store(p, load(&n->next, relaxed), release)",
    ),
    ("  for (int i = 0, j = load(&n); i < j; i++)", "load", "load(&n)"),
    (f"  x = f({200 * 'y'});", "f(", f"f({157 * 'y'}…"),
]


@pytest.mark.parametrize(("line", "at", "shown"), PIECES)
def test_pieces(line: str, at: str, shown: str) -> None:
    begins, text = _statement(line, line.index(at))
    assert text == shown
    assert line.startswith(shown.removesuffix("…"), begins) and begins <= line.index(at)


def test_statements_on_one_line() -> None:
    program = compiled("""int a, b; void *f(void *p) { a = 1; b = 2; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return a + b; }""")
    origins = [program.origins[each.label] for each in program.threads[1].code]
    assert [(each.column, each.text) for each in origins] == [(30, "a = 1"), (37, "b = 2")]
    assert [each.span.column for each in program.threads[1].code] == [30, 37]
