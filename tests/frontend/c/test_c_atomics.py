"""Atomic accesses: stdatomic.h, the builtins in all sizes and orders, the functions that clang
calls for them, fences, inline assembly."""

from __future__ import annotations

import pytest
from c_verify import ENGINES, compiled, holds, refused, told, verify
from support import model

from hybrid.engine.configuration import Configuration
from hybrid.model import orders
from hybrid.program import instructions as ins
from hybrid.report.explored import explore
from hybrid.verdict import Verdict

SIZES = ("signed char", "unsigned char", "short", "unsigned", "long", "unsigned long")
OPERATIONS = """
#define T %s
T v; T got[2];
void *f(void *i) { got[(long)i] = __atomic_fetch_add(&v, 3, __ATOMIC_RELAXED); return 0; }
int main(void) {
  v = (T)-2; pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, f, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(__atomic_load_n(&v, __ATOMIC_SEQ_CST) == 4);
  T a = got[0], b = got[1]; assert((a == (T)-2 && b == 1) || (b == (T)-2 && a == 1));
  assert(__atomic_sub_fetch(&v, 6, __ATOMIC_ACQ_REL) == (T)-2);
  assert(__atomic_fetch_and(&v, 7, __ATOMIC_ACQUIRE) == (T)-2);
  assert(__atomic_or_fetch(&v, 9, __ATOMIC_RELEASE) == 15);
  assert(__atomic_xor_fetch(&v, 5, __ATOMIC_CONSUME) == 10);
  assert(__atomic_exchange_n(&v, 20, __ATOMIC_SEQ_CST) == 10);
  assert(__sync_fetch_and_add(&v, 1) == 20 && __sync_sub_and_fetch(&v, 2) == 19);
  assert(__sync_val_compare_and_swap(&v, 19, 4) == 19 && __sync_lock_test_and_set(&v, 1) == 4);
  __sync_lock_release(&v); __sync_synchronize(); assert(v == 0);
  assert(__sync_bool_compare_and_swap(&v, 0, 5) && !__sync_bool_compare_and_swap(&v, 0, 6));
  T e = 4; assert(!__atomic_compare_exchange_n(&v, &e, 9, 0, __ATOMIC_SEQ_CST, 0) && e == 5);
  assert(__atomic_compare_exchange_n(&v, &e, 9, 0, __ATOMIC_RELEASE, 0) && v == 9 && e == 5);
  return 0; }
"""


@pytest.mark.parametrize("kind", SIZES)
def test_operations(kind: str) -> None:
    holds(OPERATIONS % kind, 2)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", ["unsigned char", "int", "long"])
def test_nand(kind: str, engine: str) -> None:
    text = f"""typedef {kind} T; T v = 6;
void *f(void *_) {{ __atomic_fetch_nand(&v, 3, __ATOMIC_RELAXED); return 0; }}
int main(void) {{ pthread_t t; pthread_create(&t, 0, f, 0); T b = __sync_nand_and_fetch(&v, 2);
  pthread_join(t, 0); assert(b == (T)~2 || b == (T)~0); assert(v == (T)~0 || v == (T)~1); }}"""
    holds(text, 2, engine)


def test_stdatomic() -> None:
    text = """
atomic_uint u; atomic_flag flag = ATOMIC_FLAG_INIT; _Atomic(char *) p; char text[4];
struct two { _Atomic short a; atomic_llong b; } s; atomic_bool b;
void *f(void *_) { atomic_fetch_sub(&u, 1); return 0; }
int main(void) { atomic_init(&u, 0); pthread_t t; pthread_create(&t, 0, f, 0);
  atomic_fetch_or_explicit(&u, 0, memory_order_relaxed); pthread_join(t, 0);
  assert(u == 4294967295u); u++; assert(u == 0); u += 5; u *= 3; assert(u == 15);
  assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag); assert(!atomic_flag_test_and_set(&flag));
  atomic_store(&p, text); atomic_fetch_add(&p, 2); assert(p == text + 2);
  s.a = -1; s.b = 1ll << 40; assert(--s.a == -2 && s.b >> 40 == 1); b = 5; assert(b == 1);
  assert(atomic_exchange(&b, 0) == 1 && atomic_is_lock_free(&s.b)); atomic_thread_fence(
  memory_order_seq_cst); atomic_signal_fence(memory_order_seq_cst); return 0; }"""
    holds(text)


