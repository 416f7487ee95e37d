"""The programs that can be written in C so that each of their events comes back when the C is read:
any program made into one of them.

What C lacks is replaced: exclusive accesses by ordinary ones, an await by an access and an
assumption on what it reads, but for one that takes a lock: a spin lock of POSIX, which holds the
number of its thread. And what the reading of C changes, as it documents, is left out:

- an assert, or a jump back, on what is known before anything is read from memory. The thread of C
  ends at an assert that is known to fail, and a loop on constants is written out; what goes round a
  known number of times stays (`_is_counted`).
- a jump into the middle of a loop: which jumps count as rounds is then another question in C.
- a weak cas that is tried again with nothing changed, which C takes for a strong one.
- a plain load of what nobody writes, which C does without.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from typing import assert_never

from hybrid.crosscheck.reduce import without_code
from hybrid.crosscheck.relocated import has_pointers
from hybrid.frontend.c.retries import strengthened
from hybrid.frontend.c.unshared import Unshared
from hybrid.frontend.c_print import FIRST_HOLDER, is_lock, step, takes_lock
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.loops import is_backward, loops_of, successors
from hybrid.program.program import Location, Program, Thread
from hybrid.program.tags import FENCES, PLAIN

Code = Sequence[ins.Instruction]

MOST_ROUNDS = 8  # of a loop that counts
_RELAXED = "RLX"
_LOADS = {"CON": "ACQ", "REL": _RELAXED, "ACQ_REL": "ACQ"}  # what a load has in place of these
_STORES = {"CON": _RELAXED, "ACQ": _RELAXED, "ACQ_REL": "REL"}
_ORDERS = ("NA", "RLX", "ACQ", "REL", "ACQ_REL", "SC")
_ATOMIC_FENCES = ("ACQ", "REL", "ACQ_REL", "SC")
_OPERATIONS = frozenset(["xchg", "cas", "+", "-", "&", "|", "^", "max", "min"])
_POINTER_OPERATIONS = frozenset({"xchg", "cas", "+"})
_POINTER_OPERATORS = frozenset({"+", "-", "==", "!="})


def c_form(program: Program) -> Program:
    """The program that C can say which is next to this one: the same, if it is one itself."""
    while True:
        made = _pass(program)
        if made == program:
            return program
        program = made


def is_in_c_form(program: Program) -> bool:
    return _pass(program) == program


def _pass(program: Program) -> Program:
    form = _Form(program)
    written = _written(program.threads)
    threads = tuple(
        _shortened(_with_assumptions(form.thread(each, number)), written)
        for number, each in enumerate(program.threads)
    )
    threads = tuple(_with_atomic_loads(_with_strong(thread), written) for thread in threads)
    return replace(program, threads=threads, condition=None, filter=None, expectations=())


# ---- instructions one by one


class _Form:
    def __init__(self, program: Program) -> None:
        self.pointers = has_pointers(program)
        self.locations = {each.address: each for each in program.locations}
        self.first: Location | None = next(iter(program.locations), None)
        self.step = step(program)

    def thread(self, thread: Thread, number: int) -> Thread:
        code = [self._instruction(each) for each in thread.code]
        code = [self._lock(each, number) if isinstance(each, ins.Rmw) else each for each in code]
        return replace(thread, code=tuple(code))

    def _instruction(self, each: ins.Instruction) -> ins.Instruction:
        each = each.with_expressions(self._expression)
        if isinstance(each, ins.Load):
            order = _order(each.tags, _LOADS)
            return replace(each, address=self._place(each.address), tags=order, exclusive=False)
        if isinstance(each, ins.Store):
            return replace(each, address=self._place(each.address), tags=_order(each.tags, _STORES))
        if isinstance(each, ins.StoreConditional):
            zero = ex.Const(each.span, 0)
            place, order = self._place(each.address), _atomic(_order(each.tags, _STORES))
            made = ins.Rmw(each.span, each.label, None, "cas", place, each.value, zero, order)
            return self._rmw(replace(made, success=each.status, weak=True))
        if isinstance(each, ins.Rmw):
            return self._rmw(each)
        if isinstance(each, ins.Fence):
            return replace(each, tags=_fence(each.tags))
        if isinstance(each, ins.Select):
            return self._select(each)
        if isinstance(each, ins.Assign | ins.Branch | ins.Goto | ins.Assume | ins.Assert):
            return each
        assert_never(each)

    def _rmw(self, each: ins.Rmw) -> ins.Rmw:
        known = _POINTER_OPERATIONS if self.pointers else _OPERATIONS
        op = each.op if each.op in known else "+"
        order = _atomic(_order(each.tags, {"CON": "ACQ"}))
        failed = each.tags_without_store
        failed = _atomic(_order(failed, _LOADS))
        return replace(
            each,
            op=op,
            address=self._place(each.address),
            expected=each.expected if op == "cas" else None,
            tags=order,
            bits=64,
            failed_tags=failed if op == "cas" and failed != order else None,
            weak=each.weak and op == "cas",
            success=each.success if op == "cas" else None,
        )

    def _lock(self, each: ins.Rmw, number: int) -> ins.Rmw:
        """A read-modify-write that waits for a 0, as a lock that thread `number` takes, if it can
        be one."""
        place, guard = each.address, each.guard
        if guard is None or guard.op != "==" or not _is_const(guard.value, 0):
            return each
        location = self.locations.get(place.value) if isinstance(place, ex.Const) else None
        fits = location is not None and is_lock(location.name) and each.register is None
        if not fits or each.op not in ("xchg", "cas") or each.success or each.weak:
            return each
        if each.expected is not None and not _is_const(each.expected, 0):
            return each
        holder = number + FIRST_HOLDER
        held = each.operand if _is_const(each.operand, holder) else ex.Const(each.span, holder)
        order = frozenset({"ACQ"})
        return replace(each, op="xchg", operand=held, expected=None, tags=order, failed_tags=None)

    def _select(self, each: ins.Select) -> ins.Select:
        """Of two different constants: clang has a selection without a branch for these alone."""
        yes = each.yes if isinstance(each.yes, ex.Const) else ex.Const(each.span, 1)
        no = each.no if isinstance(each.no, ex.Const) else ex.Const(each.span, 0)
        if yes.value == no.value:
            no = ex.Const(each.span, 1 - yes.value if yes.value in (0, 1) else 0)
        return replace(each, yes=yes, no=no)

    def _place(self, place: ex.Expr) -> ex.Expr:
        """The forms that addresses have in C; what is computed in another way becomes the location
        that it is computed from."""
        base = place.left if isinstance(place, ex.Binary) and place.op == "+" else place
        if isinstance(base, ex.Register) and base is place and self.pointers:
            return place
        if self.first is None:
            return place
        if not isinstance(base, ex.Const) or base.value not in self.locations:
            return ex.Const(place.span, self.first.address, f"&{self.first.name}")
        if base is not place:
            assert isinstance(place, ex.Binary)
            offset = place.right
            if _is_zero(offset) or (self.pointers and isinstance(offset, ex.Register)):
                return place
            if not self.pointers and self._chooses(base, offset):
                return place
        return ex.Const(base.span, base.value, f"&{self.locations[base.value].name}")

    def _chooses(self, base: ex.Const, offset: ex.Expr) -> bool:
        """`(r & 1) << 7`: whether it goes to the first location or to the next."""
        return (
            self.step is not None
            and self.first is not None
            and base.value == self.first.address
            and isinstance(offset, ex.Binary)
            and offset.op == "<<"
            and isinstance(offset.right, ex.Const)
            and 1 << offset.right.value == self.step
            and isinstance(offset.left, ex.Binary)
            and offset.left.op == "&"
            and isinstance(offset.left.right, ex.Const)
            and offset.left.right.value == 1
        )

    def _expression(self, expr: ex.Expr) -> ex.Expr:
        """With pointers: what moves with the addresses in it."""
        if not self.pointers or not isinstance(expr, ex.Binary) or _is_zero(expr):
            return expr
        if expr.op in _POINTER_OPERATORS:
            left, right = self._expression(expr.left), self._expression(expr.right)
            return replace(expr, left=left, right=right)
        return self._expression(expr.left)


def _is_zero(expr: ex.Expr) -> bool:
    """`r ^ r`."""
    if not isinstance(expr, ex.Binary) or expr.op != "^":
        return False
    left, right = expr.left, expr.right
    registers = isinstance(left, ex.Register) and isinstance(right, ex.Register)
    return registers and ex.registers(left) == ex.registers(right)


def _order(tags: frozenset[str], others: dict[str, str]) -> frozenset[str]:
    order = next((tag for tag in _ORDERS if tag in tags), PLAIN)
    return frozenset({others.get(order, order)})


def _atomic(tags: frozenset[str]) -> frozenset[str]:
    return frozenset({_RELAXED}) if PLAIN in tags else tags


def _fence(tags: frozenset[str]) -> frozenset[str]:
    if tags in FENCES.values():
        return tags
    return frozenset({next((tag for tag in _ATOMIC_FENCES if tag in tags), "SC")})


def _is_const(expr: ex.Expr, value: int) -> bool:
    return isinstance(expr, ex.Const) and expr.value == value


# ---- a thread as a whole


def _with_assumptions(thread: Thread) -> Thread:
    """With an assumption behind each access that waits, but for locks: on what it has read."""
    code: list[ins.Instruction] = []
    places: list[int] = []  # by old index, the new one
    for at, each in enumerate(thread.code):
        places.append(len(code))
        waits = isinstance(each, ins.Load | ins.Rmw) and not takes_lock(each)
        if not waits or each.awaits is None:
            code.append(each)
            continue
        assert isinstance(each, ins.Load | ins.Rmw)
        guard, name = each.awaits, each.register or f"w{at}"
        condition = ex.Binary(each.span, guard.op, ex.Register(each.span, name), guard.value)
        code.append(replace(each, register=name, guard=None))
        code.append(ins.Assume(each.span, f"{each.label}w", condition))
    places.append(len(code))
    return replace(thread, code=tuple(each.with_targets(places.__getitem__) for each in code))


def _shortened(thread: Thread, written: Set[int]) -> Thread:
    """Without what cannot stay."""
    while True:
        code = thread.code
        varying = _varying(code, written)
        above = _above(code)
        at = next((at for at in range(len(code)) if _must_go(code, at, varying, above)), None)
        if at is None:
            return thread
        thread = without_code(thread, at, at + 1)


def _must_go(
    code: Code, at: int, varying: list[frozenset[str]], above: list[frozenset[int]]
) -> bool:
    each = code[at]
    if isinstance(each, ins.Assert):
        return not ex.registers(each.condition) & varying[at]
    if not is_backward(code, at):
        return False
    if not isinstance(each, ins.Branch) or each.target not in above[at]:
        return True
    if ex.registers(each.condition) & varying[at]:
        return False
    return not _is_counted(code, each, at, above)


def _goes_round(code: Code, at: int, above: list[frozenset[int]]) -> bool:
    """Whether it is the jump back of a loop that counts."""
    each = code[at]
    return isinstance(each, ins.Branch) and each.target <= at and _is_counted(code, each, at, above)


def _is_counted(code: Code, jump: ins.Branch, at: int, above: list[frozenset[int]]) -> bool:
    """Whether a loop is `c := 3; L: …; c := c - 1; if c != 0 goto L`, with no other loop in it or
    around it."""
    (name,) = names if len(names := ex.registers(jump.condition)) == 1 else ("",)
    counter = ex.Register(jump.span, name)
    if _plain(jump.condition) != ("!=", name, 0):
        return False
    loops = loops_of(code)
    body = [place for place, jumps in loops.around.items() if at in jumps]
    if any(loops.around[place] != (at,) for place in body):
        return False
    setting = [place for place, each in enumerate(code) if counter.name in each.sets]
    if len(setting) != 2 or setting[0] not in above[jump.target] or setting[1] not in above[at]:
        return False
    first, less = (code[place] for place in setting)
    return (
        setting[0] not in body
        and setting[1] in body
        and isinstance(first, ins.Assign)
        and isinstance(first.value, ex.Const)
        and 1 <= first.value.value <= MOST_ROUNDS
        and isinstance(less, ins.Assign)
        and _plain(less.value) == ("-", name, 1)
    )


def _plain(expr: ex.Expr) -> tuple[str, str, int] | None:
    """`c op number` taken apart."""
    if not isinstance(expr, ex.Binary):
        return None
    left, right = expr.left, expr.right
    if not isinstance(left, ex.Register) or not isinstance(right, ex.Const):
        return None
    return expr.op, left.name, right.value


def _varying(code: Code, written: Set[int]) -> list[frozenset[str]]:
    """Before each instruction: the registers whose values come from memory on all ways there, and
    not from a plain load of what may be written by nobody."""
    everything = frozenset(name for each in code for name in each.sets)
    found = [everything] * (len(code) + 1)
    if code:
        found[0] = frozenset()
    changed = True
    while changed:
        changed = False
        for at, each in enumerate(code):
            before = found[at]
            if isinstance(each, ins.Load):
                varies = not _is_known(each, written)
            else:
                parts = each.expressions
                varies = each.place is not None or any(ex.registers(p) & before for p in parts)
            after = before | {*each.sets} if varies else before - {*each.sets}
            for following in successors(code, at):
                if not found[following] <= after:
                    found[following] &= after
                    changed = True
    return found


def _above(code: Code) -> list[frozenset[int]]:
    """For each instruction: those that every way to it comes through, itself among them."""
    everything = frozenset(range(len(code) + 1))
    found = [everything] * (len(code) + 1)
    found[0] = frozenset({0})
    changed = True
    while changed:
        changed = False
        for at in range(len(code)):
            for following in successors(code, at):
                new = found[following] & (found[at] | {following})
                if new != found[following]:
                    found[following] = new
                    changed = True
    return found


def _with_strong(thread: Thread) -> Thread:
    """With a strong cas for each weak one that need not be weak, as the reading of C sees it."""
    code = strengthened(thread.code, Unshared(thread.code, lambda byte: None))
    return replace(thread, code=tuple(code))


def _is_known(load: ins.Load, written: Set[int]) -> bool:
    """Whether C may do without a load."""
    place = load.address
    return PLAIN in load.tags and not (isinstance(place, ex.Const) and place.value in written)


def _written(threads: Sequence[Thread]) -> set[int]:
    """The locations that are written for sure, as far as C can tell: not behind a branch, an
    assumption or an assert on what it may know."""
    written: set[int] = set()
    while True:
        found = {place for thread in threads for place in _stores(thread.code, written)}
        if found == written:
            return written
        written = found


def _stores(code: Code, written: Set[int]) -> Iterator[int]:
    varying, above = _varying(code, written), _above(code)
    for at, each in enumerate(code):
        if each.writes and isinstance(each.place, ex.Const):
            yield each.place.value
        conditional = isinstance(each, ins.Branch | ins.Assume | ins.Assert)
        varies = any(ex.registers(part) & varying[at] for part in each.expressions)
        if conditional and not varies and not _goes_round(code, at, above):
            return


def _with_atomic_loads(thread: Thread, written: Set[int]) -> Thread:
    """With an atomic load for each plain one that C may do without."""
    code = tuple(
        replace(each, tags=frozenset({_RELAXED}))
        if isinstance(each, ins.Load) and _is_known(each, written)
        else each
        for each in thread.code
    )
    return replace(thread, code=code)
