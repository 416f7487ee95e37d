"""Accesses to memory: those to private memory are carried out, the others become instructions."""

from __future__ import annotations

from hybrid.frontend.c import private
from hybrid.frontend.c.operands import bits_of, operand, scalar, type_name
from hybrid.frontend.c.partly_set import is_part_of_struct, sets_bits
from hybrid.frontend.c.read_checks import (
    RETURNED,
    check_freed,
    check_read,
    may_be_unset,
    may_end,
)
from hybrid.frontend.c.results import is_only_returned
from hybrid.frontend.c.space import LINK_HINT, CObject
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import (
    SPAN,
    TRUTH,
    UNSET_VALUE,
    Aggregate,
    LlvmValue,
    Scalar,
    Unset,
    as_expr,
    binary,
    compare,
    register,
    wrapped,
)
from hybrid.frontend.llvm import module as ll
from hybrid.program import instructions as ins
from hybrid.program.expr import Const, Expr, registers
from hybrid.program.origin import (
    CONSTANT,
    FREED,
    HEAP,
    UNINITIALISED,
    UNSET,
    cell_address,
)

ORDERS = {
    "": "NA",
    "unordered": "RLX",
    "monotonic": "RLX",
    "consume": "CON",
    "acquire": "ACQ",
    "release": "REL",
    "acq_rel": "ACQ_REL",
    "seq_cst": "SC",
}
_OPERATORS = {
    "xchg": "xchg",
    "add": "+",
    "sub": "-",
    "and": "&",
    "or": "|",
    "xor": "^",
    "max": "max",
    "min": "min",
    "umax": "umax",
    "umin": "umin",
    "nand": "nand",
}


def tags_of(order: str) -> frozenset[str]:
    return frozenset({ORDERS[order]})


# ---- instructions of LLVM

_WIDEST = 8  # bytes of an atomic access


def _check_size(t: CThread, type: ll.Type, order: str) -> None:
    """Of an atomic access."""
    size = t.world.layout.size(type) if order else 0
    if size > _WIDEST:
        raise t.refuse(f"an atomic access of {size} bytes")


def load(t: CThread, each: ll.LoadInst) -> LlvmValue:
    _check_size(t, each.type, each.order)
    pointer = scalar(t, each.pointer)
    if sets_bits(t, each):
        size = t.world.layout.size(each.type)
        around = load_cell(t, pointer, size, keeps=each.volatile, checked=False)
        if isinstance(around, Unset | Aggregate):
            assert isinstance(pointer, int)
            around = private.read(t.state.memory, pointer, size, zeroed=True)
        return 0 if isinstance(around, Unset | Aggregate) else wrapped(around, 8 * size)
    checked = not is_only_returned(t, each)
    return load_typed(t, pointer, each.type, each.order, each.volatile, checked)


def load_typed(
    t: CThread,
    pointer: Scalar,
    type: ll.Type,
    order: str = "",
    volatile: bool = False,
    checked: bool = True,
) -> LlvmValue:
    layout = t.world.layout
    resolved = layout.resolve(type)
    if isinstance(resolved, ll.StructType | ll.ArrayType):
        return Aggregate(
            tuple(
                load_typed(t, binary("+", pointer, offset), kind, order, volatile, checked)
                for offset, kind in parts(t, resolved)
            )
        )
    value = load_cell(t, pointer, layout.size(type), order, keeps=volatile, checked=checked)
    if isinstance(value, Unset | Aggregate):
        return value
    return wrapped(value, 1) if bits_of(t, type) == 1 else value


def parts(t: CThread, type: ll.StructType | ll.ArrayType) -> list[tuple[int, ll.Type]]:
    """The fields or elements, each with its offset."""
    layout = t.world.layout
    if isinstance(type, ll.StructType):
        return [(layout.offset(type, at), kind) for at, kind in enumerate(type.fields)]
    stride = layout.stride(type.element)
    return [(at * stride, type.element) for at in range(type.count)]


def store(t: CThread, each: ll.StoreInst) -> None:
    _check_size(t, each.value.type, each.order)
    pointer = scalar(t, each.pointer)
    store_typed(t, pointer, each.value.type, operand(t, each.value), each.order)


def store_typed(
    t: CThread, pointer: Scalar, type: ll.Type, value: LlvmValue, order: str = ""
) -> None:
    resolved = t.world.layout.resolve(type)
    if isinstance(resolved, ll.StructType | ll.ArrayType):
        for at, (offset, kind) in enumerate(parts(t, resolved)):
            field = value.fields[at] if isinstance(value, Aggregate) else UNSET_VALUE
            store_typed(t, binary("+", pointer, offset), kind, field, order)
        return
    if isinstance(resolved, ll.OtherType | ll.VoidType | ll.FunctionType):
        raise t.refuse(f"a value of type {type_name(resolved)}")
    store_cell(t, pointer, t.world.layout.size(type), value, order)


