"""cat text → syntax tree, with the grammar in cat.lark (herd's language, without what REFUSED_WORDS
lists).

Comments nest, so they are blanked before lark sees the text; every place keeps its line and column.
The one special comment, `(*% commit-before E *)`, is parsed by itself with all around it blanked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TypeAlias

import lark

from hybrid.errors import InputError
from hybrid.model.core import Kind, Test
from hybrid.model.messages import OutsideDialect
from hybrid.model.names import KEYWORDS, REFUSED_WORDS, TITLE_OPTIONS
from hybrid.model.syntax import (
    ANNOTATIONS,
    COMMIT_BEFORE,
    KNOWN,
    WORDS,
    Annotation,
    Binding,
    Bracket,
    Call,
    Chain,
    Check,
    ComplementOf,
    Cross,
    DifferenceOf,
    File,
    Include,
    Lambda,
    Let,
    LetIn,
    Name,
    Node,
    Nothing,
    Postfix,
    Remark,
    Statement,
    TryWith,
    WithFrom,
)
from hybrid.parser_tables import make_parser
from hybrid.parsing import (
    check_depth,
    check_length,
    did_you_mean,
    syntax_error,
    token_span,
    tree_span,
)
from hybrid.source import Source, Span

Tree: TypeAlias = lark.Tree[lark.Token]

_WORDS = {  # how messages name what the grammar expects
    "NAME": "a name",
    "STRING": "a string",
    "TAG": "",
    "OUTSIDE": "",
    "TILDE": "an expression",
    **dict.fromkeys(("VBAR", "SEMICOLON", "BACKSLASH", "AMPERSAND", "STAR", "PLUS"), "an operator"),
    **dict.fromkeys(("QMARK", "INVERSE", "HAT"), "an operator"),
    **dict.fromkeys(("ACYCLIC", "IRREFLEXIVE", "EMPTY"), "an axiom"),
    **dict.fromkeys(("FLAG", "UNDEFINED_UNLESS", "NEGATION"), ""),
}


class _Refused(Exception):
    """Raised by the lexer at a word that hybrid's dialect leaves out."""

    def __init__(self, token: lark.Token, hint: str = "") -> None:
        super().__init__(str(token))
        self.token = token
        self.hint = hint


def _check_name(token: lark.Token) -> lark.Token:
    if token in REFUSED_WORDS:
        raise _Refused(token, REFUSED_WORDS[token])
    return token


def _refuse_tag(token: lark.Token) -> lark.Token:
    raise _Refused(token)


def _refuse_symbol(token: lark.Token) -> lark.Token:
    hint = "a closure of a closure needs parentheses: `(r+)+`" if token == "++" else ""
    raise _Refused(token, hint)


@cache
def _parser() -> lark.Lark:
    return make_parser(
        Path(__file__).with_name("cat.lark"),
        start=["file", "annotation"],
        maybe_placeholders=False,
        # NAME, which lark chains with its own callback for keywords, works as the last one only
        # (lark 1.1 to 1.3).
        callbacks={"TAG": _refuse_tag, "OUTSIDE": _refuse_symbol, "NAME": _check_name},
    )


@cache
def _words() -> dict[str, str]:
    """Names of the terminals in messages: all infix and postfix signs are `an operator`."""
    words = dict(_WORDS)
    for terminal in _parser().terminals:
        if terminal.pattern.value in ("^*", "^+", "^?"):
            words[terminal.name] = "an operator"
        elif terminal.pattern.value in ("0", "_", "{", "[", "(", "begin", "fun"):
            words[terminal.name] = "an expression"
    return words


