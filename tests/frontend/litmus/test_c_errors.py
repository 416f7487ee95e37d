"""C that is refused: the exact messages, each with its place; and that damaged text is never met by
a traceback."""

from __future__ import annotations

import random

import pytest
from c_helpers import litmus
from golden_files import check_golden

from hybrid.errors import InputError, Unsupported
from hybrid.frontend.load import parse_litmus
from hybrid.program.check import check_program
from hybrid.source import Source

# name: body of P0
WRONG: dict[str, str] = {
    # Names
    "undeclared variable": "int r1 = 1; int s = r2;",
    "undeclared location": "int r = *w;",
    "used before it is declared": "r = 1; int r;",
    "out of its block": "{ int r = 1; } int s = r;",
    "declared twice": "int r = 1; int r = 2;",
    "order as a value": "int r = memory_order_relaxed;",
    "void variable": "void r;",
    # Types and values
    "no pointer": "int r = 1; *r = 2;",
    "no pointer to load from": "int r = 1; int s = atomic_load(r);",
    "pointer to void": "int r = *(void *)x;",
    "no array": "int r = 1; int s = r[0];",
    "sum of pointers": "int r = x + y;",
    "product of a pointer": "int r = x * 2;",
    "negated pointer": "int r = -x;",
    "number too large": "long r = 0x10000000000000000;",
    "decimal number too large": "long r = 9223372036854775808;",
    "no number": "int r = 12ab;",
    "bad octal": "int r = 09;",
    "division by zero": "int r = 1 / 0;",
    "no value": "int r = atomic_store(x, 1);",
    "no value to compute with": "int r = 1 + atomic_thread_fence(memory_order_seq_cst);",
    "assigned constant": "1 = 2;",
    "assigned sum": "int r; r + 1 = 2;",
    "assigned NULL": "NULL = 1;",
    "two types": "int long short r;",
    "two types again": "_Atomic(int) int r;",
    "no type": "const r = 1;",
    "expects another type": "long e = 0; atomic_compare_exchange_strong(x, &e, 1);",
    # Functions and orders
    "missing order": "int r = atomic_load_explicit(x);",
    "missing second order": (
        "int e; atomic_compare_exchange_strong_explicit(x, &e, 1, memory_order_relaxed);"
    ),
    "superfluous order": "atomic_store(x, 1, memory_order_relaxed);",
    "too few arguments": "atomic_store(x);",
    "too many arguments": "atomic_thread_fence(memory_order_relaxed, 1);",
    "no arguments": "int r = atomic_load();",
    "release load": "int r = atomic_load_explicit(x, memory_order_release);",
    "acquire store": "atomic_store_explicit(x, 1, memory_order_acquire);",
    "acquire-release store": "atomic_store_explicit(x, 1, memory_order_acq_rel);",
    "release failure": (
        "int e; atomic_compare_exchange_strong_explicit(x, &e, 1, memory_order_release, "
        "memory_order_release);"
    ),
    "misspelt order": "int r = atomic_load_explicit(x, memory_order_aquire);",
    "order in quotes of numbers": "int r = atomic_load_explicit(x, 5);",
    "sum of a truth": "atomic_fetch_add((atomic_bool *)x, 1);",
    # Statements
    "missing semicolon": "int r = 1 int s = 2;",
    "missing semicolon at the end": "int r = 1",
    "unclosed parenthesis": "int r = (1 + 2;",
    "missing operand": "int r = 1 + ;",
    "missing condition": "if () *x = 1;",
    "else without if": "else *x = 1;",
    "break outside": "break;",
    "continue outside": "if (1) continue;",
    "strange character": "int r = 1 @ 2;",
    "unclosed comment": "int r = 1; /* }",
    "empty declaration": "int;",
    "declaration as a value": "int r = int;",
    "statement alone under a label": "L: *x = 1;",
}
UNSUPPORTED: dict[str, str] = {
    "unknown function": "int r = atomic_laod(x);",
    "strange function": "int r = frobnicate(x);",
    "READ_ONCE": "int r = READ_ONCE(*x);",
    "smp_mb": "smp_mb();",
    "spin_lock": "spin_lock(x);",
    "unknown type": "foo r = 1;",
    "misspelt type": "itn r = 1;",
    "type of floating point": "double r = 1;",
    "struct": "struct s r;",
    "goto": "goto L;",
    "switch": "switch (*x) { }",
    "hides a variable": "int r = 1; { int r = 2; }",
    "hides a parameter": "int x = 1;",
    "two types in two blocks": "{ int r = 1; } { long r = 2; }",
    "assigned parameter": "x = y;",
    "address of a variable": "int r; int *p = &r;",
    "compound assignment of an atomic": "*x += 1;",
    "step of an atomic": "(*x)++;",
    "unsigned division of 64 bits": "unsigned long a = 1; long r = a / 2u;",
    "mixed sizes": "*x = 1; long r = *(long *)x;",
}
# name: the whole test
WHOLE: dict[str, tuple[type[InputError], str]] = {
    "parameter that is not a pointer": (InputError, litmus("", parameters="int x")),
    "parameter without a name": (InputError, litmus("", parameters="int *, int *y")),
    "parameter twice": (InputError, litmus("", parameters="int *x, int *x")),
    "unknown type of a parameter": (Unsupported, litmus("", parameters="foo *x")),
    "parameter without a type": (Unsupported, litmus("", parameters="x")),
    "unknown variable in the condition": (InputError,
        litmus("int r1 = 1;", final="exists (0:r2=1)")),
    "unknown thread in the condition": (InputError, litmus("int r1 = 1;", final="exists (1:r1=1)")),
    "initial value of no variable": (InputError, litmus("int r1 = 1;", initial="0:r2=1")),
    "two initial values": (InputError, litmus("int r;", initial="0:r=1; 0:r=2")),
    "array of another type": (
        Unsupported,
        litmus("a[1] = 2;", initial="int a[2]", parameters="long *a"),
    ),
    "two widths of a location": (
        Unsupported,
        "C t\n{}\nP0 (int *x) { *x = 1; }\nP1 (long *x) { *x = 1; }\n",
    ),
    "nested too deeply": (InputError, litmus(f"int r = {'-(' * 150}1{')' * 150};")),
    "blocks nested too deeply": (InputError, litmus("{" * 150 + "}" * 150)),
}  # fmt: skip


