"""Recursive definitions must be monotone, so that the least fixpoint exists (Tarski)."""

from __future__ import annotations

from hybrid.errors import InputError
from hybrid.model import core


def check_monotone(expr: core.Expr, members: range) -> None:
    """Members of the group may not occur under an odd number of complements and right sides of
    `\\`."""
    todo = [(expr, True)]
    while todo:
        part, positive = todo.pop()
        if isinstance(part, core.Ref):
            if part.index in members and not positive:
                raise InputError(
                    f"the recursion through `{part.span.text}` is not monotone",
                    part.span,
                    "a recursive name may not stand under `~` or to the right of `\\`",
                )
        elif isinstance(part, core.Diff):
            todo += ((part.left, positive), (part.right, not positive))
        elif isinstance(part, core.Complement):
            todo.append((part.operand, not positive))
        else:
            todo += ((child, positive) for child in core.children(part))
