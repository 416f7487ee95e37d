"""Whether what a model allows, it still allows when only a part of the events has happened.

A prefix of an execution has, with each event, all that lead to it by po and rf; what the execution
says of its events, by base sets and relations, it says too. If no axiom can break in a prefix that
does not break in the whole, every prefix of an allowed execution is allowed. The test is syntactic:
it says yes only where that follows.
"""

from __future__ import annotations

from hybrid.model import core
from hybrid.model.commit_before import po_rf_acyclic
from hybrid.model.core import Definition, Expr, Model

# Of the events in a prefix, other than in the whole: its co-last stores, and read-modify-writes of
# which it has the load alone.
_CHANGING = {"FW", "RMW"}
_GROWING = {"FW"}


def allows_prefixes(model: Model) -> bool:
    """Whether each prefix of an execution that the model allows is allowed, and po and rf are
    acyclic in each."""
    definitions = model.definitions
    return po_rf_acyclic(model.axioms, definitions) and all(
        not axiom.negated and _shrinks(axiom.expr, definitions) for axiom in model.constraints
    )


def _shrinks(expr: Expr, definitions: tuple[Definition, ...]) -> bool:
    """Whether it is, in a prefix, no more than a part of what it is in the whole."""
    seen: set[int] = set()
    todo = [expr]
    while todo:
        part = todo.pop()
        if isinstance(part, core.Ref):
            if part.index not in seen:
                seen.add(part.index)
                todo.append(definitions[part.index].expr)
        elif isinstance(part, core.Base):
            if part.name in _GROWING:
                return False
        elif isinstance(part, core.Diff):
            if not _is_kept(part.right, definitions):
                return False
            todo.append(part.left)
        elif isinstance(part, core.Complement):
            if not _is_kept(part.operand, definitions):
                return False
        else:
            todo.extend(core.children(part))
    return True


def _is_kept(expr: Expr, definitions: tuple[Definition, ...]) -> bool:
    """Whether, of the events of a prefix, it is the same in the prefix and in the whole: it is made
    of base sets and relations, event by event or pair by pair."""
    if isinstance(expr, core.Ref):
        definition = definitions[expr.index]
        return definition.group is None and _is_kept(definition.expr, definitions)
    if isinstance(expr, core.Base):
        return expr.name not in _CHANGING
    pointwise = (
        core.Empty
        | core.Union
        | core.Inter
        | core.Diff
        | core.Complement
        | core.Inverse
        | core.Product
        | core.Identity
        | core.Opt
    )
    return isinstance(expr, pointwise) and all(
        _is_kept(child, definitions) for child in core.children(expr)
    )