def compare_exchange(t: CThread, each: ll.Cmpxchg) -> LlvmValue:
    _check_size(t, each.new.type, each.success)
    pointer = scalar(t, each.pointer)
    expected, new = scalar(t, each.expected), scalar(t, each.new)
    size = t.world.layout.size(each.new.type)
    orders = (each.success, each.failure)
    return Aggregate(cas_cell(t, pointer, size, expected, new, orders, each.weak))


def cas_cell(
    t: CThread,
    pointer: Scalar,
    size: int,
    expected: Scalar,
    new: Scalar,
    orders: tuple[str, str],
    weak: bool,
) -> tuple[Scalar, Scalar]:
    """A compare-exchange with its orders, of success and of failure: the old value, and 1 or 0."""
    found = own_object(t, pointer, size)
    if found is not None:
        assert isinstance(pointer, int)
        old = read_private(t, found, pointer, size)
        success = compare("eq", old, expected, 64)
        write_private(t, pointer, size, chosen(t, success, new, old))
        return old, success
    tags, failed = (tags_of(each) for each in orders)
    place = place_of(t, pointer, size, writes=True)
    name, stored = t.fresh(), t.fresh(TRUTH)
    t.emit(
        ins.Rmw(
            t.span(),
            t.label(),
            name,
            "cas",
            place,
            as_expr(new),
            as_expr(expected),
            tags,
            failed_tags=None if failed == tags else failed,
            weak=weak,
            success=stored,
        )
    )
    check_read(t, pointer, name)
    t.exchanges[stored] = (register(name), expected)
    return register(name), register(stored)


def read_modify_write(t: CThread, each: ll.AtomicRmw) -> LlvmValue:
    _check_size(t, each.value.type, each.order)
    pointer, operand_ = scalar(t, each.pointer), scalar(t, each.value)
    size = t.world.layout.size(each.value.type)
    op = _OPERATORS.get(each.op)
    if op is None:
        raise t.refuse(f"the atomic operation {each.op}")
    used = each.result in t.state.top.flow.used
    return rmw_cell(t, pointer, size, op, operand_, each.order, used=used)


def fence(t: CThread, order: str) -> None:
    if t.state.shares:
        t.emit(ins.Fence(t.span(), t.label(), tags_of(order)))


# ---- cells


def load_cell(
    t: CThread,
    pointer: Scalar,
    size: int,
    order: str = "",
    *,
    keeps: bool = False,
    checked: bool = True,
    guard: ins.Guard | None = None,
) -> LlvmValue:
    """What a cell holds. `keeps`: the load stays one even where what it reads is known; `checked`:
    it is an error to read what was never written."""
    found = own_object(t, pointer, size)
    if found is not None:
        assert isinstance(pointer, int)
        if not checked:
            return private.read(t.state.memory, pointer, size, found.zeroed)
        return read_private(t, found, pointer, size)
    if isinstance(pointer, int) and guard is None:
        known = _never_changes(t, pointer, size) if order == "" and not keeps else None
        if known is not None:
            if may_end(t, t.world.space.find(pointer)):
                _look(t, pointer, size)
            return known
    place = place_of(t, pointer, size, writes=False)
    name = t.fresh()
    t.emit(ins.Load(t.span(), t.label(), name, place, tags_of(order), guard))
    if checked and guard is None:
        check_read(t, pointer, name)
    return register(name)


def store_cell(t: CThread, pointer: Scalar, size: int, value: LlvmValue, order: str = "") -> None:
    if isinstance(value, Aggregate):
        raise t.refuse("a struct or an array where a number belongs")
    if own_object(t, pointer, size) is not None:
        assert isinstance(pointer, int)
        write_private(t, pointer, size, value)
        return
    place = place_of(t, pointer, size, writes=True)
    stored: Scalar = UNSET if isinstance(value, Unset) else value
    t.emit(ins.Store(t.span(), t.label(), place, as_expr(stored), tags_of(order)))


def rmw_cell(
    t: CThread,
    pointer: Scalar,
    size: int,
    op: str,
    value: Scalar,
    order: str,
    *,
    used: bool = True,
    guard: ins.Guard | None = None,
    text: str = "",
    message: str = "",
) -> LlvmValue:
    """A read-modify-write; gives the old value. `op` is as in hybrid.program.instructions.Rmw."""
    found = own_object(t, pointer, size)
    if found is not None:
        assert isinstance(pointer, int)
        old = read_private(t, found, pointer, size)
        new = value if op == "xchg" else wrapped(binary(op, old, value), 8 * size)
        write_private(t, pointer, size, new)
        return old
    place = place_of(t, pointer, size, writes=True)
    checks = may_be_unset(t, pointer) and guard is None
    name = t.fresh() if used or checks else None
    label = t.described(text, "", message) if text or message else t.label()
    bits = 64 if op == "xchg" else 8 * size
    t.emit(
        ins.Rmw(t.span(), label, name, op, place, as_expr(value), None, tags_of(order), guard, bits)
    )
    if name is None:
        return 0
    if checks:
        check_read(t, pointer, name)
    return register(name)


