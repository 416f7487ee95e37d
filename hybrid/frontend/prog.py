"""The .prog language: text to Program.

The language of Fig. 1 of "Stateless model checking for POWER" (RSMC) with everything else that
programs have; docs/prog.md describes it. The grammar is prog.lark; trees are read by prog_names
(declarations), prog_expr, prog_code (threads) and here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import lark

from hybrid.data import MODEL_EXTENSION, builtin_models, names_a_model
from hybrid.errors import InputError
from hybrid.frontend.prog_code import CodeReader, Labels
from hybrid.frontend.prog_expr import as_token, as_tree
from hybrid.frontend.prog_names import Names, Node, Tree
from hybrid.parser_tables import make_parser
from hybrid.parsing import (
    MAX_DEPTH,
    check_depth,
    check_length,
    did_you_mean,
    literal_words,
    read_source,
    syntax_error,
    token_span,
    tree_span,
)
from hybrid.program import condition as cond
from hybrid.program.check import check_program
from hybrid.program.program import Expectation, Program, Thread
from hybrid.source import Source, Span
from hybrid.verdict import Verdict

_MAX_TREE_DEPTH = (
    MAX_DEPTH + 60
)  # blocks and expressions together; expressions alone have MAX_DEPTH

_COMPARISONS = frozenset({"EQ", "EQEQ", "NE", "LT", "LE", "GT", "GE"})
_OPERATORS = _COMPARISONS | {
    *("BARBAR", "ANDAND", "BAR", "CARET", "AMP", "SHL", "SHR", "SHRU"),
    *("PLUS", "MINUS", "STAR", "SLASH", "PERCENT"),
}
# Terminals that, all accepted at once, are told by one word; the first that fits is taken.
_GROUPS: tuple[tuple[str, frozenset[str]], ...] = (
    (
        "an instruction",
        frozenset({"ASSERT", "ASSUME", "AWAIT", "DO", "GOTO", "IF", "SKIP", "WHILE", "XCHGAWAIT"})
        | {"NAME", "DOTTED", "LSQB"},
    ),
    (
        "a condition",
        frozenset({"TRUE", "FALSE", "NOT", "TILDE", "BANG", "LPAR", "LSQB", "AMP", "MINUS"})
        | {"NAME", "NUMBER"},
    ),
    (
        "an expression",
        frozenset({"NAME", "NUMBER", "LPAR", "LSQB", "AMP", "MINUS", "TILDE", "BANG"}),
    ),
    ("an operator", _OPERATORS),
    ("a comparison", _COMPARISONS),
)
_WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": "a string",
    "DOTTED": "",
    "ANNOTATION": "an annotation",
}


def load_prog(path: str | Path) -> Program:
    """The program in a file; without a `program` line it is named after the file."""
    return parse_program(read_source(path))


def parse_program(source: Source, name: str | None = None) -> Program:
    """The program that a text spells, checked. `name` is for a text without a `program` line,
    instead of its file's name."""
    check_length(source)
    try:
        tree = _parser().parse(source.text)
    except lark.UnexpectedInput as error:
        raise _syntax_error(source, error) from None
    check_depth(source, tree, _MAX_TREE_DEPTH, frozenset({"paren"}))
    program = _Reader(source).program(tree, name or Path(source.name).stem)
    if not program.threads:
        last = tree_span(source, tree)
        end = Span(source, last.end_line, last.end_column, last.end_line, last.end_column + 1)
        raise InputError("a program needs a thread", end, "expected `thread P:`")
    check_program(program)
    return program


def parse_expectations(source: Source, text: str) -> tuple[Expectation, ...]:
    """What the `expect` lines in `text` say, which is `source` with all else blank."""
    blank = Source(source.name, text)
    check_length(blank)
    try:
        tree = _parser().parse(text)
    except lark.UnexpectedInput as error:
        raise _syntax_error(source, error) from None
    reader = _Reader(source)
    for part in map(as_tree, tree.children):
        if part.data != "expectations":
            reader.names.fail("this is not about an expectation", part, "as in `sc: HOLDS`")
    return reader.program(tree, "").expectations


@cache
def reserved_words() -> frozenset[str]:
    """The words that cannot be names."""
    words = (word.strip("`") for word in literal_words(_parser()).values())
    return frozenset(word for word in words if word.isidentifier())


@cache
def _parser() -> lark.Lark:
    return make_parser(Path(__file__).with_name("prog.lark"))