LIBRARY = """
%s
int x = 1; long y; short z;
void *f(void *_) { return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);
  assert(__atomic_load_4(&x, 5) == 1); __atomic_store_8(&y, 7, 3);
  assert(__atomic_exchange_2(&z, 9, 4) == 0 && __atomic_fetch_add_4(&x, 4, 0) == 1);
  assert(__atomic_fetch_xor_4(&x, 1, 2) == 5 && __atomic_fetch_and_8(&y, 3, 5) == 7);
  int e = 3; assert(!__atomic_compare_exchange_4(&x, &e, 8, 5, 2) && e == 4);
  assert(__atomic_compare_exchange_4(&x, &e, 8, 4, 0) && x == 8);
  int v; __atomic_load(4, &x, &v, 2); assert(v == 8); v = 11; __atomic_store(4, &x, &v, 5);
  int o; v = 12; __atomic_exchange(4, &x, &v, &o, 5); assert(o == 11 && x == 12); e = 12; v = 13;
  assert(__atomic_compare_exchange(4, &x, &e, &v, 5, 5) && x == 13);
  assert(!__atomic_compare_exchange(4, &x, &e, &v, 5, 5) && e == 13); return 0; }
"""


def test_functions_of_the_library() -> None:
    """By their names in assembly, since the names themselves are builtins."""
    plain = LIBRARY % ""
    declared = {
        "load_4": "int %s(void *, int)",
        "store_8": "void %s(void *, long, int)",
        "exchange_2": "short %s(void *, short, int)",
        "fetch_add_4": "int %s(void *, int, int)",
        "fetch_xor_4": "int %s(void *, int, int)",
        "fetch_and_8": "long %s(void *, long, int)",
        "compare_exchange_4": "_Bool %s(void *, void *, int, int, int)",
        "load": "void %s(long, void *, void *, int)",
        "store": "void %s(long, void *, void *, int)",
        "exchange": "void %s(long, void *, void *, void *, int)",
        "compare_exchange": "_Bool %s(long, void *, void *, void *, int, int)",
    }
    head = "\n".join(
        f'{form % f"own_{name}"} __asm__("__atomic_{name}");' for name, form in declared.items()
    )
    holds(head + plain.replace("__atomic_", "own_"), 1)


# ---- orders: message passing, with what each order allows

MESSAGE = """
int data; atomic_int flag;
void *f(void *_) { data = 1; %s return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); %s return 0; }
"""
STORES = {
    "relaxed": ("atomic_store_explicit(&flag, 1, memory_order_relaxed);", False),
    "release": ("atomic_store_explicit(&flag, 1, memory_order_release);", True),
    "seq_cst": ("flag = 1;", True),
    "exchange": ("atomic_exchange_explicit(&flag, 1, memory_order_acq_rel);", True),
    "fence": (
        "atomic_thread_fence(memory_order_release); "
        "atomic_store_explicit(&flag, 1, memory_order_relaxed);",
        True,
    ),
    "compiler fence": (
        "atomic_signal_fence(memory_order_release); "
        "atomic_store_explicit(&flag, 1, memory_order_relaxed);",
        False,
    ),
    "full fence": (
        "__sync_synchronize(); atomic_store_explicit(&flag, 1, memory_order_relaxed);",
        True,
    ),
}
LOADS = {
    "relaxed": ("if (atomic_load_explicit(&flag, memory_order_relaxed)) assert(data);", False),
    "acquire": ("if (atomic_load_explicit(&flag, memory_order_acquire)) assert(data);", True),
    "fence": (
        "if (atomic_load_explicit(&flag, memory_order_relaxed)) { "
        "atomic_thread_fence(memory_order_acquire); assert(data); }",
        True,
    ),
    "failed exchange": (
        "int e = 0; if (!atomic_compare_exchange_strong_explicit(&flag, &e, 0, "
        "memory_order_relaxed, memory_order_acquire)) assert(data);",
        True,
    ),
    "failed exchange, relaxed": (
        "int e = 0; if (!atomic_compare_exchange_strong_explicit(&flag, &e, 0, "
        "memory_order_acquire, memory_order_relaxed)) assert(data);",
        False,
    ),
}