def place_of(t: CThread, pointer: Scalar, size: int, *, writes: bool) -> Expr:
    """Where a shared access goes; it is noted."""
    if size not in (1, 2, 4, 8):
        raise t.refuse(f"an access of {size} bytes to memory that threads share")
    if not isinstance(pointer, int):
        t.world.reaches.setdefault(t.world.reach(t.key, pointer, size, writes), t.at)
    elif t.world.is_data(pointer, size):
        if writes:
            _check_variable(t, t.world.space.find(pointer))
        t.world.touch(pointer, size, writes, t.at)
    return cell_at(t, pointer, size)


def cell_at(t: CThread, pointer: Scalar, size: int) -> Expr:
    """The place of a cell, of which nothing is noted."""
    if isinstance(pointer, int):
        known = t.world.is_data(pointer, size)
        name = "&" + t.world.cell_name(pointer, size) if known else ""
        return Const(SPAN, cell_address(pointer, size), name)
    return as_expr(binary("+", binary("<<", pointer, 2), cell_address(0, size)))


# ---- private memory


def own_object(t: CThread, pointer: Scalar, size: int) -> CObject | None:
    """The object that an access goes to, where it has no event."""
    if not isinstance(pointer, int):
        return None
    found = t.world.space.holding(pointer, size)
    if found is None or found.kind == "function":
        return None
    if found.undefined:
        raise t.refuse(found.not_defined, LINK_HINT)
    if not t.state.shares or t.world.is_private(found, t.key):
        return found
    return None


def read_private(t: CThread, found: CObject, pointer: int, size: int) -> Scalar:
    if not _check_alive(t, found, pointer):
        return 0
    value = private.read(t.state.memory, pointer, size, found.zeroed)
    partly = bool(private.pieces_in(t.state.memory, pointer, size))
    lax = partly and is_part_of_struct(t, found, pointer, size)
    if isinstance(value, Unset) and lax:
        value = private.read(t.state.memory, pointer, size, zeroed=True)
    name = t.world.cell_name(pointer, size)
    if isinstance(value, Unset | Aggregate):
        wrong = f"{name} was never written" + (" as a whole" if partly else "")
        t.check(0, UNINITIALISED, wrong)
        return 0
    unsure = () if lax else sorted(registers(as_expr(value)) & t.unsure)
    for each in unsure:
        wrong = f"{name} was never written" + (" as a whole" if value != register(each) else "")
        t.check(compare("ne", register(each), UNSET, 64), UNINITIALISED, wrong)
    return value


def write_private(t: CThread, pointer: int, size: int, value: LlvmValue) -> None:
    found = t.world.space.holding(pointer, size)
    assert found is not None
    _check_alive(t, found, pointer)
    _check_variable(t, found)
    private.write(t.state.memory, pointer, size, value)


def _check_variable(t: CThread, found: CObject | None) -> None:
    """Checks that what is to be written is not a constant."""
    if found is not None and found.constant:
        t.check(0, CONSTANT, f"{found.name} is never to change")


def _check_alive(t: CThread, found: CObject, pointer: int) -> bool:
    """Checks that an object is still there; False where it is not for sure."""
    if found.kind == HEAP and t.state.facts.get(freed_fact(found, pointer)):
        freed = t.state.facts[freed_fact(found, pointer)]
        assert not isinstance(freed, Unset | Aggregate)
        t.check(compare("eq", freed, 0, 64), FREED, f"{found.name} was freed before")
        return not isinstance(freed, int)
    if found.local is not None and not _has_local(t, found, *found.local):
        t.check(0, FREED, f"{found.name} is gone: {RETURNED}")
        return False
    return True


def _has_local(t: CThread, found: CObject, function: str, name: str) -> bool:
    """Whether the function that has a variable of that name has not returned."""
    return any(
        each.flow.function.name == function and each.locals.get(name) == found.address
        for each in reversed(t.state.stack)
    )


def freed_fact(found: CObject, pointer: int) -> tuple[object, ...]:
    """The fact that an object of one thread is freed."""
    instance = (pointer - found.address) // found.stride if found.stride else 0
    return ("freed", found.key, instance)


def chosen(t: CThread, condition: Scalar, yes: Scalar, no: Scalar) -> Scalar:
    """One of two values."""
    if isinstance(condition, int):
        return yes if condition else no
    name = t.fresh()
    t.emit(ins.Select(SPAN, t.label(), name, condition, as_expr(yes), as_expr(no)))
    return register(name)


def _never_changes(t: CThread, pointer: int, size: int) -> Scalar | None:
    """What memory holds there as long as threads run; None where it may change."""
    world = t.world
    found = world.space.holding(pointer, size)
    if found is None or found.kind == "function":
        return None
    if not found.constant and world.is_written(found, pointer, size):
        return None
    value = private.read(world.image, pointer, size, found.zeroed)
    return None if isinstance(value, Unset | Aggregate) else value


def _look(t: CThread, pointer: int, size: int) -> None:
    """A load of what is known, unless the object was freed."""
    place = place_of(t, pointer, size, writes=False)
    name = t.fresh()
    t.emit(ins.Load(t.span(), t.label(), name, place, tags_of("")))
    check_freed(t, t.world.space.find(pointer), name, t.world.cell_name(pointer, size))
