"""Attributes of results, parameters and functions: passed over, also those that are new."""

from __future__ import annotations

from hybrid.frontend.llvm.module import Type
from hybrid.frontend.llvm.read_types import is_type_start, read_type
from hybrid.frontend.llvm.scan import TokenCursor


def skip_attribute(c: TokenCursor) -> tuple[str, Type | None]:
    """Past one attribute: `noundef`, `align 8`, `byval(%T)`, `"key"="value"`, `#0`. Gives its name
    and, for byval, the type."""
    token = c.tokens[c.at]
    first = token[:1]
    if first == '"':
        c.at += 1
        if c.accept("="):
            c.string("a string")
        return "", None
    if first == "#":
        c.at += 1
        return "", None
    if not first.isalpha() or token[-1] == ":":
        c.fail_expected("a type or a value")
    c.at += 1
    if token == "byval" and c.tokens[c.at] == "(":
        c.at += 1
        copied = read_type(c)
        c.expect(")")
        return token, copied
    if c.tokens[c.at] == "(":
        c.skip_group()
    elif c.tokens[c.at].isdecimal() and (
        token == "align" or c.tokens[c.at + 1] not in (",", ")", "]", "}")
    ):
        c.at += 1
    return token, None


def skip_to_type(c: TokenCursor) -> None:
    """Past the words before a type: flags, calling conventions, attributes of the result."""
    while not is_type_start(c.tokens[c.at]):
        skip_attribute(c)