@pytest.mark.parametrize("load", LOADS)
@pytest.mark.parametrize("store", STORES)
def test_orders(store: str, load: str) -> None:
    (first, released), (second, acquired) = STORES[store], LOADS[load]
    found = verify(MESSAGE % (first, second))
    right = released and acquired
    assert (found.answer is Verdict.HOLDS) == right, told(found)
    assert right or any(each.startswith("race at") for each in told(found))


@pytest.mark.parametrize("engine", ENGINES)
def test_store_buffering(engine: str) -> None:
    text = """atomic_int x, y; int a, b;
void *f(void *_) { atomic_store_explicit(&x, 1, %s); a = atomic_load_explicit(&y, %s); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); atomic_store_explicit(&y, 1, %s);
  b = atomic_load_explicit(&x, %s); pthread_join(t, 0); assert(a + b > 0); return 0; }"""
    strong, weak = "memory_order_seq_cst", "memory_order_relaxed"
    holds(text % ((strong,) * 4), 3, engine=engine)
    found = verify(text % (strong, weak, strong, strong), engine)
    assert found.answer is Verdict.VIOLATED and found.traces == 4


# ---- compare-exchange


@pytest.mark.parametrize("engine", ENGINES)
def test_a_weak_one_may_fail(engine: str) -> None:
    text = """atomic_int x; void *f(void *_) { return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int e = 0;
  _Bool done = atomic_compare_exchange_%s(&x, &e, 1); assert(e == 0); assert(x == done);
  return 0; }"""
    holds(text % "weak", 2, engine=engine)
    holds(text % "strong", 1, engine=engine)


def test_a_weak_one_in_a_loop() -> None:
    """Failing without a reason would only lead to another round."""
    text = """atomic_int x; void *f(void *_) { int e = x;
  while (!atomic_compare_exchange_weak(&x, &e, e + 1)) ; return 0; }
int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0); assert(x == 2); return 0; }"""
    assert holds(text).traces == 4


def test_a_weak_one_in_a_loop_that_does_not_try_again() -> None:
    text = """atomic_int x; void *f(void *_) { return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int done = 0;
  for (int i = 0; i < 2; i++) { int e = i; done += atomic_compare_exchange_weak(&x, &e, i + 1); }
  assert(done == 2); return 0; }"""
    assert verify(text).answer is Verdict.VIOLATED


# ---- fences that are not C's