def message(text: str, kind: type[InputError]) -> str:
    with pytest.raises(InputError) as caught:
        parse_litmus(Source("bad.litmus", text))
    assert type(caught.value) is kind, caught.value
    assert caught.value.span is not None
    return caught.value.render()


def test_catalogue() -> None:
    cases = [(name, InputError, litmus(body)) for name, body in WRONG.items()]
    cases += [(name, Unsupported, litmus(body)) for name, body in UNSUPPORTED.items()]
    cases += [(name, *case) for name, case in WHOLE.items()]
    parts = [f"--- {name}\n{message(text, kind)}\n" for name, kind, text in cases]
    check_golden("litmus/c_errors.txt", "\n".join(parts))


SAMPLES = (
    litmus(
        ("int r = atomic_load_explicit(x, memory_order_acquire); if (r == 1 && *y) { *y = "
            "r + 1; } else z[0] = -2;"),
        ("int e = 0; while (!atomic_compare_exchange_weak_explicit(x, &e, 1, "
            "memory_order_acq_rel, memory_order_relaxed)) { e = 0; } (*y)++;"),
        initial="int x = 1; [y] = 0; 0:r=2",
        final="locations [y;] exists (0:r=1 /\\ ~(x=2 \\/ 1:e=0))",
    ),
    litmus(
        "for (int i = 0; i < 2; ++i) { long r = *(long *)y ? (unsigned)1 : 2ul; } return;",
        ("atomic_thread_fence(memory_order_seq_cst); int s = atomic_fetch_add(x, 3) << 2; "
            "do s--; while (s); /* c */"),
    ),
)  # fmt: skip
PIECES = (
    *"(){}[];,*&+-!~<>=?:|^%/ \n01x\"'\\@#$",
    *("int", "long", "unsigned", "_Atomic(", "atomic_int", "void", "if (", "else", "while", "for",
        "do", "return"),
    *("break", "x", "y", "r", "*x", "&r", "atomic_load(", "memory_order_relaxed", "&&", "||", "==",
        "+=", "++", "//"),
    *("/*", "*/", "0:", "P0", "exists", "99999999999999999999", "struct", "é"),
)  # fmt: skip


def damaged(rng: random.Random) -> str:
    text = rng.choice(SAMPLES)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text))
        end = min(len(text), at + rng.choice((0, 1, 1, 2, 8, 30)))
        text = text[:at] + rng.choice(("", rng.choice(PIECES), text[end : end + 12])) + text[end:]
    return text


@pytest.mark.large
@pytest.mark.parametrize("seed", range(4))
def test_damaged_tests_are_refused_or_programs(seed: int) -> None:
    rng = random.Random(seed)
    refused = 0
    for _ in range(250):
        text = damaged(rng)
        try:
            program = parse_litmus(Source("damaged.litmus", text))
        except InputError as error:
            assert error.render()
            refused += 1
        else:
            check_program(program)
    assert 100 < refused < 250  # some survive