def parse(source: Source) -> File:
    """The syntax tree of `source`, or an InputError."""
    check_length(source)
    text, annotations = _blank_comments(source)
    tree = _tree(source, text, "file")
    children = [child for child in tree.children if isinstance(child, lark.Tree)]
    title = ""
    if children and children[0].data == "title":
        title = _title(source, children.pop(0))
    statements = [_statement(source, child) for child in children if child.data != "show"]
    every: dict[str, Annotation | Remark] = {}
    for comment in annotations:
        annotation = _annotation(source, comment)
        first = every.setdefault(annotation.word, annotation)
        if first is not annotation:
            raise InputError(
                f"a second {annotation.word}", annotation.span, f"the first is at {first.span}"
            )
    said = tuple(each for each in every.values() if isinstance(each, Remark))
    found = {each.word: each for each in every.values() if isinstance(each, Annotation)}
    if found and COMMIT_BEFORE not in found:
        alone = next(iter(found.values()))
        raise InputError(
            f"a {alone.word} without a commit-before in the same text",
            alone.span,
            "it says more about how rsmc commits events; add `(*% commit-before E *)`",
        )
    return File(title, tuple(statements), tuple(found.values()), said)


# Comments


@dataclass(slots=True)
class _Comment:
    start: int  # of `(*`
    end: int  # behind `*)`
    text: str  # as long as the source: blank except for what stands in the comment


def _blank(text: str) -> str:
    return "".join(c if c in "\r\n" else " " for c in text)


def _blank_comments(source: Source) -> tuple[str, list[_Comment]]:
    """The text with comments blanked, and the comments `(*% … *)`."""
    text = source.text
    pieces: list[str] = []
    annotations: list[_Comment] = []
    kept = 0  # where the text begins that is not yet in pieces
    at = 0
    while at < len(text):
        if text[at] == '"':
            closing = text.find('"', at + 1)
            newline = text.find("\n", at)
            if closing < 0 or 0 <= newline < closing:
                end = newline if newline >= 0 else len(text)
                raise InputError("this string is never closed", _span(source, at, end))
            at = closing + 1
            continue
        if text.startswith("(*", at):
            end = _comment_end(source, at)
            if text.startswith("(*%", at):
                annotations.append(_comment(text, at, end))
        elif text[at] == "#" or text.startswith("//", at):
            newline = text.find("\n", at)
            end = newline if newline >= 0 else len(text)
        else:
            at += 1
            continue
        pieces += (text[kept:at], _blank(text[at:end]))
        at = kept = end
    return "".join((*pieces, text[kept:])), annotations


def _comment_end(source: Source, start: int) -> int:
    """Behind the `*)` that closes the comment at `start`; comments nest."""
    text = source.text
    depth, at = 1, start + 2
    while depth:
        opening, closing = text.find("(*", at), text.find("*)", at)
        if closing < 0:
            span = _span(source, start, start + 2)
            raise InputError("this comment is never closed", span, "expected `*)`")
        if 0 <= opening < closing:
            depth, at = depth + 1, opening + 2
        else:
            depth, at = depth - 1, closing + 2
    return at


def _comment(text: str, start: int, end: int) -> _Comment:
    """The special comment at `start`, comments inside it blanked."""
    inside: list[str] = []
    depth, at = 0, start + 3
    while at < end - 2:
        if text.startswith("(*", at):
            depth, step = depth + 1, 2
        elif text.startswith("*)", at):
            depth, step = depth - 1, 2
            inside.append("  ")
            at += step
            continue
        else:
            step = 1
        piece = text[at : at + step]
        inside.append(_blank(piece) if depth else piece)
        at += step
    padded = _blank(text[: start + 3]) + "".join(inside) + _blank(text[end - 2 :])
    return _Comment(start, end, padded)


def _span(source: Source, start: int, end: int) -> Span:
    def place(offset: int) -> tuple[int, int]:
        before = source.text[:offset]
        return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1

    return Span(source, *place(start), *place(end))


# Trees


