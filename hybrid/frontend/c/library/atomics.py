"""The functions that clang calls for atomic accesses which it does not make itself: `__atomic_…`.

Those whose names end in a size take values; the others take a size first, and pointers to where the
values are.
"""

from __future__ import annotations

from hybrid.frontend.c import access
from hybrid.frontend.c.library.entry import Arguments, LibraryFunction, known, number
from hybrid.frontend.c.library.refused import refusing
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import LlvmValue, Scalar, wrapped
from hybrid.frontend.llvm.module import CallInst

_ORDERS = ("monotonic", "consume", "acquire", "release", "acq_rel", "seq_cst")  # as C counts them
_SIZES = (1, 2, 4, 8)
_OPERATORS = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^"}


def _order(t: CThread, value: LlvmValue) -> str:
    found = known(t, value, "a memory order")
    if not 0 <= found < len(_ORDERS):
        raise t.refuse(f"the memory order {found}")
    return _ORDERS[found]


def _size(t: CThread, value: LlvmValue) -> int:
    size = known(t, value, "the size of an atomic access")
    if size not in _SIZES:
        raise t.refuse(f"an atomic access of {size} bytes")
    return size


def _at(t: CThread, pointer: LlvmValue, size: int) -> Scalar:
    """What a pointer to a plain object points to."""
    return number(t, access.load_cell(t, number(t, pointer), size))


# ---- what they do


def _load(t: CThread, pointer: LlvmValue, size: int, order: str) -> LlvmValue:
    return access.load_cell(t, number(t, pointer), size, order)


def _exchange(t: CThread, pointer: LlvmValue, size: int, value: LlvmValue, order: str) -> LlvmValue:
    new = wrapped(number(t, value), 8 * size)
    return access.rmw_cell(t, number(t, pointer), size, "xchg", new, order)


def _compare_exchange(
    t: CThread,
    pointer: LlvmValue,
    expected: LlvmValue,
    size: int,
    new: LlvmValue,
    orders: tuple[str, str],
) -> LlvmValue:
    """Where it fails, the old value is put where the expected one was: in any case, since they are
    equal where it does not."""
    where = number(t, expected)
    if access.own_object(t, where, size) is None:
        raise t.refuse("a compare-exchange whose expected value is in memory that threads share")
    wanted, stored = _at(t, expected, size), wrapped(number(t, new), 8 * size)
    pair = access.cas_cell(t, number(t, pointer), size, wanted, stored, orders, False)
    access.store_cell(t, where, size, pair[0])
    return pair[1]


# ---- with a size in the name


def _sized(size: int) -> dict[str, LibraryFunction]:
    def load(t: CThread, a: Arguments, call: CallInst) -> LlvmValue:
        return _load(t, a[0], size, _order(t, a[1]))

    def store(t: CThread, a: Arguments, call: CallInst) -> LlvmValue:
        value = wrapped(number(t, a[1]), 8 * size)
        access.store_cell(t, number(t, a[0]), size, value, _order(t, a[2]))
        return 0

    def exchange(t: CThread, a: Arguments, call: CallInst) -> LlvmValue:
        return _exchange(t, a[0], size, a[1], _order(t, a[2]))

    def compare_exchange(t: CThread, a: Arguments, call: CallInst) -> LlvmValue:
        orders = (_order(t, a[3]), _order(t, a[4]))
        return _compare_exchange(t, a[0], a[1], size, a[2], orders)

    def fetch(op: str) -> LibraryFunction:
        def change(t: CThread, a: Arguments, call: CallInst) -> LlvmValue:
            value, order = number(t, a[1]), _order(t, a[2])
            return access.rmw_cell(t, number(t, a[0]), size, op, value, order)

        return change

    return {
        f"__atomic_load_{size}": load,
        f"__atomic_store_{size}": store,
        f"__atomic_exchange_{size}": exchange,
        f"__atomic_compare_exchange_{size}": compare_exchange,
        **{f"__atomic_fetch_{word}_{size}": fetch(op) for word, op in _OPERATORS.items()},
    }


# ---- with a size first


def load_any(t: CThread, a: Arguments, call: CallInst) -> LlvmValue:
    size = _size(t, a[0])
    access.store_cell(t, number(t, a[2]), size, _load(t, a[1], size, _order(t, a[3])))
    return 0


def store_any(t: CThread, a: Arguments, call: CallInst) -> LlvmValue:
    size = _size(t, a[0])
    access.store_cell(t, number(t, a[1]), size, _at(t, a[2], size), _order(t, a[3]))
    return 0


def exchange_any(t: CThread, a: Arguments, call: CallInst) -> LlvmValue:
    size = _size(t, a[0])
    old = _exchange(t, a[1], size, _at(t, a[2], size), _order(t, a[4]))
    access.store_cell(t, number(t, a[3]), size, old)
    return 0


def compare_exchange_any(t: CThread, a: Arguments, call: CallInst) -> LlvmValue:
    size = _size(t, a[0])
    orders = (_order(t, a[4]), _order(t, a[5]))
    return _compare_exchange(t, a[1], a[2], size, _at(t, a[3], size), orders)


def is_lock_free(t: CThread, a: Arguments, call: CallInst) -> LlvmValue:
    return int(known(t, a[0], "the size of an atomic access") in _SIZES)


_WORDS = ("load", "store", "exchange", "compare_exchange", *(f"fetch_{w}" for w in _OPERATORS))

FUNCTIONS: dict[str, LibraryFunction] = {
    **{f"__atomic_{word}_16": refusing("an atomic access of 16 bytes") for word in _WORDS},
    **{f"__atomic_fetch_nand_{size}": refusing("atomicrmw nand") for size in (*_SIZES, 16)},
    **{name: made for size in _SIZES for name, made in _sized(size).items()},
    "__atomic_load": load_any,
    "__atomic_store": store_any,
    "__atomic_exchange": exchange_any,
    "__atomic_compare_exchange": compare_exchange_any,
    "__atomic_is_lock_free": is_lock_free,
}
