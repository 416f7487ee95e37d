"""`hybrid.ProgramBuilder`: a program, written in Python.

What it gives is what the .prog text of the same program would give, places aside: instructions and
conditions have the places of the calls that made them, and threads those of the .prog text, so that
whatever keeps a program's text (a witness, a certificate) has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hybrid.api.builder.calls import call_span
from hybrid.api.builder.code import check_name
from hybrid.api.builder.handles import (
    ALL,
    ANY,
    BuilderArray,
    BuilderExpr,
    BuilderLocation,
    BuilderOperation,
    FormulaReader,
    Operand,
    Resolver,
    as_expr,
)
from hybrid.api.builder.thread import ThreadBuilder
from hybrid.data import MODEL_EXTENSION, builtin_models, names_a_model
from hybrid.errors import InputError
from hybrid.parsing import did_you_mean
from hybrid.program import condition as cond
from hybrid.program import expr as ex
from hybrid.program import values
from hybrid.program.check import check_program
from hybrid.program.memory import HIGHEST, MAX_CELLS, Location, MemoryLayout
from hybrid.program.program import Expectation, Program, Thread
from hybrid.source import Source, Span
from hybrid.verdict import Verdict

_OPERATORS = (*values.BINARY_OPERATORS, *values.UNARY_OPERATORS)


@dataclass(frozen=True, slots=True)
class _Declared:
    """A location, or an array."""

    span: Span
    name: str
    size: int | None  # None: no array
    initial: tuple[BuilderExpr, ...]  # one for all cells, or one each
    at: int | None  # an address; None: wherever there is room


class ProgramBuilder:
    """Locations, threads and a final condition, in the order in which they are called for; `build`
    gives the Program."""

    def __init__(self, name: str = "program", description: str = "") -> None:
        self._span = call_span()
        self._owner = object()  # so that what other builders have made is not taken for its own
        if not name:
            raise InputError("a program's name cannot be empty", self._span)
        self.name = name
        self.description = description
        self._declared: dict[str, _Declared] = {}
        self._threads: dict[str, ThreadBuilder] = {}
        self._labels: dict[str, tuple[str, Span]] = {}
        self._condition: tuple[Span, cond.Quantifier, BuilderExpr] | None = None
        self._filter: tuple[BuilderExpr, Span] | None = None
        self._observed: list[tuple[BuilderExpr, Span]] = []
        self._expectations: list[Expectation] = []

    # ---- what there is

    def location(
        self, name: str, initial: Operand = 0, *, at: int | None = None
    ) -> BuilderLocation:
        """Declares a location with its initial value, which may be an address."""
        span = call_span()
        self._declare(span, name, None, [initial], at)
        return BuilderLocation(span, self._owner, name)

    def locations(self, names: str) -> tuple[BuilderLocation, ...]:
        """Several, all 0 at first: `x, y = b.locations("x y")`."""
        span = call_span()
        for name in names.split():
            self._declare(span, name, None, [0], None)
        return tuple(BuilderLocation(span, self._owner, name) for name in names.split())

    def array(
        self,
        name: str,
        size: int,
        initial: Operand | Sequence[Operand] = 0,
        *,
        at: int | None = None,
    ) -> BuilderArray:
        """Declares an array, with one initial value for all cells or one for each."""
        span = call_span()
        if not 0 < size <= MAX_CELLS:
            message = f"an array cannot have {size} cells"
            raise InputError(message, span, f"expected 1 to {MAX_CELLS}")
        given = list(initial) if isinstance(initial, Sequence) else [initial] * size
        if len(given) != size:
            message = f"{len(given)} initial values given"
            raise InputError(message, span, f"`{name}` has {size} cells")
        self._declare(span, name, size, given, at)
        return BuilderArray(name, size, self._owner)

    def _declare(
        self, span: Span, name: str, size: int | None, initial: Sequence[Operand], at: int | None
    ) -> None:
        check_name("location", name, span)
        if name in self._declared:
            first = self._declared[name].span.line
            raise InputError(f"`{name}` is declared twice", span, f"first in line {first}")
        cells = tuple(as_expr(value, span) for value in initial)
        self._declared[name] = _Declared(span, name, size, cells, at)
        if sum(len(each.initial) for each in self._declared.values()) > MAX_CELLS:
            raise InputError("the program has too many locations", span, f"at most {MAX_CELLS}")

    def thread(self, name: str, **registers: Operand) -> ThreadBuilder:
        """A thread; registers may have initial values: `b.thread("P", r0=1, p=x.address)`."""
        span = call_span()
        if not (name.isascii() and name.isdigit() and len(name) < 10):
            check_name("thread", name, span)
        if name in self._threads:
            raise InputError(f"thread `{name}` is defined twice", span)
        made = ThreadBuilder(name, span, self._labels, self._owner)
        for register, value in registers.items():
            check_name("register", register, span)
            made.initial[register] = (span, as_expr(value, span))
        self._threads[name] = made
        return made

    # ---- expressions

    def op(self, name: str, *operands: Operand) -> BuilderExpr:
        """An operator that Python lacks: `&&`, `||`, `!`, `>>>`, `min`, `max`, `umin`, `umax`,
        `nand`, or the low bits alone: `s8`, `u8`, …"""
        span = call_span()
        known = values.BINARY_OPERATORS if len(operands) == 2 else values.UNARY_OPERATORS
        if name not in known or len(operands) not in (1, 2):
            hint = did_you_mean(name, _OPERATORS) or f"known: {', '.join(_OPERATORS)}"
            raise InputError(f"no operator `{name}` takes {len(operands)} operands", span, hint)
        return BuilderOperation(span, name, [as_expr(each, span) for each in operands])

    def all(self, *formulas: BuilderExpr) -> BuilderExpr:
        """In a condition: all of them; of none it is true."""
        return BuilderOperation(call_span(), ALL, formulas)

    def any(self, *formulas: BuilderExpr) -> BuilderExpr:
        """In a condition: one of them at least; of none it is false."""
        return BuilderOperation(call_span(), ANY, formulas)

    # ---- the end

    def exists(self, formula: BuilderExpr) -> None:
        """Asks whether some execution ends so."""
        self._final(call_span(), cond.Quantifier.EXISTS, formula)

    def not_exists(self, formula: BuilderExpr) -> None:
        """Claims that none does."""
        self._final(call_span(), cond.Quantifier.NOT_EXISTS, formula)

    def forall(self, formula: BuilderExpr) -> None:
        """Claims that all do."""
        self._final(call_span(), cond.Quantifier.FORALL, formula)

    def _final(self, span: Span, quantifier: cond.Quantifier, formula: BuilderExpr) -> None:
        if self._condition is not None:
            raise InputError("a program has one condition", span)
        self._condition = span, quantifier, as_expr(formula, span)

    def filter(self, formula: BuilderExpr) -> None:
        """Leaves out executions that do not end so."""
        span = call_span()
        if self._filter is not None:
            raise InputError("a program has one filter", span)
        self._filter = as_expr(formula, span), span

    def observe(self, *terms: BuilderExpr) -> None:
        """Shows these registers and locations in final states as well."""
        span = call_span()
        self._observed += [(as_expr(term, span), span) for term in terms]

    def expect(self, model: str, verdict: str | Verdict, traces: int | None = None) -> None:
        """Says what the answer under a model should be: any other is VIOLATED."""
        span = call_span()
        word = verdict.value if isinstance(verdict, Verdict) else verdict
        known = (*Verdict.__members__, Expectation.RACE)
        if word not in known:
            hint = did_you_mean(word, known) or f"known: {', '.join(known)}"
            raise InputError(f"unknown verdict `{word}`", span, hint)
        if not names_a_model(model):
            hint = did_you_mean(model, builtin_models())
            listed = f"the built-in models are {', '.join(builtin_models())}"
            other = f"{listed}; a file is written {model}{MODEL_EXTENSION}"
            raise InputError(f"unknown model `{model}`", span, hint or other)
        self._expectations.append(Expectation(span, model, word, traces))

    def build(self) -> Program:
        """The program, checked. Raises InputError with the place of the call that is at fault."""
        if not self._threads:
            raise InputError("a program needs a thread", self._span, 'b.thread("P")')
        places = _Places(self._declared, list(self._threads), self._owner)
        labels = dict(self._labels)
        reader = FormulaReader(places)
        condition = None
        if self._condition is not None:
            span, quantifier, formula = self._condition
            condition = cond.Condition(span, quantifier, reader.formula(formula, span))
        program = Program(
            self.name,
            tuple(places.cells()),
            tuple(self._thread(each, places, labels) for each in self._threads.values()),
            condition,
            tuple(reader.term(term, span) for term, span in self._observed),
            tuple(self._expectations),
            self.description,
            filter=None if self._filter is None else reader.formula(*self._filter),
        )
        check_program(program)
        return _with_text(program)

    def _thread(
        self, thread: ThreadBuilder, places: _Places, labels: dict[str, tuple[str, Span]]
    ) -> Thread:
        for register in sorted(thread.registers & self._declared.keys()):
            raise InputError(f"`{register}` is a location, no register", thread.span)
        initial = {name: places.value(value) for name, (_, value) in thread.initial.items()}
        return Thread(
            thread.span,
            thread.name,
            thread.finish(places, labels),
            {name: value for name, (value, _) in initial.items()},
            {name: text for name, (_, text) in initial.items() if text},
        )


class _Places:
    """Where locations lie: those with an address where it says; the others follow in order, clear
    of each other and of those."""

    def __init__(self, declared: dict[str, _Declared], threads: list[str], owner: object) -> None:
        self.owner = owner
        self._declared = declared
        self._threads = threads
        self._addresses: dict[str, int] = {}
        layout = MemoryLayout()
        for each in declared.values():
            if each.at is not None:
                self._put(layout, each, each.at)
        for each in declared.values():
            if each.at is None:
                self._addresses[each.name] = layout.place(len(each.initial))

    def _put(self, layout: MemoryLayout, each: _Declared, at: int) -> None:
        cells = len(each.initial)
        if values.wrap(at) != at or at + cells - 1 > HIGHEST:
            raise InputError(f"the addresses of `{each.name}` do not fit 64 bits", each.span)
        if at <= 0 < at + cells:
            message = f"`{each.name}` cannot have address 0, which is null"
            raise InputError(message, each.span, "give another address, or none")
        clash = layout.clash(at, cells)
        if clash is not None:
            raise InputError(f"another location already has address {clash}", each.span)
        layout.put(at, cells)
        self._addresses[each.name] = at

    def address(self, array: str) -> int:
        return self._addresses[array]

    def thread(self, name: str) -> int:
        return self._threads.index(name)

    def value(self, node: BuilderExpr) -> tuple[int, str]:
        """An initial value and, of an address, how it is printed."""
        found = Resolver(self, "").expression(node, node.span)
        if not isinstance(found, ex.Const):
            raise InputError("an initial value is a number or an address", node.span)
        return found.value, found.name

    def cells(self) -> list[Location]:
        found = []
        for each in self._declared.values():
            start = self._addresses[each.name]
            for index, node in enumerate(each.initial):
                name = each.name if each.size is None else f"{each.name}[{index}]"
                found.append(Location(each.span, name, start + index, *self.value(node)))
        return found


def _with_text(program: Program) -> Program:
    """The same with the places of its threads in its .prog text."""
    from hybrid.frontend.prog_print import print_program

    text = print_program(program)
    source = Source(f"{program.name}.prog", text)
    lines = [number for number, line in enumerate(text.split("\n"), 1) if line[:7] == "thread "]
    threads = [
        replace(thread, span=Span(source, line, 8, line, 8 + len(thread.name)))
        for thread, line in zip(program.threads, lines[-len(program.threads) :], strict=True)
    ]
    return replace(program, threads=tuple(threads))