def _tree(source: Source, text: str, start: str) -> Tree:
    try:
        tree = _parser().parse(text, start=start)
    except _Refused as refused:
        raise OutsideDialect(
            f"`{refused.token}` is not in hybrid's dialect of cat",
            token_span(source, refused.token),
            refused.hint,
        ) from None
    except lark.UnexpectedInput as error:
        _check_head(source, text, error.line)
        raise syntax_error(source, error, _parser(), _words()) from None
    check_depth(source, tree)
    return tree


def _check_head(source: Source, text: str, line: int) -> None:
    """A misspelt keyword at the head reads as a title, and lark stumbles later on its line: say
    what it was."""
    head = re.match(r"\s*([A-Za-z_]+)", text)
    if head is None or head[1] in KEYWORDS:
        return
    span = _span(source, head.start(1), head.end(1))
    near = get_close_matches(head[1], KEYWORDS, n=1, cutoff=0.8)
    if near and span.line == line:
        raise InputError(f"unexpected `{head[1]}`", span, f"did you mean `{near[0]}`?") from None


def _annotation(source: Source, comment: _Comment) -> Annotation | Remark:
    span = _span(source, comment.start, comment.end)
    if not comment.text.strip():
        raise InputError("an empty special comment", span, "expected `(*% commit-before E *)`")
    tree = _tree(source, comment.text, "annotation")
    word = tree.children[0]
    assert isinstance(word, lark.Token)
    if word not in ANNOTATIONS:
        raise InputError(
            f"unknown special comment `{word}`",
            token_span(source, word),
            f"expected one of {', '.join(ANNOTATIONS)}, as in `(*% commit-before E *)`",
        )
    expr = _node(source, tree.children[1])
    if word not in WORDS:
        return Annotation(span, str(word), expr)
    names = expr.operands if isinstance(expr, Chain) and expr.op == "|" else (expr,)
    known = KNOWN.get(word, ())
    if (known and len(names) > 1) or not all(isinstance(n, Name) for n in names):
        expected = "the name of a machine" if known else "names with `|` between them"
        raise InputError(f"{expected} should follow `{word}`", span)
    said = [n for n in names if isinstance(n, Name)]
    if known and said[0].name not in known:
        hint = did_you_mean(said[0].name, known) or f"known: {', '.join(known)}"
        raise InputError(f"no machine is called `{said[0].name}`", said[0].span, hint)
    return Remark(span, str(word), tuple(n.name for n in said))


def _title(source: Source, tree: Tree) -> str:
    words = [child for child in tree.children if isinstance(child, lark.Token)]
    if len(words) == 2:
        first, second = words
        near = get_close_matches(first, KEYWORDS, n=1, cutoff=0.8)
        if first.type == "NAME" and near:
            raise InputError(
                f"unexpected `{first}`", token_span(source, first), f"did you mean `{near[0]}`?"
            )
        if first.type == "STRING" and second not in TITLE_OPTIONS:
            raise OutsideDialect(
                f"`{second}` after the title is not in hybrid's dialect of cat",
                token_span(source, second),
                f"expected one of {', '.join(sorted(TITLE_OPTIONS))}, or nothing",
            )
        if second in TITLE_OPTIONS:
            words = [first]
    return " ".join(word.strip('"') for word in words)


def _statement(source: Source, tree: Tree) -> Statement:
    span = tree_span(source, tree)
    match tree.data:
        case "let" | "let_rec":
            return Let(span, _bindings(source, tree.children), tree.data == "let_rec")
        case "check":
            return _check(source, tree)
        case "include":
            (path,) = tree.children
            assert isinstance(path, lark.Token)
            return Include(token_span(source, path), path[1:-1])
        case _:
            name, expr = tree.children
            assert isinstance(name, lark.Token)
            return WithFrom(span, str(name), _node(source, expr))


def _check(source: Source, tree: Tree) -> Check:
    qualifier, negation, test, expr, *name = tree.children
    assert isinstance(qualifier, lark.Tree) and isinstance(negation, lark.Tree)
    assert isinstance(test, lark.Tree)
    return Check(
        tree_span(source, tree),
        Test(str(test.children[0])),
        bool(negation.children),
        str(qualifier.children[0]) if qualifier.children else "",
        _node(source, expr),
        str(name[0]) if name else "",
    )