def fences(text: str) -> list[str]:
    program = compiled(
        f"atomic_int x; void *f(void *_) {{ x = 1; {text} x = 2; return 0; }}\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }"
    )
    code = [each for thread in program.threads for each in thread.code]
    return [" ".join(sorted(each.tags)) for each in code if isinstance(each, ins.Fence)]


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ('__asm__ volatile("mfence" ::: "memory");', ["MFENCE"]),
        ('__asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");', ["MFENCE"]),
        ('__asm__ volatile("lock orl $0, (%%rsp)" ::: "memory");', ["MFENCE"]),
        ('__asm__ volatile("lfence\\n\\tsfence" ::: "memory");', ["LFENCE", "SFENCE"]),
        ("__builtin_ia32_mfence();", ["MFENCE"]),
        ('__asm__ volatile("sync" ::: "memory");', ["SYNC"]),
        ('__asm__ volatile("lwsync" ::: "memory");', ["LWSYNC"]),
        ('__asm__ volatile("isync" ::: "memory"); __asm__ volatile("eieio");', ["ISYNC", "EIEIO"]),
        ('__asm__ volatile("dmb ish" ::: "memory");', ["DMB.SY"]),
        ('__asm__ volatile("dmb ishst");  __asm__ volatile("dmb ishld");', ["DMB.ST", "DMB.LD"]),
        ('__asm__ volatile("dsb sy; isb");', ["DSB.SY", "ISB"]),
        ('__asm__ volatile("fence rw, w" ::: "memory");', ["Fence.rw.w"]),
        ('__asm__ volatile("" ::: "memory");', []),
        ('__asm__ volatile("rep; nop"); __asm__ volatile("pause");', []),
        ("__builtin_ia32_pause();", []),
        ("atomic_thread_fence(memory_order_acq_rel);", ["ACQ_REL"]),
        ("__atomic_signal_fence(__ATOMIC_SEQ_CST);", []),
    ],
)
def test_fences(text: str, tags: list[str]) -> None:
    assert fences(text) == tags


@pytest.mark.parametrize(
    ("under", "fence", "verdict"),
    [
        ("power", "sync", Verdict.HOLDS),
        ("power", "lwsync", Verdict.VIOLATED),
        ("power", "eieio", Verdict.VIOLATED),
        ("armv7", "dmb ish", Verdict.HOLDS),
        ("armv7", "dmb ishst", Verdict.VIOLATED),
        ("aarch64", "dmb ish", Verdict.HOLDS),
        ("aarch64", "dmb ishld", Verdict.VIOLATED),
        ("tso", "mfence", Verdict.HOLDS),
        ("tso", "", Verdict.VIOLATED),
        ("riscv", "fence rw,rw", Verdict.HOLDS),
        ("riscv", "fence r,rw", Verdict.VIOLATED),
    ],
)
def test_fences_of_machines(under: str, fence: str, verdict: Verdict) -> None:
    """Store buffering, with a fence between the accesses of each thread."""
    text = """int x, y, a, b;
#define FENCE __asm__ volatile("%s" ::: "memory")
void *f(void *_) { x = 1; FENCE; a = y; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); y = 1; FENCE; b = x;
  pthread_join(t, 0); assert(a + b > 0); return 0; }"""
    mapped, _ = orders.mapped(True, compiled(text % fence), model(under))
    assert explore(Configuration("rsmc"), mapped, model(under)).answer is verdict


def test_a_value_that_assembly_hides() -> None:
    text = """int main(void) { int x = 5, y, a = 1, b = 2; __asm__ volatile("" : "+r"(x));
  __asm__("" : "=r"(y) : "0"(x + 1)); __asm__("" : "+r"(a), "+r"(b));
  assert(x == 5 && y == 6 && a == 1 && b == 2); return 0; }"""
    holds(text, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('__asm__("addl $1, %0" : "+r"(n));', "the inline assembly `addl $$1, $0`"),
        ('__asm__("" : "=r"(n));', "inline assembly that sets a variable"),
        ('__asm__("" : "+m"(n));', "inline assembly with an operand in memory"),
        ("__int128 v; __atomic_store_n(&v, 1, 5);", "an integer of 128 bits"),
        ("__int128 v; __atomic_load_n(&v, 5);", "an atomic access of 16 bytes"),
        (
            "struct p { void *a; long b; }; static _Atomic struct p x; struct p o = { 0 }; "
            "atomic_compare_exchange_strong(&x, &o, o);",
            "an integer of 128 bits (or an atomic access of 16 bytes)",
        ),
        ("struct { int a[3]; } s, u; __atomic_load(&s, &u, 5);", "an atomic access of 12 bytes"),
    ],
)
def test_refused(text: str, message: str) -> None:
    refused(f"int n;\nint main(void) {{\n  {text} return 0; }}", f"3: {message}")