def _syntax_error(source: Source, error: lark.UnexpectedInput) -> InputError:
    words: Mapping[str, str] = dict(_WORDS)
    if isinstance(error, lark.UnexpectedToken):
        accepted = set(error.accepts or error.expected)
        missing = _missing_semicolon(source, error, accepted)
        if missing is not None:
            return missing
        for word, group in _GROUPS:
            if group <= accepted:
                words = {**words, **dict.fromkeys(group, word)}
                break
        if error.token.type == "EQ" and "ASSIGN" in accepted:
            hint = "memory and registers are assigned with `:=`"
            return InputError("unexpected `=`", token_span(source, error.token), hint)
    return syntax_error(source, error, _parser(), words)


def _missing_semicolon(
    source: Source, error: lark.UnexpectedToken, accepted: set[str]
) -> InputError | None:
    """The error of a statement that is complete but for its `;`: it points behind the statement."""
    if "SEMICOLON" not in accepted or accepted & {"NAME", "$END"}:
        return None
    if error.interactive_parser is None:
        return None
    last = error.interactive_parser.parser_state.value_stack[-1]
    if isinstance(last, lark.Token):
        line, column = last.end_line, last.end_column
    elif isinstance(last, lark.Tree) and not last.meta.empty:
        line, column = last.meta.end_line, last.meta.end_column
    else:
        return None
    token = error.token
    ends = token.type in (
        "$END",
        "RBRACE",
        "THREAD",
        "EXISTS",
        "FORALL",
        "EXPECT",
        "LOCATIONS",
        "FILTER",
    )
    if line is None or column is None or not (ends or (token.line or 0) > line):
        return None
    return InputError("missing `;`", Span(source, line, column, line, column + 1))