def _bindings(source: Source, trees: list[Tree | lark.Token]) -> tuple[Binding, ...]:
    bindings: list[Binding] = []
    for tree in trees:
        assert isinstance(tree, lark.Tree)
        name, *params, value = tree.children
        assert isinstance(name, lark.Token)
        names = _params(source, params[0]) if params else None
        bindings.append(Binding(token_span(source, name), str(name), names, _node(source, value)))
        for earlier in bindings[:-1]:
            if earlier.name == name:
                raise InputError(
                    f"`{name}` is defined twice here",
                    token_span(source, name),
                    f"the first definition is at {earlier.span}",
                )
    return tuple(bindings)


def _params(source: Source, tree: Tree | lark.Token) -> tuple[str, ...]:
    assert isinstance(tree, lark.Tree)
    names: list[str] = []
    for token in tree.children:
        assert isinstance(token, lark.Token)
        if token in names:
            raise InputError(f"two parameters are called `{token}`", token_span(source, token))
        names.append(str(token))
    return tuple(names)


_CHAINS = {"union": "|", "sequence": ";", "intersection": "&"}
_POSTFIX = {"star": "*", "plus": "+", "optional": "?", "inverse": "^-1"}
_UNARY: dict[str, type[ComplementOf | Bracket]] = {"complement": ComplementOf, "identity": Bracket}
_BINARY: dict[str, type[DifferenceOf | Cross | TryWith]] = {
    "difference": DifferenceOf,
    "product": Cross,
    "try_with": TryWith,
}


def _node(source: Source, tree: Tree | lark.Token) -> Node:
    """The node of an expression; the tree is not too deep to recurse."""
    assert isinstance(tree, lark.Tree)
    span = tree_span(source, tree)
    parts = tree.children
    kind = str(tree.data)
    if kind in _CHAINS:
        return Chain(span, _CHAINS[kind], tuple(_node(source, part) for part in parts))
    if kind in _POSTFIX:
        return Postfix(span, _POSTFIX[kind], _node(source, parts[0]))
    if kind in _UNARY:
        return _UNARY[kind](span, _node(source, parts[0]))
    if kind in _BINARY:
        return _BINARY[kind](span, _node(source, parts[0]), _node(source, parts[1]))
    match kind:
        case "name":
            return Name(span, str(parts[0]))
        case "universe":
            return Name(span, "_")
        case "zero":
            return Nothing(span, Kind.RELATION)
        case "braces":
            if parts:
                raise InputError("sets of given elements are not in hybrid's dialect of cat", span)
            return Nothing(span, Kind.SET)
        case "call":
            return _call(source, span, parts)
        case "let_in":
            *bindings, body = parts
            return LetIn(span, _bindings(source, bindings), _node(source, body))
        case "let_rec_in":
            raise OutsideDialect(
                "a `let rec` inside an expression is not in hybrid's dialect of cat",
                span,
                "define it by a statement before this one",
            )
        case "tuple":
            raise OutsideDialect("tuples are not in hybrid's dialect of cat", span)
        case "function":
            return Lambda(span, _params(source, parts[0]), _node(source, parts[1]))
        case _:
            raise AssertionError(f"no expression is called {kind}")


def _call(source: Source, span: Span, parts: list[Tree | lark.Token]) -> Call:
    name, *given = parts
    assert isinstance(name, lark.Token)
    arguments: list[Node] = []
    for part in given:
        assert isinstance(part, lark.Tree)
        if part.data == "arguments":
            arguments += (_node(source, argument) for argument in part.children)
        else:
            arguments.append(_node(source, part))
    return Call(span, Name(token_span(source, name), str(name)), tuple(arguments))
