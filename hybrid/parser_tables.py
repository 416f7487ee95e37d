"""Parsers by lark, whose tables are kept from one run to the next (kept_files.py): making them
takes longer than everything else in a short run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from hybrid.kept_files import keep, kept, name_of

Callbacks = Mapping[str, Callable[[lark.Token], lark.Token]]


def make_parser(
    grammar: Path,
    start: Sequence[str] = ("start",),
    maybe_placeholders: bool = True,
    callbacks: Callbacks | None = None,
) -> lark.Lark:
    """The parser of the grammar in a file."""
    text = grammar.read_text(encoding="utf-8")
    functions = dict(callbacks or {})
    options = (list(start), maybe_placeholders, sorted(functions))
    name = name_of("tables", text, options, lark.__version__)
    found = _kept(name, functions)
    if found is not None:
        return found
    made = lark.Lark(
        text,
        parser="lalr",
        lexer="basic",
        start=list(start),
        propagate_positions=True,
        maybe_placeholders=maybe_placeholders,
        lexer_callbacks=functions,
    )
    _keep(name, made)
    return made


def _kept(name: str, callbacks: dict[str, Any]) -> lark.Lark | None:
    """The parser whose tables are in a file; None where they are not."""
    try:
        tables, memo = kept(name)  # type: ignore[misc]  # None is as good as other contents
        load: Callable[..., lark.Lark] = lark.Lark._load_from_dict
        return load(tables, memo, lexer_callbacks=callbacks)
    except Exception:  # not there, or not what this lark takes for tables
        return None


def _keep(name: str, parser: lark.Lark) -> None:
    try:
        tables, memo = parser.memo_serialize([TerminalDef, Rule])
        tables["options"]["lexer_callbacks"] = {}  # they are given when it is loaded
    except (ValueError, TypeError, AttributeError, KeyError):
        return  # a lark with other insides
    keep(name, (tables, memo))
