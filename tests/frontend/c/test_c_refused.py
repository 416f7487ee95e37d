"""What is not taken is refused by its name, at its line: nothing is skipped silently."""

from __future__ import annotations

import pytest
from c_verify import compiled, refused

from hybrid.errors import InputError

# Statements, and what is said of them.
STATEMENTS = {
    "unknown": ("mystery(1);", "the function mystery, which this program does not define"),
    "unknown variable": ("n = elsewhere;", "the variable elsewhere, which this program does not"),
    "unknown element": ("n = others[1];", "the variable others, which this program does not"),
    "unknown of a thread": ("own = 1;", "the variable own, which this program does not"),
    "floating point": ("double d = 1.5; d = d * d;", "floating point: the constant"),
    "floating point from a number": (
        "float f = n; n = f;",
        "floating point: the instruction sitofp",
    ),
    "sqrt": ("sqrt(2.0);", "floating point"),
    "setjmp": ("jmp_buf b; setjmp(b);", "jumps out of functions"),
    "longjmp": ("jmp_buf b; longjmp(b, 1);", "longjmp: jumps out of functions"),
    "signal": ("signal(2, 0);", "the function signal: signals"),
    "fork": ("fork();", "the function fork: processes"),
    "fopen": ('fopen("x", "r");', "the function fopen: files"),
    "scanf": ('scanf("%d", &n);', "scanf: input"),
    "sprintf": ('char b[9]; sprintf(b, "%d", n);', "sprintf: texts that are printed into memory"),
    "rand": (
        "n = rand();",
        "the function rand: random numbers (__VERIFIER_nondet_range(LOW, HIGH)",
    ),
    "time": ("time_t t = 0; localtime(&t);", "the function localtime: the time"),
    "atexit": ("atexit(0);", "atexit: functions that are called at the end"),
    "cancel": ("pthread_cancel(pthread_self());", "pthread_cancel: cancelling threads"),
    "atomic section": (
        "__VERIFIER_atomic_begin();",
        "the function __VERIFIER_atomic_begin: atomic sections",
    ),
    "the value of printf": ('n = printf("%d", n);', "what printf returns"),
    "%n": ('int k; printf("%n", &k);', "%n in the format of printf"),
    "128 bits": ("__int128 v = n; v *= v; n = v;", "128 bits"),
    "a vector": (
        "typedef int four __attribute__((vector_size(16))); four v = { 1, n }; n = v[1];",
        "the instruction insertelement",
    ),
    "arguments": ("sum(2, 1.5);", "floating point: a value of type double"),
    "a struct of many": (
        "struct { long a, b, c; } s = { 1 }; sum(1, s);",
        "a struct among a variable number of arguments",
    ),
    "frame": ("n = (long)__builtin_frame_address(0);", "LLVM's function llvm.frameaddress"),
    "order": ("static int m; __builtin_memcpy(&m, &n, 1ul << 30);", "a copy of 1073741824 bytes"),
    "a huge object": ("malloc(1l << 40);", "an allocation of 1099511627776 bytes"),
}
AROUND = """#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
extern int elsewhere, others[2]; extern _Thread_local int own;
void mystery(int); double sqrt(double); void (*signal(int, void (*)(int)))(int);
void __VERIFIER_atomic_begin(void); int n = 3;
double sum(int k, ...) { va_list l; va_start(l, k);
  return va_arg(l, double); }
int main(void) {
  %s
  return 0; }"""


@pytest.mark.parametrize("name", STATEMENTS)
def test_refused(name: str) -> None:
    statement, message = STATEMENTS[name]
    line = 10 if name == "arguments" else 12
    refused(AROUND % statement, f"{line}: {message}")


# ---- what depends on memory

# The value v is not known.
MEMORY = """extern int others[2];
atomic_int v; char text[8], *_Atomic where = text; pthread_key_t key; pthread_mutex_t m;
void *f(void *_) { v = 3; text[0] = 'a'; where = text + 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int n = v; char own[8] = "";
  %s
  return 0; }"""
DYNAMIC = {
    "memset": ("memset(own, 1, n);", "memset of a size that depends on what memory holds"),
    "strlen": ("n = strlen(text);", "strlen of a text that is not known"),
    "strcmp": ('n = strcmp(text, "a");', "strcmp of a text that is not known"),
    "strcpy": ("strcpy(own, where);", "strcpy of a text that is not known"),
    "memcmp": ("n = memcmp(text, own, n);", "the size of a comparison that depends on what memory"),
    "long memcmp": (
        "static char far[600], near[600]; n = memcmp(far + v, near, 600);",
        "memcmp of 600 bytes that are not known",
    ),
    "strchr": ('n = strchr("abc", n) != 0;', "a character that is looked for"),
    "an element of an unknown variable": (
        "n = others[n];",
        "the variable others, which this program does not define",
    ),
    "alloca": ("char a[n + 1]; a[0] = 1;", "a variable whose size depends on what memory holds"),
    "thread": (
        "void *(*g)(void *) = n ? f : 0; pthread_create(&t, 0, g, 0);",
        "a thread whose function depends on what memory holds",
    ),
    "loop": (
        "while (v < 2) pthread_create(&t, 0, f, 0);",
        "a thread that is started in a loop whose end depends on memory that threads share",
    ),
    "realloc": ("realloc(where, 4);", "realloc of a pointer that depends on what memory holds"),
    "product": (
        "long r; n = __builtin_mul_overflow((long)n, 3l, &r);",
        "llvm.smul.with.overflow.i64 of values that memory holds",
    ),
}


@pytest.mark.parametrize("name", DYNAMIC)
def test_what_is_not_known(name: str) -> None:
    statement, message = DYNAMIC[name]
    refused(MEMORY % statement, f"5: {message}")


def test_mixed_sizes() -> None:
    text = """union { int i; char c[4]; } u; atomic_int go;
void *f(void *_) { u.i = 5; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);
  return u.c[0]; }"""
    with pytest.raises(
        InputError, match=r"mixed sizes: u\.i is accessed with 4 bytes here and with 1 byte at"
    ):
        compiled(text)


def test_punning_is_fine_before_threads_run() -> None:
    text = """union { int i; char c[4]; } u;
void *f(void *_) { return 0; }
int main(void) { u.i = 258; assert(u.c[0] == 2 && u.c[1] == 1); return 0; }"""
    compiled(text)


def test_without_main() -> None:
    with pytest.raises(InputError, match="there is no function main"):
        compiled("int f(void) { return 0; }")


def test_a_thread_without_a_function() -> None:
    text = """void *f(void *);
int main(void) { pthread_t t;
  pthread_create(&t, 0, f, 0); return 0; }"""
    with pytest.raises(InputError, match="a thread whose function is not defined"):
        compiled(text)
