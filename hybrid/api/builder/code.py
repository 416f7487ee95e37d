"""The shape of a thread that is being built: registers, labels, jumps, branches and loops.

Structured statements become branches as those of a .prog text do (frontend/prog_code.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache

from hybrid.api.builder.calls import call_span
from hybrid.api.builder.handles import (
    BuilderExpr,
    BuilderRegister,
    ComputedPlace,
    Layout,
    Operand,
    Resolver,
    as_expr,
    check_owner,
)
from hybrid.errors import InputError
from hybrid.parsing import did_you_mean
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.values import OPPOSITE
from hybrid.source import Span

DROP = "_"  # instead of a register: the value is dropped
Into = str | BuilderRegister | None  # None: a register with a new name
Make = Callable[[Resolver], ins.Instruction]
LabelPlaces = dict[str, tuple[str, Span]]  # thread and place of each label of a program

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


@cache
def _reserved() -> frozenset[str]:
    from hybrid.frontend.prog import reserved_words

    return reserved_words() | {DROP}


def check_name(what: str, name: str, span: Span) -> None:
    """Complains of a name that a .prog text could not have."""
    if not _NAME.fullmatch(name):
        raise InputError(f"`{name}` cannot be the name of a {what}", span, "letters, digits and _")
    if name in _reserved():
        raise InputError(f"`{name}` has a meaning in programs: it is no name of a {what}", span)


@dataclass(slots=True)
class _Line:
    """An instruction, made when the program is complete."""

    span: Span
    make: Make
    label: str  # empty: one is made up


class CodeBuilder:
    """The code so far. A mark stands for a place in it."""

    def __init__(self, name: str, span: Span, labels: LabelPlaces, owner: object) -> None:
        self.name = name
        self.span = span
        self.initial: dict[str, tuple[Span, BuilderExpr]] = {}  # values of registers
        self._labels = labels
        self._owner = owner  # what tells the ProgramBuilder from others
        self._lines: list[_Line] = []
        self._marks: list[int] = []  # the place that each stands for; -1: not yet known
        self._label_marks: dict[str, int] = {}
        self._jumps: list[tuple[str, Span]] = []  # labels that jumps name
        self._pending = ""  # the first label since the last instruction
        self._sets: set[str] = set()  # registers
        self._open_if: tuple[int, int, Span] | None = None  # its mark, where it ended, its span

    # ---- registers and labels

    def register(self, name: str) -> BuilderRegister:
        """A register by its name, whether it is set before or after."""
        span = call_span()
        check_name("register", name, span)
        return BuilderRegister(span, self._owner, self.name, name)

    def at(self, address: Operand) -> ComputedPlace:
        """The place where an expression points."""
        span = call_span()
        return ComputedPlace(span, as_expr(address, span))

    def label(self, name: str) -> None:
        """Names the place of the next instruction, for goto and branch."""
        span = call_span()
        check_name("label", name, span)
        if name in self._labels:
            thread, first = self._labels[name]
            told = f"first in line {first.line}, thread {thread}; labels are unique in a program"
            raise InputError(f"label `{name}` is defined twice", span, told)
        self._labels[name] = (self.name, span)
        self._put(self._label_mark(name))
        self._pending = self._pending or name
        self._open_if = None

    def _target(self, into: Into, span: Span) -> BuilderRegister | None:
        """The register that a value goes into; None: it is dropped."""
        if into is None:
            number = 0
            while f"r{number}" in self._sets or f"r{number}" in self.initial:
                number += 1
            into = f"r{number}"
        if isinstance(into, BuilderRegister):
            check_owner(self._owner, into, into.name, span)
            if into.thread != self.name:
                raise InputError(f"`{into.name}` is a register of thread {into.thread}", span)
            into = into.name
        if into == DROP:
            return None
        check_name("register", into, span)
        self._sets.add(into)
        return BuilderRegister(span, self._owner, self.name, into)

    @property
    def registers(self) -> frozenset[str]:
        """Those that it sets or starts with."""
        return frozenset(self._sets | self.initial.keys())

    # ---- jumps

    def goto(self, label: str) -> None:
        """Goes on at a label of this thread."""
        span = call_span()
        self._goto(span, self._jump(label, span))

    def branch(self, condition: Operand, label: str) -> None:
        """Goes on at a label of this thread if the condition holds."""
        span = call_span()
        self._branch(span, as_expr(condition, span), self._jump(label, span))

    @contextmanager
    def if_(self, condition: Operand) -> Iterator[None]:
        """`with p.if_(r0 == 1): …`"""
        span = call_span()
        otherwise = self._mark()
        self._branch(span, as_expr(condition, span), otherwise, unless=True)
        yield
        self._put(otherwise)
        self._open_if = otherwise, len(self._lines), span

    @contextmanager
    def else_(self) -> Iterator[None]:
        """`with p.else_(): …`, right after `with p.if_(…)`."""
        here = call_span()
        if self._open_if is None or self._open_if[1] != len(self._lines) or self._pending:
            raise InputError("an else_ without an if_ before it", here)
        otherwise, _, span = self._open_if
        end = self._mark()
        self._goto(span, end)
        self._put(otherwise)
        yield
        self._put(end)
        self._open_if = None

    @contextmanager
    def while_(self, condition: Operand) -> Iterator[None]:
        """`with p.while_(r0 != 1): …`"""
        span = call_span()
        head, end = self._mark(), self._mark()
        self._put(head)
        self._branch(span, as_expr(condition, span), end, unless=True)
        yield
        self._goto(span, head)
        self._put(end)

    @contextmanager
    def do_while(self, condition: Operand) -> Iterator[None]:
        """The same with the condition after the body, which is executed once at least."""
        span = call_span()
        head = self._mark()
        self._put(head)
        yield
        self._branch(span, as_expr(condition, span), head)

    def _goto(self, span: Span, mark: int) -> None:
        self._emit(span, "", lambda to: ins.Goto(span, "", mark))

    def _branch(self, span: Span, test: BuilderExpr, mark: int, unless: bool = False) -> None:
        def make(to: Resolver) -> ins.Instruction:
            condition = to.expression(test, span)
            return ins.Branch(span, "", _opposite(condition) if unless else condition, mark)

        self._emit(span, "", make)

    def _emit(self, span: Span, label: str, make: Make) -> None:
        if label:
            self.label(label)
        self._open_if = None
        self._lines.append(_Line(span, make, self._pending))
        self._pending = ""

    def _mark(self) -> int:
        self._marks.append(-1)
        return len(self._marks) - 1

    def _put(self, mark: int) -> None:
        self._marks[mark] = len(self._lines)

    def _label_mark(self, name: str) -> int:
        if name not in self._label_marks:
            self._label_marks[name] = self._mark()
        return self._label_marks[name]

    def _jump(self, label: str, span: Span) -> int:
        self._jumps.append((label, span))
        return self._label_mark(label)

    # ---- the end

    def finish(self, layout: Layout, labels: LabelPlaces) -> tuple[ins.Instruction, ...]:
        """The code with labels everywhere and targets in place; made-up labels are added to
        `labels`, which has those of the whole program."""
        for label, span in self._jumps:
            if self._marks[self._label_marks[label]] < 0:
                raise self._undefined(label, span)
        to = Resolver(layout, self.name)
        prefix = self.name if not self.name[:1].isdigit() else f"T{self.name}_"
        code: list[ins.Instruction] = []
        for index, line in enumerate(self._lines):
            made, label = line.make(to), line.label
            made = made.with_targets(self._marks.__getitem__)  # until now they were marks
            if not label:
                label = f"{prefix}{index}"
                while label in labels:
                    label = f"{label}_"
                labels[label] = (self.name, line.span)
            code.append(replace(made, label=label))
        known = self.registers
        for register, span in to.reads:
            if register not in known:
                hint = did_you_mean(register, known) or "no instruction of its thread sets it"
                raise InputError(f"unknown register `{register}`", span, hint)
        return tuple(code)

    def _undefined(self, label: str, span: Span) -> InputError:
        if label in self._labels:
            hint = f"`{label}` is in thread {self._labels[label][0]}; a jump stays in its thread"
        else:
            own = [name for name, (thread, _) in self._labels.items() if thread == self.name]
            hint = did_you_mean(label, own)
        return InputError(f"undefined label `{label}`", span, hint)


def _opposite(condition: ex.Expr) -> ex.Expr:
    if isinstance(condition, ex.Binary) and condition.op in OPPOSITE:
        return replace(condition, op=OPPOSITE[condition.op])
    return ex.Unary(condition.span, "!", condition)
