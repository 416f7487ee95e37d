"""Trees of C text: parsing a piece of a test, spans, numbers, types."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NoReturn, TypeAlias

import lark

from hybrid.errors import InputError, Unsupported
from hybrid.frontend.litmus import syntax as sx
from hybrid.frontend.litmus.c import types as ct
from hybrid.frontend.litmus.read_initial import TYPES
from hybrid.parser_tables import make_parser
from hybrid.parsing import (
    check_depth,
    did_you_mean,
    syntax_error,
    token_span,
    tree_span,
)
from hybrid.program import values
from hybrid.source import Source, Span

Tree: TypeAlias = lark.Tree[lark.Token]
Node: TypeAlias = Tree | lark.Token

MAX_DEPTH = 100  # levels of statements and expressions
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)([uU]?)([lL]{0,2})([uU]?)")
_KNOWN = {**TYPES, "void": (0, True), "atomic_flag": (8, False)}
_QUALIFIERS = frozenset({"const", "volatile", "restrict", "register", "signed", "unsigned"})
_EXPRESSION = frozenset(
    {"NAME", "NUMBER", "LPAR", "MINUS", "PLUS", "TILDE", "BANG", "STAR", "AMP", "STEP"}
)
_OPERATORS = frozenset(
    {"BAR", "CARET", "AMP", "EQ", "NE", "LT", "LE", "GT", "GE", "SHL", "SHR", "PLUS", "MINUS"}
) | {"STAR", "SLASH", "PERCENT", "__ANON_0", "__ANON_1"}
_WORDS = {"NAME": "a name", "NUMBER": "a number", "TYPE": "a type", "QUALIFIER": "", "ATOMIC": ""}
_REFUSED = frozenset(
    {"goto", "switch", "case", "default", "struct", "union", "enum", "typedef", "sizeof", "static"}
    | {"extern", "asm", "__asm__", "float", "double"}
)


class Trees:
    """The texts of one test."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def parse(self, piece: sx.Piece, start: str) -> Tree:
        """The tree of a piece of the test; everything before it is blanked, so that places are
        right."""
        before = re.sub(r"[^\n]", " ", self.source.text[: piece.start])
        try:
            text = before + self.source.text[piece.start : piece.end]
            tree = _parser().parse(text, start)
        except lark.UnexpectedInput as error:
            raise self._syntax_error(error, piece) from None
        check_depth(self.source, tree, MAX_DEPTH, frozenset({"paren"}))
        return tree

    def span(self, node: Node) -> Span:
        if isinstance(node, lark.Token):
            return token_span(self.source, node)
        return tree_span(self.source, node)

    def error(self, message: str, node: Node, hint: str = "") -> InputError:
        return InputError(message, self.span(node), hint)

    def fail(self, message: str, node: Node, hint: str = "") -> NoReturn:
        raise self.error(message, node, hint)

    def refuse(self, message: str, node: Node, hint: str = "") -> NoReturn:
        raise Unsupported(message, self.span(node), hint)

    def number(self, token: lark.Token) -> ct.Typed:
        """A literal with its type: the first of int, (unsigned,) long and unsigned long that it
        fits."""
        match = _NUMBER.fullmatch(token)
        if match is None or (match[2] and match[4]):
            self.fail(f"`{token}` is not a number", token)
        digits, decimal = match[1], match[1][0] != "0"
        octal = digits[0] == "0" and len(digits) > 1 and digits[1] not in "xX"
        value = int(digits, 8 if octal else 0)
        unsigned = bool(match[2] or match[4])
        bits = 64 if match[3] or value >= 1 << 32 else 32
        if not unsigned and value >= 1 << (bits - 1):
            if not decimal:
                unsigned = True
            else:
                bits = 64
        if value >= 1 << (64 if unsigned else 63):
            self.fail(f"{token} does not fit 64 bits", token)
        name = ("unsigned " if unsigned else "") + ("long" if bits == 64 else "int")
        return ct.constant(self.span(token), values.wrap(value), ct.Type(name, bits, not unsigned))

    def type(self, specifiers: Tree, pointer: Tree) -> ct.Type:
        """The type that words and stars spell."""
        found = self._base(specifiers)
        stars = [token for token in pointer.children if token == "*"]
        for _ in stars:
            found = ct.pointer_to(found)
        return found

    def _base(self, specifiers: Tree) -> ct.Type:
        words: list[lark.Token] = []
        atomic = unsigned = False
        inner: ct.Type | None = None
        for child in specifiers.children:
            if isinstance(child, lark.Tree):
                if inner is not None or words:
                    self.fail("two types", child)
                specifiers_, pointer = child.children[1:]
                assert isinstance(specifiers_, lark.Tree)
                assert isinstance(pointer, lark.Tree)
                inner, atomic = self.type(specifiers_, pointer), True
            elif child == "_Atomic":
                atomic = True
            elif child == "unsigned":
                unsigned = True
            elif child.type == "TYPE":
                words.append(child)
        if inner is not None:
            if words:
                self.fail("two types", words[0])
            return _atomic(inner, True)
        name = self._name(specifiers, words)
        bits, signed = _KNOWN[name]
        signed = signed and not unsigned
        spelled = name if signed == _KNOWN[name][1] else f"unsigned {name}"
        made = ct.Type(
            spelled, bits, signed, truth=name.removeprefix("atomic_") in ("bool", "_Bool")
        )
        return _atomic(made, atomic or name.startswith("atomic_"))

    def _name(self, specifiers: Tree, words: list[lark.Token]) -> str:
        """The one word for several: `long long int` is `long`."""
        plain = [str(word) for word in words]
        if not plain:
            signs = {"signed", "unsigned"} & {str(child) for child in specifiers.children}
            if not signs:
                self.fail("a type is missing", specifiers, "expected int, atomic_int, …")
            return "int"
        if len(plain) > 1 and "int" in plain and set(plain) <= {"long", "short", "int"}:
            plain.remove("int")
        if plain == ["long", "long"]:
            plain = ["long"]
        if len(plain) > 1:
            self.fail("two types", words[1])
        return plain[0]

    def _syntax_error(self, error: lark.UnexpectedInput, piece: sx.Piece) -> InputError:
        if not isinstance(error, lark.UnexpectedToken):
            return syntax_error(self.source, error, _parser(), _WORDS)
        accepted = set(error.accepts or error.expected)
        token = error.token
        if token.type == "$END":
            place = Span(
                self.source, piece.span.end_line, piece.span.end_column,
                piece.span.end_line, piece.span.end_column + 1,
            )  # fmt: skip
            hint = "expected `;`" if "SEMICOLON" in accepted else ""
            return InputError("the thread ends in the middle of a statement", place, hint)
        last = _last_token(error)
        if token.type == "REFUSED":
            return Unsupported(f"unsupported: `{token}`", token_span(self.source, token))
        if token.type == "NAME":
            word = token if "TYPE" in accepted and "NAME" not in accepted else last
            if word is not None and word.type == "NAME":
                hint = did_you_mean(word, _KNOWN)
                return Unsupported(f"unknown type `{word}`", token_span(self.source, word), hint)
        words = dict(_WORDS)
        if accepted >= _EXPRESSION:
            words |= dict.fromkeys(_EXPRESSION, "an expression")
        elif _OPERATORS & accepted and "SEMICOLON" in accepted:
            words |= dict.fromkeys(accepted - {"SEMICOLON"}, "an operator")
        elif len(_OPERATORS & accepted) > 1:
            words |= dict.fromkeys(_OPERATORS | {"CHANGE", "STEP", "EQUAL", "QMARK"}, "an operator")
        return syntax_error(self.source, error, _parser(), words)


def _atomic(type_: ct.Type, atomic: bool) -> ct.Type:
    return ct.Type(
        type_.name, type_.bits, type_.signed, type_.pointee, atomic or type_.atomic, type_.truth
    )


def _last_token(error: lark.UnexpectedToken) -> lark.Token | None:
    if error.interactive_parser is None:
        return None
    stack = error.interactive_parser.parser_state.value_stack
    node = stack[-1] if stack else None
    while isinstance(node, lark.Tree) and node.children and node.data in ("name", "specifiers"):
        node = node.children[-1]
    return node if isinstance(node, lark.Token) else None


def _typed(token: lark.Token) -> lark.Token:
    """A NAME that is a type becomes a TYPE, one that qualifies types a QUALIFIER, a word for what
    we do not take REFUSED."""
    tables = (("TYPE", _KNOWN), ("QUALIFIER", _QUALIFIERS), ("REFUSED", _REFUSED))
    for kind, table in tables:
        if token in table:
            return lark.Token.new_borrow_pos(kind, token.value, token)
    return token


@cache
def _parser() -> lark.Lark:
    return make_parser(
        Path(__file__).with_name("c.lark"),
        start=["start", "parameters"],
        callbacks={"NAME": _typed},
    )
