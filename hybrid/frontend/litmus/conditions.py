"""The final part of a litmus test with its names looked up: terms, filter and condition of a
Program.

A register is compared with a number as an int is, modulo 2**32, unless its type or the number needs
more: on some machines a narrow load fills the upper half with zeros and on others with the sign,
and tests do not care. A register that is named nowhere else is 0; a location must be named
elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable

from hybrid.errors import InputError, Unsupported
from hybrid.frontend.litmus import syntax as sx
from hybrid.frontend.litmus.spelling import Spelling
from hybrid.frontend.litmus.state import INT, Memory
from hybrid.program import condition as cond
from hybrid.program import values
from hybrid.program.program import Expectation
from hybrid.source import Span

# The register that a thread (an index) calls by a name, or None; "" for one that is always zero.
RegisterOf = Callable[[int, str], str | None]


_INT = cond.Look(INT)


def look_of(type_: sx.CType) -> cond.Look:
    """How values of a type are printed; a pointer as a whole number, if it is not an address."""
    return cond.Look() if type_.pointers else cond.Look(type_.bits, type_.signed)


class Conditions:
    """Looks up the names of one test."""

    def __init__(
        self,
        memory: Memory,
        threads: tuple[int, ...],
        register_of: RegisterOf,
    ) -> None:
        self.memory = memory
        self.threads = threads  # their numbers, in the order of the Program
        self.register_of = register_of
        self.looks: dict[tuple[int, str], cond.Look] = {}  # types of registers (thread index, name)
        self.bits: dict[str, int] = {}  # widths of variables, where more is known than their types
        self.used: list[set[str]] = [set() for _ in threads]  # registers that terms name

    def thread(self, number: int, span: Span) -> int:
        """The index of the thread with that number."""
        if number not in self.threads:
            known = ", ".join(f"P{n}" for n in self.threads)
            raise InputError(f"there is no thread P{number}", span, f"known: {known}")
        return self.threads.index(number)

    def register(self, place: sx.RegisterPlace) -> tuple[int, str]:
        """Thread index and canonical name of a register; "" for the zero register."""
        thread = self.thread(place.thread, place.span)
        name = self.register_of(thread, place.register)
        if name is None:
            raise InputError(f"`{place.register}` is not a register", place.span)
        return thread, name

    def term(self, place: sx.Place | sx.RegisterPlace) -> cond.Operand:
        """The term; a number only for the zero register."""
        if isinstance(place, sx.Place):
            return self._cell(place, place.index)
        thread, register = self.register(place)
        if not register:
            return cond.Value(place.span, 0)
        self.used[thread].add(register)
        name = f"{place.thread}:{place.register}"
        return cond.RegisterTerm(place.span, thread, register, name, self._look(thread, register))

    def _look(self, thread: int, register: str) -> cond.Look:
        """The type of a register; int, as herd has it, if it is not declared."""
        return self.looks.get((thread, register), _INT)

    def _cell(self, place: sx.Place, index: int | None, array: str = "") -> cond.LocationTerm:
        address, name = self.memory.cell(place.name, index, place.span)
        variable = self.memory.variables[place.name]
        look = _INT if variable.type is None else look_of(variable.type)
        return cond.LocationTerm(place.span, address, name, look, array)

    def _cells(self, formula: sx.Cells) -> cond.Formula:
        """Each of the cells."""
        compares: list[cond.Formula] = []
        for index, value in enumerate(formula.values):
            cell = self._cell(formula.place, index, formula.place.name)
            wanted = self._operand(value)
            assert isinstance(wanted, cond.Value)
            compares.append(self._against(formula.span, formula.op, cell, wanted))
        make = cond.And if formula.op == "==" else cond.Or
        return make(formula.span, tuple(compares))

    def observed(self, places: tuple[sx.Place | sx.RegisterPlace, ...]) -> tuple[cond.Term, ...]:
        """The terms of `locations`; an array stands for all its cells."""
        found: list[cond.Term] = []
        for place in places:
            array = self.memory.variables.get(place.name) if isinstance(place, sx.Place) else None
            if (
                isinstance(place, sx.Place)
                and place.index is None
                and array is not None
                and array.cells is not None
            ):
                found += [self._cell(place, index, place.name) for index in range(array.cells)]
                continue
            term = self.term(place)
            if not isinstance(term, cond.Value):
                found.append(term)
        return tuple(found)

    def formula(self, formula: sx.Formula) -> cond.Formula:
        if isinstance(formula, sx.CompareClause):
            return self._compare(formula)
        if isinstance(formula, sx.NotClause):
            return cond.Not(formula.span, self.formula(formula.operand))
        if isinstance(formula, sx.Cells):
            return self._cells(formula)
        if isinstance(formula, sx.ImpliesClause):
            denied = cond.Not(formula.left.span, self.formula(formula.left))
            return cond.Or(formula.span, (denied, self.formula(formula.right)))
        if isinstance(formula, sx.Undefined):
            raise Unsupported("unsupported condition `Undef`", formula.span)
        make = cond.And if isinstance(formula, sx.AndClause) else cond.Or
        return make(formula.span, tuple(self.formula(operand) for operand in formula.operands))

    def condition(self, final: sx.Final | None, header: Span) -> cond.Condition:
        """The condition of the test; a test that states none is one of `forall (true)`, as in
        herd."""
        if final is None:
            return cond.Condition(header, cond.Quantifier.FORALL, cond.And(header, ()))
        formula = self.formula(final.formula)
        text = Spelling(self.memory, self._cast).formula(final.formula)
        return cond.Condition(final.span, final.quantifier, formula, text)

    def _cast(self, place: sx.Operand, value: int) -> int:
        """`value` as a number of the type of what it is compared with."""
        if isinstance(place, sx.Number | sx.Address):
            return value
        term = self.term(place)
        return value if isinstance(term, cond.Value) else term.look.cast(value)

    def _operand(self, operand: sx.Operand) -> cond.Operand:
        if isinstance(operand, sx.Number):
            return cond.Value(operand.span, operand.value)
        if isinstance(operand, sx.Address):
            number, name = self.memory.address(
                operand.name, operand.index, operand.offset, operand.span
            )
            return cond.Value(operand.span, number, name)
        return self.term(operand)

    def _compare(self, formula: sx.CompareClause) -> cond.Formula:
        left, right = self._operand(formula.left), self._operand(formula.right)
        if isinstance(left, cond.Value):
            left, right = right, left
        if not isinstance(right, cond.Value) or isinstance(left, cond.Value):
            return cond.Compare(formula.span, formula.op, left, right)
        return self._against(formula.span, formula.op, left, right)

    def _against(self, span: Span, op: str, left: cond.Term, right: cond.Value) -> cond.Formula:
        """A term compared with a value."""
        wanted: tuple[int, ...] = (right.value,)
        if isinstance(left, cond.LocationTerm):
            wanted = (self._as_held(left, right.value),)
        elif self._look(left.thread, left.register).bits < values.BITS:
            wanted = _ints(right.value)
        compares = tuple(
            cond.Compare(span, op, left, cond.Value(right.span, value, right.name))
            for value in wanted
        )
        if len(compares) == 1:
            return compares[0]
        make = cond.Or if op == "==" else cond.And
        return make(span, compares)

    def _as_held(self, term: cond.LocationTerm, value: int) -> int:
        """What the location holds when it is `value`: 0xffffffff is -1 in 32 bits."""
        variable = self.memory.at(term.address)
        bits = INT
        if variable is not None:
            bits = self.bits.get(variable.name) or variable.bits or INT
        return values.narrow(value, bits) if 0 <= value < 1 << bits else value


def _ints(value: int) -> tuple[int, ...]:
    """The numbers that a register may hold when it is the int `value`."""
    if not -(1 << (INT - 1)) <= value < 1 << INT:
        return (value,)
    signed = values.narrow(value, INT)
    return (signed,) if signed >= 0 else (signed, signed + (1 << INT))


def expectations(final: sx.Final | None) -> tuple[Expectation, ...]:
    """What `final … with model: quantifier` expects under single models."""
    if final is None:
        return ()
    exists = cond.Quantifier.EXISTS
    if final.quantifier is exists:
        answers = {exists: "ALLOWED", cond.Quantifier.NOT_EXISTS: "FORBIDDEN"}
    elif final.quantifier is cond.Quantifier.NOT_EXISTS:
        answers = {exists: "VIOLATED", cond.Quantifier.NOT_EXISTS: "HOLDS"}
    else:
        answers = {cond.Quantifier.FORALL: "HOLDS"}
    found: list[Expectation] = []
    for model, quantifier in final.others.items():
        if quantifier not in answers:
            message = (
                f"unsupported condition: `{quantifier.value}` for {model} next to "
                f"`{final.quantifier.value}`"
            )
            raise Unsupported(message, final.span)
        found.append(Expectation(final.span, model, answers[quantifier]))
    return tuple(found)
