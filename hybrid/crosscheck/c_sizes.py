"""Sizes for the locations of programs that are to be written in C: a location that has fewer than
64 bits there has a name that ends with their number (hybrid.frontend.c_print).

Programs have values of 64 bits. So a location gets a size that holds every value which a random
program can compute: with sums of registers, which may double a value again and again, not 8 bits.
"""

from __future__ import annotations

import random
from dataclasses import replace

from hybrid.crosscheck.relocated import has_pointers
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.condition import LocationTerm, Term
from hybrid.program.program import Program

_SIZES = ("", "", "32", "32", "16", "8")


def sized(program: Program, rng: random.Random) -> Program:
    """The program with sizes for its locations. Addresses need all 64 bits; where an address is
    computed from another, all locations have the same size."""
    if has_pointers(program):
        return program
    sizes = [size for size in _SIZES if size != "8" or not _adds_registers(program)]
    drawn = {each.address: rng.choice(sizes) for each in program.locations}
    if _goes_from_one_to_another(program):
        drawn = dict.fromkeys(drawn, rng.choice(sizes))
    names = {each.address: each.name + drawn[each.address] for each in program.locations}

    def change(expr: ex.Expr) -> ex.Expr:
        if isinstance(expr, ex.Const) and expr.name and expr.value in names:
            return replace(expr, name=f"&{names[expr.value]}")
        if isinstance(expr, ex.Unary):
            return replace(expr, operand=change(expr.operand))
        if isinstance(expr, ex.Binary):
            return replace(expr, left=change(expr.left), right=change(expr.right))
        return expr

    def renamed(term: Term) -> Term:
        return replace(term, name=names[term.address]) if isinstance(term, LocationTerm) else term

    return replace(
        program,
        locations=tuple(replace(each, name=names[each.address]) for each in program.locations),
        threads=tuple(
            replace(thread, code=tuple(each.with_expressions(change) for each in thread.code))
            for thread in program.threads
        ),
        observed=tuple(map(renamed, program.observed)),
    )


def _instructions(program: Program) -> list[ins.Instruction]:
    return [each for thread in program.threads for each in thread.code]


def _goes_from_one_to_another(program: Program) -> bool:
    places = [each.place for each in _instructions(program)]
    return any(place is not None and "<<" in _operators(place) for place in places)


def _adds_registers(program: Program) -> bool:
    """Whether two values that are read, or one and what is in memory, are added."""
    for each in _instructions(program):
        if isinstance(each, ins.Rmw) and each.op in ("+", "-") and ex.registers(each.operand):
            return True
        if any(_adds(expression) for expression in each.expressions):
            return True
    return False


def _adds(expr: ex.Expr) -> bool:
    if not isinstance(expr, ex.Binary):
        return False
    parts = (expr.left, expr.right)
    both = all(ex.registers(part) for part in parts)
    return (both and expr.op in "+-") or any(map(_adds, parts))


def _operators(expr: ex.Expr) -> set[str]:
    if isinstance(expr, ex.Binary):
        return {expr.op} | _operators(expr.left) | _operators(expr.right)
    return set()
