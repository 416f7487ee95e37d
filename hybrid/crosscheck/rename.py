"""A program with short names, as a reader would choose them: threads P, Q, …, labels L0, L1, …,
registers r0, r1, …, locations x, y, … where a layout puts them."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from hybrid.program import condition as cond
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import memory
from hybrid.program.program import Location, Program, Thread

_THREADS = "PQRSTUVW"
_LOCATIONS = "xyzabc"


def renamed(program: Program, backwards: bool = False) -> Program:
    """`program` with new names and addresses, its expectations left out. Where numbers serve as
    addresses its meaning may change. With `backwards` the last location comes first in memory."""
    renamer = _Renamer(program, backwards)
    condition = program.condition
    if condition is not None:
        condition = replace(condition, formula=renamer.formula(condition.formula), text="")
    return replace(
        program,
        locations=tuple(renamer.places.values()),
        threads=tuple(renamer.thread(t, n) for n, t in enumerate(program.threads)),
        condition=condition,
        observed=tuple(renamer.term(term) for term in program.observed),
        expectations=(),
        filter=None if program.filter is None else renamer.formula(program.filter),
    )


class _Renamer:
    def __init__(self, program: Program, backwards: bool) -> None:
        self.places: dict[int, Location] = {}  # by old address
        addresses = memory.addresses([1] * len(program.locations))
        if backwards:
            addresses = addresses[::-1]
        for i, (place, address) in enumerate(zip(program.locations, addresses, strict=True)):
            name = _LOCATIONS[i] if i < len(_LOCATIONS) else f"v{i}"
            self.places[place.address] = replace(place, name=name, address=address)
        for old, place in self.places.items():
            initial, shown = self._initial(place.initial, place.initial_name)
            self.places[old] = replace(place, initial=initial, initial_name=shown)
        self.threads = [
            _THREADS[i] if i < len(_THREADS) else f"P{i}" for i in range(len(program.threads))
        ]
        self.registers = [_register_names(thread) for thread in program.threads]
        self.labels = 0

    def thread(self, thread: Thread, number: int) -> Thread:
        names = self.registers[number]
        starts = {
            names[register]: self._initial(value, thread.initial_names.get(register, ""))
            for register, value in thread.initial.items()
        }
        initial = {register: value for register, (value, _) in starts.items()}
        shown = {register: name for register, (_, name) in starts.items() if name}
        code = tuple(self._instruction(instruction, names) for instruction in thread.code)
        name = self.threads[number]
        return replace(thread, name=name, code=code, initial=initial, initial_names=shown)

    def _initial(self, value: int, shown: str) -> tuple[int, str]:
        """An initial value, which moves with its location when it is an address."""
        if not shown or value not in self.places:
            return value, shown
        place = self.places[value]
        return place.address, f"&{place.name}"

    def _instruction(self, instruction: ins.Instruction, names: dict[str, str]) -> ins.Instruction:
        def change(expression: ex.Expr) -> ex.Expr:
            return self._expression(expression, names, expression is instruction.place)

        changed = replace(instruction, label=f"L{self.labels}")
        self.labels += 1
        return changed.with_expressions(change).with_sets(names.__getitem__)

    def _expression(self, expression: ex.Expr, names: dict[str, str], address: bool) -> ex.Expr:
        if isinstance(expression, ex.Const):
            if (expression.name or address) and expression.value in self.places:
                place = self.places[expression.value]
                return replace(expression, value=place.address, name=f"&{place.name}")
            return expression
        if isinstance(expression, ex.Register):
            return replace(expression, name=names.get(expression.name, expression.name))
        if isinstance(expression, ex.Unary):
            return replace(expression, operand=self._expression(expression.operand, names, False))
        if isinstance(expression, ex.Binary):
            left = self._expression(expression.left, names, False)
            right = self._expression(expression.right, names, False)
            return replace(expression, left=left, right=right)
        assert_never(expression)

    def formula(self, formula: cond.Formula) -> cond.Formula:
        if isinstance(formula, cond.Compare):
            left, right = self._operand(formula.left), self._operand(formula.right)
            return replace(formula, left=left, right=right)
        if isinstance(formula, cond.Not):
            return replace(formula, operand=self.formula(formula.operand))
        if isinstance(formula, cond.And | cond.Or):
            return replace(formula, operands=tuple(self.formula(f) for f in formula.operands))
        assert_never(formula)

    def _operand(self, operand: cond.Operand) -> cond.Operand:
        if not isinstance(operand, cond.Value):
            return self.term(operand)
        if operand.name and operand.value in self.places:
            place = self.places[operand.value]
            return replace(operand, value=place.address, name=f"&{place.name}")
        return operand

    def term(self, term: cond.Term) -> cond.Term:
        if isinstance(term, cond.LocationTerm):
            place = self.places[term.address]
            return replace(term, address=place.address, name=place.name)
        if not isinstance(term, cond.RegisterTerm):
            assert_never(term)
        register = self.registers[term.thread][term.register]
        return replace(term, register=register, name=f"{self.threads[term.thread]}:{register}")


def _register_names(thread: Thread) -> dict[str, str]:
    """New names in the order in which the code mentions the registers."""
    names: dict[str, str] = {}
    for instruction in thread.code:
        for expression in instruction.expressions:
            for register in sorted(ex.registers(expression)):
                if register != ins.READ:
                    names.setdefault(register, f"r{len(names)}")
        for register in instruction.sets:
            names.setdefault(register, f"r{len(names)}")
    for register in thread.initial:
        names.setdefault(register, f"r{len(names)}")
    return names
