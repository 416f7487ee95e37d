"""A formula given on the command line (`P:r0=1 /\\ x=2`), read against a program that is already
loaded.

The grammar is that of final conditions in .prog texts; names are looked up in the Program, so that
it serves programs of every front end.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import lark

from hybrid.errors import InputError
from hybrid.frontend import prog
from hybrid.frontend.prog_names import Names, Tree
from hybrid.parser_tables import make_parser
from hybrid.parsing import check_depth, check_length, did_you_mean, syntax_error
from hybrid.program import condition as cond
from hybrid.program.check import register_names
from hybrid.program.program import Location, Program
from hybrid.source import Source

_WORDS = {"NAME": "a name", "NUMBER": "a number", "DOTTED": "", "STRING": "", "ANNOTATION": ""}


def parse_outcome(text: str, program: Program, option: str) -> cond.Formula:
    """The formula that `text` spells; `option` is where the user wrote it."""
    source = Source(option, text)
    check_length(source)
    try:
        tree = _parser().parse(text)
    except lark.UnexpectedInput as error:
        raise syntax_error(source, error, _parser(), _WORDS) from None
    check_depth(source, tree)
    return _Reader(source, program).formula(tree)


@cache
def _parser() -> lark.Lark:
    return make_parser(Path(prog.__file__).with_name("prog.lark"), start=["formula"])


class _Reader:
    def __init__(self, source: Source, program: Program) -> None:
        self.program = program
        self.names = Names(source)  # for spans and numbers; its table of variables stays empty
        self.locations = {location.name: location for location in program.locations}

    def formula(self, tree: Tree) -> cond.Formula:
        span = self.names.span(tree)
        if tree.data == "true":
            return cond.And(span, ())
        if tree.data == "false":
            return cond.Or(span, ())
        trees = [child for child in tree.children if isinstance(child, lark.Tree)]
        if tree.data == "negation":
            return cond.Not(span, self.formula(trees[0]))
        if tree.data == "compare":
            op = "==" if tree.children[1] == "=" else str(tree.children[1])
            return cond.Compare(span, op, self.operand(trees[0]), self.operand(trees[1]))
        operands = tuple(self.formula(child) for child in trees)
        return (cond.And if tree.data == "conjunction" else cond.Or)(span, operands)

    def operand(self, tree: Tree) -> cond.Operand:
        span = self.names.span(tree)
        inner = tree.children[0]
        if tree.data == "constant":
            assert isinstance(inner, lark.Tree)
            if inner.data == "number":
                return cond.Value(span, self.names.number(inner))
            location = self.location(inner)
            return cond.Value(span, location.address, f"&{location.name}")
        if tree.data == "register_term":
            return self.register(tree)
        assert isinstance(inner, lark.Tree)
        location = self.location(inner)
        return cond.LocationTerm(span, location.address, location.name)

    def register(self, tree: Tree) -> cond.RegisterTerm:
        thread, register = tree.children
        assert isinstance(thread, lark.Token) and isinstance(register, lark.Token)
        names = [t.name for t in self.program.threads]
        if thread in names:
            index = names.index(thread)
        elif thread.isdigit() and len(thread) < 10 and int(thread) < len(names):
            index = int(thread)
        else:
            hint = did_you_mean(thread, names) or f"known: {', '.join(names)}"
            self.names.fail(f"unknown thread `{thread}`", thread, hint)
        known = register_names(self.program.threads[index])
        if register not in known:
            hint = did_you_mean(register, known) or f"known: {', '.join(sorted(known)) or 'none'}"
            self.names.fail(f"thread {names[index]} has no register `{register}`", register, hint)
        span = self.names.span(tree)
        return cond.RegisterTerm(span, index, str(register), f"{thread}:{register}")

    def location(self, tree: Tree) -> Location:
        """The location of a `cell` or `address` node: a name, with or without an index."""
        name, index = tree.children
        text = str(name)
        if isinstance(index, lark.Tree):
            text += f"[{self.names.number(index)}]"
        if text not in self.locations:
            hint = did_you_mean(text, self.locations) or f"known: {', '.join(self.locations)}"
            raise InputError(f"unknown location `{text}`", self.names.span(tree), hint)
        return self.locations[text]