class _Reader:
    """Reads the tree of one text."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.names = Names(source)
        self.threads: dict[str, int] = {}

    def program(self, tree: Tree, name: str) -> Program:
        parts: dict[str, list[Tree]] = {}
        for child in tree.children:
            part = as_tree(child)
            parts.setdefault(part.data, []).append(part)
        for kind in ("program_name", "description", "condition", "filter"):
            if len(parts.get(kind, ())) > 1:
                what = {"program_name": "name", "description": "description"}.get(kind, kind)
                self.names.fail(f"a program has one {what}", parts[kind][1])
        for named in parts.get("program_name", ()):
            name = self._word(as_token(named.children[0]))
            if not name:
                self.names.fail("a program's name cannot be empty", named)
        description = ""
        for text in parts.get("description", ()):
            description = self._word(as_token(text.children[0]))
        locations = self.names.declare(parts.get("location", ()))
        threads = self._threads(parts.get("thread", []), parts.get("register_value", []))
        condition = None
        for final in parts.get("condition", ()):
            kind = as_tree(final.children[0]).data
            formula = self._formula(as_tree(final.children[1]))
            quantifier = cond.Quantifier(str(kind).replace("not_", "~"))
            condition = cond.Condition(self.names.span(final), quantifier, formula)
        kept = [self._formula(as_tree(final.children[0])) for final in parts.get("filter", ())]
        observed = tuple(
            self._term(as_tree(term))
            for final in parts.get("observed", ())
            for term in final.children
            if term is not None
        )
        expectations = tuple(
            self._expectation(as_tree(expectation))
            for final in parts.get("expectations", ())
            for expectation in final.children
        )
        return Program(
            name,
            locations,
            threads,
            condition,
            observed,
            expectations,
            description,
            filter=kept[0] if kept else None,
        )

    def _word(self, token: lark.Token) -> str:
        """What a name or string token says."""
        if token.type != "STRING":
            return str(token)

        def unescape(match: re.Match[str]) -> str:
            escapes = {"\\": "\\", '"': '"', "n": "\n"}
            if match[1] not in escapes:
                hint = 'known: `\\\\`, `\\"` and `\\n`'
                self.names.fail(f"unknown escape `\\{match[1]}` in a string", token, hint)
            return escapes[match[1]]

        return re.sub(r"\\(.)", unescape, token[1:-1], flags=re.DOTALL)

    # Threads

    def _threads(self, trees: list[Tree], values: list[Tree]) -> tuple[Thread, ...]:
        for index, tree in enumerate(trees):
            token = as_token(tree.children[0])
            if token in self.threads:
                self.names.fail(f"thread `{token}` is defined twice", token)
            self.threads[token] = index
        initial: list[dict[str, tuple[int, str]]] = [{} for _ in trees]  # values, and their names
        for value in values:
            thread = self._thread(as_token(value.children[0]))
            self._initial(initial[thread], value.children[1], value.children[2])
        labels = Labels(self.names)
        readers: list[CodeReader] = []
        for index, tree in enumerate(trees):
            parameters = tree.children[1]
            if parameters is not None:
                for parameter in as_tree(parameters).children:
                    if parameter is not None:
                        register, given = as_tree(parameter).children
                        self._initial(initial[index], register, given)
            reader = CodeReader(self.names, labels, str(tree.children[0]))
            reader.statements(as_tree(tree.children[2]).children)
            readers.append(reader)
        return tuple(
            Thread(
                self.names.span(as_token(tree.children[0])),
                reader.thread,
                reader.finish(frozenset(start)),
                {register: value for register, (value, _) in start.items()},
                {register: name for register, (_, name) in start.items() if name},
            )
            for tree, reader, start in zip(trees, readers, initial, strict=True)
        )

    def _initial(self, initial: dict[str, tuple[int, str]], register: Node, given: Node) -> None:
        token = as_token(register)
        if token in self.names.variables:
            self.names.fail(f"`{token}` is a location, no register", token)
        if token in initial:
            self.names.fail(f"register `{token}` has two initial values", token)
        initial[str(token)] = self.names.value(as_tree(given))

    def _thread(self, token: lark.Token) -> int:
        """The index of a thread named by name or else by number."""
        if token in self.threads:
            return self.threads[token]
        if token.type == "NUMBER":
            number = self.names.literal(token)
            if 0 <= number < len(self.threads):
                return number
        hint = did_you_mean(token, self.threads) or f"known: {', '.join(self.threads)}"
        return self.names.fail(f"unknown thread `{token}`", token, hint if self.threads else "")

    # The final part

    def _formula(self, tree: Tree) -> cond.Formula:
        span = self.names.span(tree)
        if tree.data == "true":
            return cond.And(span, ())
        if tree.data == "false":
            return cond.Or(span, ())
        if tree.data == "negation":
            return cond.Not(span, self._formula(as_tree(tree.children[-1])))
        if tree.data == "compare":
            op = "==" if tree.children[1] == "=" else str(tree.children[1])
            left, right = (self._operand(as_tree(tree.children[i])) for i in (0, 2))
            return cond.Compare(span, op, left, right)
        operands = tuple(self._formula(c) for c in tree.children if isinstance(c, lark.Tree))
        make = cond.And if tree.data == "conjunction" else cond.Or
        return make(span, operands)

    def _operand(self, tree: Tree) -> cond.Operand:
        if tree.data == "constant":
            value, name = self.names.value(as_tree(tree.children[0]))
            return cond.Value(self.names.span(tree), value, name)
        return self._term(tree)

    def _term(self, tree: Tree) -> cond.Term:
        span = self.names.span(tree)
        if tree.data == "register_term":
            thread = self._thread(as_token(tree.children[0]))
            register = str(tree.children[1])
            name = f"{list(self.threads)[thread]}:{register}"
            return cond.RegisterTerm(span, thread, register, name)
        token, index = as_tree(tree.children[0]).children
        token = as_token(token)
        if index is None:
            if token not in self.names.variables and self.threads:
                hint = did_you_mean(token, self.names.variables)
                hint = hint or (
                    f"a register is written with its thread: `{next(iter(self.threads))}:{token}`"
                )
                self.names.fail(f"unknown location `{token}`", token, hint)
            variable = self.names.scalar(token)
            return cond.LocationTerm(span, variable.address, variable.name)
        address, name = self.names.address(token, index, self.names.number(as_tree(index)))
        return cond.LocationTerm(span, address, name)

    def _expectation(self, tree: Tree) -> Expectation:
        model, verdict, count, word = tree.children
        name, verdict = self._model(as_token(model)), as_token(verdict)
        words = (*Verdict.__members__, Expectation.RACE)
        if verdict not in words:
            hint = did_you_mean(verdict, words)
            known = f"known: ALLOWED, FORBIDDEN, HOLDS, VIOLATED, BOUNDED, {Expectation.RACE}"
            self.names.fail(f"unknown verdict `{verdict}`", verdict, hint or known)
        traces = None
        if count is not None:
            if word not in ("trace", "traces"):
                self.names.fail(f"unexpected `{word}`", as_token(word), "expected `traces`")
            traces = self.names.literal(as_token(count))
        span = tree_span(self.source, tree)
        return Expectation(span, name, str(verdict), traces)

    def _model(self, token: lark.Token) -> str:
        """A built-in model, or the file of one: what is expected of any other would never be
        compared."""
        name, known = self._word(token), builtin_models()
        if not names_a_model(name):
            listed = f"the built-in models are {', '.join(known)}"
            listed += f'; a file is written "{name}{MODEL_EXTENSION}"'
            self.names.fail(f"unknown model `{name}`", token, did_you_mean(name, known) or listed)
        return name
