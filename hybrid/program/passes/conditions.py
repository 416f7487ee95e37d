"""Conditions in disjunctive normal form: each conjunction says of some terms in which union of
intervals their values lie.

A comparison of a term with a constant is about that term; any other condition is about itself: a
comparison of two terms is 1, an expression is not 0.
"""

from __future__ import annotations

from collections.abc import Mapping

from hybrid.program import expr as ex
from hybrid.program import values
from hybrid.program.passes.intervals import ALL, ONE, TRUTHS, ZERO, Intervals, compared
from hybrid.program.passes.ssa import HERE

Conjunction = Mapping[ex.Expr, Intervals]  # none of them empty or everything; {} is true
Dnf = tuple[Conjunction, ...]  # () is false

TRUE: Dnf = ({},)
FALSE: Dnf = ()
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MOST = 16  # conjunctions of a condition; beyond it is not followed any further


class TooManyError(Exception):
    """A condition has grown beyond what is followed."""


def condition(term: ex.Expr, truth: bool = True) -> Dnf:
    """That a term is not 0, or that it is."""
    if isinstance(term, ex.Const):
        return TRUE if (term.value != 0) == truth else FALSE
    if isinstance(term, ex.Unary) and term.op == "!":
        return condition(term.operand, not truth)
    if isinstance(term, ex.Binary) and term.op in ("&&", "||"):
        left, right = condition(term.left, truth), condition(term.right, truth)
        return conjoined(left, right) if (term.op == "&&") == truth else either(left, right)
    if isinstance(term, ex.Binary) and term.op in values.COMPARISONS:
        op = term.op if truth else _OPPOSITE[term.op]
        return _comparison(op, term.left, term.right)
    return inside(term, ~ZERO if truth else ZERO)


def _comparison(op: str, left: ex.Expr, right: ex.Expr) -> Dnf:
    if isinstance(left, ex.Const) and not isinstance(right, ex.Const):
        return _comparison(values.MIRRORED[op], right, left)
    if isinstance(right, ex.Const):
        if isinstance(left, ex.Const):
            return TRUE if values.binary(op, left.value, right.value) else FALSE
        return inside(left, compared(op, right.value))
    if left == right:
        return TRUE if op in ("==", "<=", ">=") else FALSE
    if op in ("!=", ">=", "<="):
        return ({ex.Binary(HERE, _OPPOSITE[op], left, right): ZERO},)
    return ({ex.Binary(HERE, op, left, right): ONE},)


def inside(term: ex.Expr, where: Intervals) -> Dnf:
    """That the value of a term lies in there."""
    if isinstance(term, ex.Const):
        return TRUE if term.value in where else FALSE
    if is_truth(term):
        if where >= TRUTHS:
            return TRUE
        if 1 in where:
            return condition(term)
        return condition(term, False) if 0 in where else FALSE
    if isinstance(term, ex.Binary) and term.op in ("+", "^", "-"):
        moved = _without_constant(term, where)
        if moved is not None:
            return moved
    if where == ALL:
        return TRUE
    return ({term: where},) if where else FALSE


def _without_constant(term: ex.Binary, where: Intervals) -> Dnf | None:
    """`t + 1 = 3` is `t = 2`: a single value can be moved."""
    outside = (~where).only
    value = where.only if outside is None else outside
    if value is None or not isinstance(term.right, ex.Const):
        return None
    back = {"+": "-", "-": "+", "^": "^"}[term.op]
    moved = compared("==", values.binary(back, value, term.right.value))
    return inside(term.left, moved if outside is None else ~moved)


def is_truth(term: ex.Expr) -> bool:
    """Whether its value is 0 or 1."""
    if isinstance(term, ex.Unary):
        return term.op == "!"
    return isinstance(term, ex.Binary) and (
        term.op in values.COMPARISONS or term.op in ("&&", "||")
    )


def both(left: Conjunction, right: Conjunction) -> Conjunction | None:
    """The conjunction of two; None if it cannot be."""
    found = dict(left)
    for term, where in right.items():
        found[term] = found.get(term, ALL) & where
        if is_truth(term):
            found[term] &= TRUTHS
        if not found[term]:
            return None
    return found


def conjoined(left: Dnf, right: Dnf) -> Dnf:
    pairs = (both(one, other) for one in left for other in right)
    return either(tuple(pair for pair in pairs if pair is not None))


def either(*listed: Dnf) -> Dnf:
    """The disjunction, of which no part implies another. Parts that differ in what they say of one
    term become one."""
    found: list[Conjunction] = []
    for conjunction in (each for dnf in listed for each in dnf):
        new = conjunction
        merged = True
        while merged:
            merged = False
            for other in found:
                together = _united(new, other)
                if together is not None:
                    found.remove(other)
                    new, merged = together, True
                    break
        found.append(new)
        if len(found) > MOST:
            raise TooManyError
    return tuple(found)


def _united(one: Conjunction, other: Conjunction) -> Conjunction | None:
    """One conjunction for two, if there is one."""
    if implies(one, other):
        return other
    if implies(other, one):
        return one
    differing = [t for t in one.keys() | other.keys() if one.get(t) != other.get(t)]
    if len(differing) != 1 or one.keys() != other.keys():
        return None
    (term,) = differing
    where = one[term] | other[term]
    whole = where >= TRUTHS if is_truth(term) else where == ALL
    return {t: w for t, w in {**one, term: where}.items() if not (whole and t == term)}


def implies(one: Conjunction, other: Conjunction) -> bool:
    return all(term in one and one[term] <= where for term, where in other.items())


def formula(conjunction: Conjunction, truth: bool = True) -> ex.Expr:
    """A conjunction, or its negation, as an expression."""
    parts = [_part(term, where if truth else ~where) for term, where in conjunction.items()]
    return _joined("&&" if truth else "||", parts) or ex.Const(HERE, int(truth))


def _part(term: ex.Expr, where: Intervals) -> ex.Expr:
    if is_truth(term):
        if 1 in where and 0 in where:
            return ex.Const(HERE, 1)
        if 1 in where:
            return term
        if isinstance(term, ex.Binary) and term.op in _OPPOSITE:
            return ex.Binary(HERE, _OPPOSITE[term.op], term.left, term.right)
        return ex.Unary(HERE, "!", term)
    ways: list[ex.Expr] = []
    for first, low, second, high in where.comparisons:
        way = ex.Binary(HERE, first, term, ex.Const(HERE, low))
        if second:
            other = ex.Binary(HERE, second, term, ex.Const(HERE, high))
            way = ex.Binary(HERE, "&&", way, other)
        ways.append(way)
    return _joined("||", ways) or ex.Const(HERE, int(where == ALL))


def _joined(op: str, parts: list[ex.Expr]) -> ex.Expr | None:
    found: ex.Expr | None = None
    for part in parts:
        found = part if found is None else ex.Binary(HERE, op, found, part)
    return found


def show(conjunction: Conjunction) -> str:
    """`a > 4 && b = 0`, with the names of terms."""
    return ex.show(formula(conjunction)) if conjunction else "always"
