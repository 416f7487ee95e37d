"""The commit-before relation of a model that names none: (po | rf)+ where the axioms force po | rf
to be acyclic.

RSMC commits events along commit-before, so it must be acyclic in every allowed execution. The test
is syntactic: it says yes only where acyclicity follows, and may say no where it follows too.
"""

from __future__ import annotations

from collections.abc import Iterator

from hybrid.model import core
from hybrid.model.core import Axiom, Base, Definition, Expr, Inter, Kind, Test
from hybrid.source import Span, nowhere

DEFAULT = "default"
ANNOTATED = "annotated"
UNKNOWN = (
    "the text names no commit-before relation, and no axiom visibly makes po | rf acyclic; "
    "add a comment `(*% commit-before E *)`"
)


def default_commit_before(
    axioms: tuple[Axiom, ...], definitions: tuple[Definition, ...], span: Span
) -> tuple[Expr | None, str]:
    """The default and its origin, or None and the reason why there is none."""
    if not po_rf_acyclic(axioms, definitions):
        return None, UNKNOWN
    po, rf = Base(span, Kind.RELATION, "po"), Base(span, Kind.RELATION, "rf")
    return core.Plus(span, core.Union(span, Kind.RELATION, po, rf)), DEFAULT


def _relation(name: str) -> Base:
    return Base(nowhere(), Kind.RELATION, name)


_PO, _RF = _relation("po"), _relation("rf")
_PO_LOC = frozenset(
    (
        Inter(nowhere(), Kind.RELATION, _PO, _relation("loc")),
        Inter(nowhere(), Kind.RELATION, _relation("loc"), _PO),
    )
)
_RFE = frozenset(
    (
        Inter(nowhere(), Kind.RELATION, _RF, _relation("ext")),
        Inter(nowhere(), Kind.RELATION, _relation("ext"), _RF),
    )
)


def po_rf_acyclic(axioms: tuple[Axiom, ...], definitions: tuple[Definition, ...]) -> bool:
    """Whether some relation that an axiom keeps acyclic contains po and rf.

    po with rfe alone does too, given that rfi goes along po. It does when po-loc | rf is kept
    acyclic: an rfi from a store to a load before it in po would close a cycle with po-loc. (Initial
    writes are of no thread of the program, so reading from one is rfe.)
    """
    found = [
        contained
        for axiom in axioms
        if not axiom.flag and not axiom.negated
        for contained in _kept_acyclic(axiom, definitions)
    ]
    if any(_PO in contained and _RF in contained for contained in found):
        return True
    per_location = any(contained & _PO_LOC and _RF in contained for contained in found)
    return per_location and any(_PO in contained and contained & _RFE for contained in found)


def _kept_acyclic(axiom: Axiom, definitions: tuple[Definition, ...]) -> Iterator[frozenset[Expr]]:
    """Sets of expressions whose union the axiom keeps acyclic."""
    contained = _contained(axiom.expr, definitions, through_closure=axiom.test is Test.ACYCLIC)
    if axiom.test is Test.ACYCLIC:
        yield contained
    elif axiom.test is Test.IRREFLEXIVE:  # irreflexive r+ is acyclic r
        for expr in contained:
            if isinstance(expr, core.Plus):
                yield _contained(expr.operand, definitions, through_closure=True)


def _contained(
    expr: Expr, definitions: tuple[Definition, ...], through_closure: bool
) -> frozenset[Expr]:
    """Expressions below `expr`, by unions, definitions and `r ⊆ r?`, `r ⊆ r+`, `r ⊆ r*` (the
    closures are then not opened when the question is what is below `expr` as a closure itself)."""
    found: set[Expr] = set()
    seen: set[int] = set()
    todo = [expr]
    while todo:
        part = todo.pop()
        found.add(part)
        if isinstance(part, core.Ref):
            if part.index not in seen:
                seen.add(part.index)
                todo.append(definitions[part.index].expr)
        elif isinstance(part, core.Union):
            todo += (part.left, part.right)
        elif isinstance(part, core.Opt) or (
            through_closure and isinstance(part, core.Plus | core.Star)
        ):
            todo.append(part.operand)
    return frozenset(found)
