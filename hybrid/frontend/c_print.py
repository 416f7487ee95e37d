"""Program to C text: one function for each thread, one line for each instruction.

Locations are globals, registers local variables; main starts the threads and waits for them. A
location is a long, or has the bits that its name ends with: `x8`, `y16`, `z32`. One whose accesses
are all atomic, by its name, is `_Atomic` and accessed by the functions of stdatomic.h, others by
clang's builtins. Where an address is computed with `<<`, which goes from one location to the next,
the locations are the elements of one array.

Fences of machines are inline assembly. An exchange that waits for a 0 and stores what a spin lock
of POSIX does takes such a lock. What C cannot say (exclusive accesses, other awaits) is an
InputError.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import assert_never

from hybrid.errors import InputError
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.check import register_names
from hybrid.program.memory import Location
from hybrid.program.program import Program, Thread
from hybrid.program.tags import FENCES, PLAIN

ARRAY = "cell"  # of locations that are elements
FIRST_HOLDER = 2  # what a spin lock holds that the first thread after main has taken
_TYPES = {8: "signed char", 16: "short", 32: "int", 64: "long"}  # by bits
_WIDTH = re.compile(r"[A-Za-z_]+(8|16|32)")
_LOCK = 32  # bits of a spin lock
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_DROPPED = "dropped"  # gets what is read for nothing
_ORDERS = {
    "RLX": "relaxed",
    "ACQ": "acquire",
    "REL": "release",
    "ACQ_REL": "acq_rel",
    "SC": "seq_cst",
}
_FETCHES = {"+": "add", "-": "sub", "&": "and", "|": "or", "^": "xor", "max": "max", "min": "min"}
_ARITHMETIC = ("+", "-", "*", "&", "|", "^", "<<", ">>")
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_OPERATORS = (*_ARITHMETIC, *_COMPARISONS)
_STRICT = {"&&": "&", "||": "|"}  # both operands count: in C, that of a dependency is not left out
_HEAD = ("#include <assert.h>", "#include <hybrid.h>", "#include <stdatomic.h>")


@dataclass(frozen=True, slots=True)
class CText:
    text: str
    labels: dict[int, str]  # of the instructions, by line
    array: bool  # the locations are elements of ARRAY, in their order


def c_text(program: Program) -> CText:
    return _CPrinter(program).print()


def bits_of(name: str) -> int:
    """How many bits a location has, by its name."""
    found = _WIDTH.fullmatch(name)
    return int(found[1]) if found else 64


def is_lock(name: str) -> bool:
    """Whether a location can be a spin lock."""
    return bits_of(name) == _LOCK


def takes_lock(each: ins.Instruction) -> bool:
    """Whether an instruction is an exchange like that of pthread_spin_lock."""
    if not isinstance(each, ins.Rmw) or each.guard is None or each.op != "xchg":
        return False
    value, held = each.guard.value, each.operand
    return (
        each.guard.op == "=="
        and isinstance(value, ex.Const)
        and value.value == 0
        and each.register is None
        and each.tags == {"ACQ"}
        and isinstance(held, ex.Const)
        and held.value >= FIRST_HOLDER
        and isinstance(each.address, ex.Const)
        and is_lock(each.address.name.removeprefix("&"))
    )


def step(program: Program) -> int | None:
    """How far each location is from the next; None: they are not all equally far apart."""
    places = [location.address for location in program.locations]
    steps = {b - a for a, b in pairwise(places)}
    return steps.pop() if len(steps) == 1 else None


def refuse(what: str) -> InputError:
    return InputError(f"{what} cannot be written in C")


class _CPrinter:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.names = {each.address: each.name for each in program.locations}
        for name in (*self.names.values(), *(thread.name for thread in program.threads)):
            if not _NAME.fullmatch(name):
                raise refuse(f"the name {name}")
        places = [each.place for thread in program.threads for each in thread.code if each.place]
        self.array = any("<<" in _operators(place) for place in places)
        self.atomic = {each.name for each in program.locations if self._is_atomic(each, places)}

    def _is_atomic(self, location: Location, places: list[ex.Expr]) -> bool:
        """Whether every access is atomic and none may come in another way."""
        if any(not isinstance(place, ex.Const) for place in places) or self._is_value(location):
            return False
        return not any(
            isinstance(each, ins.Access)
            and isinstance(each.place, ex.Const)
            and each.place.value == location.address
            and PLAIN in each.tags
            for thread in self.program.threads
            for each in thread.code
        )

    def _is_value(self, location: Location) -> bool:
        """Whether its address is used as a number."""
        name = f"&{location.name}"
        return any(each.initial_name == name for each in self.program.locations) or any(
            isinstance(expr, ex.Const) and expr.name == name and expr is not each.place
            for thread in self.program.threads
            for each in thread.code
            for expr in each.expressions
        )

    def print(self) -> CText:
        lines = [*_HEAD, "", *self._globals()]
        labels: dict[int, str] = {}
        for thread in self.program.threads:
            lines.append("")
            for line, label in self._function(thread):
                lines.append(line)
                if label:
                    labels[len(lines)] = label
        lines += ["", *self._main()]
        return CText("\n".join(lines) + "\n", labels, self.array)

    def _globals(self) -> Iterator[str]:
        locations = self.program.locations
        if self.array:
            values = ", ".join(str(each.initial) for each in locations)
            yield f"{self._element()} {ARRAY}[{len(locations)}] = {{{values}}};"
            for place, each in enumerate(locations):
                yield f"#define {each.name} {ARRAY}[{place}]"
            return
        for each in locations:
            yield f"extern {self._kind(each.name)} {each.name};"
        for each in locations:
            value = f"(long){each.initial_name}" if each.initial_name else str(each.initial)
            yield f"{self._kind(each.name)} {each.name} = {value};"

    def _kind(self, name: str) -> str:
        """The type of a location."""
        kind = _TYPES[bits_of(name)]
        return f"_Atomic {kind}" if name in self.atomic else kind

    def _element(self) -> str:
        """The type of all locations, which are in one array."""
        kinds = {_TYPES[bits_of(each.name)] for each in self.program.locations}
        if len(kinds) > 1:
            raise refuse("an array of elements with different sizes")
        return kinds.pop()

    def _type_at(self, place: ex.Expr) -> str:
        """The type of what is at an address."""
        base = place.left if isinstance(place, ex.Binary) else place
        name = self.names.get(base.value) if isinstance(base, ex.Const) else None
        return "long" if name is None else _TYPES[bits_of(name)]

    def _main(self) -> Iterator[str]:
        numbers = range(len(self.program.threads))
        yield "int main(void) {"
        yield f"  pthread_t {', '.join(f't{number}' for number in numbers)};"
        for number, thread in enumerate(self.program.threads):
            yield f"  pthread_create(&t{number}, 0, {thread.name}, 0);"
        for number in numbers:
            yield f"  pthread_join(t{number}, 0);"
        yield "  return 0;"
        yield "}"

    def _function(self, thread: Thread) -> Iterator[tuple[str, str]]:
        yield f"void *{thread.name}(void *argument) {{", ""
        for name in sorted(register_names(thread)):
            if not _NAME.fullmatch(name) or name in self.names.values():
                raise refuse(f"the register {name}")
            yield f"  long {name} = {thread.initial.get(name, 0)};", ""
        yield f"  long {_DROPPED};", ""
        targets = {target for each in thread.code for target in each.targets}
        for at, each in enumerate(thread.code):
            mark = f"L{at}: " if at in targets else ""
            yield f"  {mark}{self._statement(each)}", each.label
        end = len(thread.code)
        yield f"  {f'L{end}: ' if end in targets else ''}return 0;", ""
        yield "}", ""

    def _statement(self, each: ins.Instruction) -> str:
        value = self._value
        if isinstance(each, ins.Assign):
            return f"{each.register} = {_bare(value(each.value))};"
        if isinstance(each, ins.Select):
            if not isinstance(each.yes, ex.Const) or not isinstance(each.no, ex.Const):
                raise refuse("a selection of what is not constant, without a branch,")
            parts = (each.condition, each.yes, each.no)
            condition, yes, no = (self._value(part) for part in parts)
            return f"{each.register} = {condition} ? {yes} : {no};"
        if isinstance(each, ins.Load):
            return self._load(each)
        if isinstance(each, ins.Store):
            return self._store(each)
        if isinstance(each, ins.Rmw):
            return self._rmw(each)
        if isinstance(each, ins.Fence):
            return _fence(each.tags)
        if isinstance(each, ins.Branch):
            return f"if ({_bare(value(each.condition))}) goto L{each.target};"
        if isinstance(each, ins.Goto):
            return f"goto L{each.target};"
        if isinstance(each, ins.Assume):
            return f"__VERIFIER_assume({value(each.condition)} != 0);"
        if isinstance(each, ins.Assert):
            return f"assert({_bare(value(each.condition))});"
        if isinstance(each, ins.StoreConditional):
            raise refuse("an exclusive store")
        assert_never(each)

    # ---- accesses

    def _load(self, each: ins.Load) -> str:
        if each.exclusive or each.guard is not None:
            raise refuse("an exclusive load, or one that waits,")
        target = each.register or _DROPPED
        if PLAIN in each.tags:
            return f"{target} = {self._lvalue(each.address)};"
        order = _order(each.tags)
        if self._by_name(each.address):
            return f"{target} = atomic_load_explicit({self._pointer(each.address)}, {order});"
        return f"{target} = __atomic_load_n({self._pointer(each.address)}, {order});"

    def _store(self, each: ins.Store) -> str:
        value = self._value(each.value)
        if PLAIN in each.tags:
            return f"{self._lvalue(each.address)} = {value};"
        function = "atomic_store_explicit" if self._by_name(each.address) else "__atomic_store_n"
        return f"{function}({self._pointer(each.address)}, {value}, {_order(each.tags)});"

    def _rmw(self, each: ins.Rmw) -> str:
        if takes_lock(each):
            return f"pthread_spin_lock((pthread_spinlock_t *){self._pointer(each.address)});"
        if each.guard is not None or each.bits != 64:
            raise refuse("a read-modify-write that waits, or of fewer bits,")
        pointer, order = self._pointer(each.address), _order(each.tags)
        named = self._by_name(each.address)
        value = self._value(each.operand)
        if each.op == "cas":
            return self._cas(each, pointer, value)
        if each.op == "xchg":
            function = "atomic_exchange_explicit" if named else "__atomic_exchange_n"
        elif each.op in _FETCHES:
            word = _FETCHES[each.op]
            known = f"atomic_fetch_{word}_explicit"
            if word in ("max", "min"):
                known = f"__c11_atomic_fetch_{word}"
            function = known if named else f"__atomic_fetch_{word}"
        else:
            raise refuse(f"the read-modify-write {each.op}")
        return f"{each.register or _DROPPED} = {function}({pointer}, {value}, {order});"

    def _cas(self, each: ins.Rmw, pointer: str, value: str) -> str:
        assert each.expected is not None
        orders = f"{_order(each.tags)}, {_order(each.tags_without_store)}"
        if self._by_name(each.address):
            word = "weak" if each.weak else "strong"
            call = f"atomic_compare_exchange_{word}_explicit({pointer}, &old, {value}, {orders})"
        else:
            weak = int(each.weak)
            call = f"__atomic_compare_exchange_n({pointer}, &old, {value}, {weak}, {orders})"
        success = each.success or _DROPPED
        result = f" {each.register} = old;" if each.register else ""
        kind = self._type_at(each.address)
        return f"{{ {kind} old = {self._value(each.expected)}; {success} = {call};{result} }}"

    def _by_name(self, place: ex.Expr) -> bool:
        """Whether the location is `_Atomic`."""
        return isinstance(place, ex.Const) and self.names.get(place.value) in self.atomic

    def _lvalue(self, place: ex.Expr) -> str:
        if isinstance(place, ex.Const) and place.value in self.names:
            return self.names[place.value]
        return f"*{self._pointer(place)}"

    def _pointer(self, place: ex.Expr) -> str:
        if isinstance(place, ex.Const) and place.value in self.names:
            return f"&{self.names[place.value]}"
        if isinstance(place, ex.Binary) and place.op == "+" and isinstance(place.left, ex.Const):
            start = self._pointer(place.left)
            return f"({self._type_at(place)} *)((char *){start} + {self._offset(place.right)})"
        if isinstance(place, ex.Register):
            return f"(long *){place.name}"
        raise refuse("an address that is computed so")

    def _offset(self, offset: ex.Expr) -> str:
        if not self.array or not (isinstance(offset, ex.Binary) and offset.op == "<<"):
            return self._value(offset)
        apart = step(self.program)
        shift = offset.right
        if not isinstance(shift, ex.Const) or apart is None or 1 << shift.value != apart:
            raise refuse("an address that is computed so")
        bytes_ = bits_of(self.program.locations[0].name) // 8
        return f"({self._value(offset.left)} << {bytes_.bit_length() - 1})"

    # ---- values

    def _value(self, expr: ex.Expr) -> str:
        if isinstance(expr, ex.Const):
            if expr.value in self.names and expr.name:
                return f"(long)&{self.names[expr.value]}"
            return str(expr.value)
        if isinstance(expr, ex.Register):
            return expr.name
        if isinstance(expr, ex.Binary) and expr.op in _STRICT:
            left, right = (self._truth(each) for each in (expr.left, expr.right))
            return f"({left} {_STRICT[expr.op]} {right})"
        if isinstance(expr, ex.Binary) and expr.op in _OPERATORS:
            return f"({self._value(expr.left)} {expr.op} {self._value(expr.right)})"
        if isinstance(expr, ex.Unary) and expr.op in ("-", "~", "!"):
            return f"({expr.op}{self._value(expr.operand)})"
        raise refuse(f"the operator {expr.op}")

    def _truth(self, expr: ex.Expr) -> str:
        """0 or 1."""
        compares = isinstance(expr, ex.Binary) and expr.op in (*_COMPARISONS, *_STRICT)
        return self._value(expr) if compares else f"({self._value(expr)} != 0)"


def _order(tags: frozenset[str]) -> str:
    (tag,) = tags if len(tags) == 1 else ("",)
    if tag not in _ORDERS:
        raise refuse(f"the order {' '.join(sorted(tags))} of an access or a fence")
    return f"memory_order_{_ORDERS[tag]}"


def _fence(tags: frozenset[str]) -> str:
    name = next((name for name, own in FENCES.items() if own == tags), "")
    if not name:
        return f"atomic_thread_fence({_order(tags)});"
    word, *parts = name.split(".")
    if word == "fence" and len(parts) == 2:
        name = f"fence {parts[0]},{parts[1]}"
    elif word != "fence":
        name = " ".join([word, *parts])
    return f'__asm__ volatile("{name}" ::: "memory");'


def _bare(text: str) -> str:
    """Without the parentheses around the whole of it."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if not depth and at < len(text) - 1:
            return text
    return text[1:-1] if text.startswith("(") else text


def _operators(expr: ex.Expr) -> set[str]:
    if isinstance(expr, ex.Binary):
        return {expr.op} | _operators(expr.left) | _operators(expr.right)
    return set()
