"""What the elaborator says of names, calls and kinds that are wrong."""

from __future__ import annotations

from hybrid.errors import InputError
from hybrid.model.core import Kind
from hybrid.model.names import FENCE_NAMES, KEYWORDS
from hybrid.model.syntax import Call, Name, Node
from hybrid.parsing import did_you_mean


class OutsideDialect(InputError):
    """The text uses something of herd's or Dartagnan's cat that hybrid leaves out."""


class CallError(InputError):
    """An error inside the body of a function, shown where the function is called."""

    def __init__(self, cause: InputError, call: Call) -> None:
        hint = f"in the function at {cause.span}"
        super().__init__(
            f"in the call of `{call.function.name}`: {cause.message}",
            call.span,
            f"{cause.hint}, {hint}" if cause.hint else hint,
        )
        self.cause = cause


def text_of(node: Node) -> str:
    """What the text says there, cut when long."""
    text = node.span.text
    return text if len(text) <= 40 else text[:37] + "..."


def no_function(node: Call) -> InputError:
    argument = node.arguments[0] if node.arguments else node.function
    if argument.span.line > node.function.span.line:  # rather the next statement, misspelt
        return InputError(
            f"unexpected `{text_of(argument)}`",
            argument.span,
            did_you_mean(text_of(argument), KEYWORDS) or "expected an operator or a statement",
        )
    return InputError(
        f"`{node.function.name}` is not a function",
        node.function.span,
        "an operator such as `|` or `;` may be missing behind it",
    )


def wrong_kind(node: Node, wanted: Kind, op: str = "") -> InputError:
    text = text_of(node)
    found = "set" if wanted is Kind.RELATION else "relation"
    if op:
        message = f"`{text}` is a {found}, but `{op}` has a {wanted.value} before or after it"
    else:
        message = f"`{text}` is a {found} where a {wanted.value} is expected"
    if wanted is Kind.RELATION and isinstance(node, Name) and text in FENCE_NAMES:
        hint = (
            f"`fencerel({text})` relates what stands before such a fence to what stands behind it"
        )
    elif wanted is Kind.RELATION:
        hint = f"`[{text}]` is the identity on it" if len(node.span.text) <= 40 else ""
    else:
        hint = "`domain` and `range` make sets of a relation"
    return InputError(message, node.span, hint)
