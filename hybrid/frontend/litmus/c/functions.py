"""The atomic functions of <stdatomic.h> (C11, 7.17) that herd's C dialect has, and memory orders. A
new function is one entry."""

from __future__ import annotations

from dataclasses import dataclass

# Memory orders and the tags they give.
ORDERS: dict[str, str] = {
    "memory_order_relaxed": "RLX",
    "memory_order_consume": "CON",
    "memory_order_acquire": "ACQ",
    "memory_order_release": "REL",
    "memory_order_acq_rel": "ACQ_REL",
    "memory_order_seq_cst": "SC",
}
STRONGEST = "SC"  # of functions without orders

# For what an order is given: how messages call it, and the tags that make sense.
LOAD, STORE, RMW, FAILURE, FENCE = "load", "store", "read-modify-write", "failure", "fence"
SENSIBLE: dict[str, frozenset[str]] = {
    LOAD: frozenset({"RLX", "CON", "ACQ", "SC"}),
    STORE: frozenset({"RLX", "REL", "SC"}),
    RMW: frozenset(ORDERS.values()),
    FAILURE: frozenset({"RLX", "CON", "ACQ", "SC"}),
    FENCE: frozenset(ORDERS.values()),
}


@dataclass(frozen=True, slots=True)
class AtomicFunction:
    """`does` is one of load, store, init (a store that is not atomic), exchange, cas, fetch, set
    (exchange for 1), fence."""

    does: str
    arguments: int  # before the orders
    orders: tuple[str, ...]  # for what each of the orders of the `_explicit` form is given
    op: str = ""  # of fetch
    weak: bool = False  # of cas


# By name, without `_explicit`.
FUNCTIONS: dict[str, AtomicFunction] = {
    "atomic_load": AtomicFunction("load", 1, (LOAD,)),
    "atomic_store": AtomicFunction("store", 2, (STORE,)),
    "atomic_exchange": AtomicFunction("exchange", 2, (RMW,)),
    "atomic_compare_exchange_strong": AtomicFunction("cas", 3, (RMW, FAILURE)),
    "atomic_compare_exchange_weak": AtomicFunction("cas", 3, (RMW, FAILURE), weak=True),
    "atomic_fetch_add": AtomicFunction("fetch", 2, (RMW,), "+"),
    "atomic_fetch_sub": AtomicFunction("fetch", 2, (RMW,), "-"),
    "atomic_fetch_and": AtomicFunction("fetch", 2, (RMW,), "&"),
    "atomic_fetch_or": AtomicFunction("fetch", 2, (RMW,), "|"),
    "atomic_fetch_xor": AtomicFunction("fetch", 2, (RMW,), "^"),
    "atomic_flag_test_and_set": AtomicFunction("set", 1, (RMW,)),
    "atomic_flag_clear": AtomicFunction("clear", 1, (STORE,)),
}
EXPLICIT = "_explicit"
# Those that are written in one way only.
SINGLE: dict[str, AtomicFunction] = {
    "atomic_init": AtomicFunction("init", 2, ()),
    "atomic_thread_fence": AtomicFunction("fence", 0, (FENCE,)),
}
NAMES = (*FUNCTIONS, *(f"{name}{EXPLICIT}" for name in FUNCTIONS), *SINGLE)

# Of the Linux kernel, whose tests are in another dialect with a model of its own.
LINUX = (
    *("READ_ONCE", "WRITE_ONCE", "ACCESS_ONCE", "READ_ONCE_MB", "smp_", "rcu_", "srcu_",
        "synchronize_"),
    *("spin_", "xchg", "cmpxchg", "atomic_read", "atomic_set", "atomic_add", "atomic_sub",
        "atomic_inc"),
    *("atomic_dec", "atomic_xchg", "atomic_cmpxchg", "atomic_try", "__load", "__store", "__fence"),
    *("__xchg", "__cmpxchg", "__atomic_", "__lock", "__unlock", "__srcu", "call_rcu", "read_lock",
        "read_unlock"),
    *("write_lock", "write_unlock", "mutex_", "raw_spin_", "local_irq_", "preempt_", "barrier"),
)  # fmt: skip


def find(name: str) -> tuple[AtomicFunction, bool] | None:
    """The function of that name, and whether orders follow its arguments."""
    if name in SINGLE:
        return SINGLE[name], bool(SINGLE[name].orders)
    bare = name.removesuffix(EXPLICIT)
    if bare in FUNCTIONS:
        return FUNCTIONS[bare], bare != name
    return None


def is_linux(name: str) -> bool:
    return name.startswith(LINUX)
