"""A program built anew from its instructions, call by call: what the builder makes must be what the
parser made."""

from __future__ import annotations

from typing import assert_never

from hybrid.api.builder.handles import (
    BuilderArray,
    BuilderExpr,
    BuilderLocation,
    BuilderNumber,
    BuilderPlace,
)
from hybrid.api.builder.program import ProgramBuilder
from hybrid.api.builder.thread import ThreadBuilder
from hybrid.frontend.prog_print import _variables  # how locations make up arrays
from hybrid.program import condition as cond
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import memory
from hybrid.program.program import Program
from hybrid.program.tags import ANNOTATIONS, EXCLUSIVE, FENCES, PLAIN, RMWS
from hybrid.source import nowhere

_SPELLINGS = {tag: name for name, tag in ANNOTATIONS.items()}
_FENCE_WORDS = {tags: word for word, tags in FENCES.items()}
_FETCHES = {op: name.removeprefix("fetch_") for name, (op, _) in RMWS.items()}


def rebuilt(program: Program) -> Program:
    return _Rebuilding(program).program()


def _words(tags: frozenset[str], exclusive: bool = False) -> list[str]:
    dropped = {PLAIN, EXCLUSIVE} if exclusive else {PLAIN}
    return [_SPELLINGS[tag] for tag in sorted(tags - dropped)]


class _Rebuilding:
    def __init__(self, program: Program) -> None:
        self.of = program
        self.b = ProgramBuilder(program.name, program.description)
        self.cells: dict[int, BuilderPlace] = {}
        self.arrays: dict[int, BuilderArray] = {}
        self.threads: list[ThreadBuilder] = []
        self.reading: BuilderPlace | None = None

    def program(self) -> Program:
        b, of = self.b, self.of
        self._declare()
        for thread in of.threads:
            registers = {
                name: self._constant(value, thread.initial_names.get(name, ""))
                for name, value in thread.initial.items()
            }
            self.threads.append(b.thread(thread.name, **registers))
        for thread, made in zip(of.threads, self.threads, strict=True):
            targets = {target for each in thread.code for target in each.targets}
            ends = {len(thread.code): f"end_of_{thread.name}"}
            names = [*(each.label for each in thread.code), ends[len(thread.code)]]
            for instruction in thread.code:
                made.label(instruction.label)
                self._instruction(made, instruction, names)
            if len(thread.code) in targets:
                made.label(names[-1])
        if of.condition is not None:
            ask = {
                cond.Quantifier.EXISTS: b.exists,
                cond.Quantifier.NOT_EXISTS: b.not_exists,
                cond.Quantifier.FORALL: b.forall,
            }[of.condition.quantifier]
            ask(self._formula(of.condition.formula))
        if of.filter is not None:
            b.filter(self._formula(of.filter))
        b.observe(*(self._term(term) for term in of.observed))
        for expectation in of.expectations:
            b.expect(expectation.model, expectation.verdict, expectation.traces)
        return b.build()

    def _declare(self) -> None:
        """Initial values may be addresses of what is declared later: their handles come first."""
        variables, owner = list(_variables(self.of.locations)), self.b._owner
        for base, cells, array in variables:
            for index, cell in enumerate(cells):
                place = BuilderLocation(nowhere(), owner, base, index if array else None)
                self.cells[cell.address] = place
            if array:
                self.arrays[cells[0].address] = BuilderArray(base, len(cells), owner)
        usual = memory.addresses([len(cells) for _, cells, _ in variables])
        ordered = usual == tuple(cells[0].address for _, cells, _ in variables)
        for base, cells, array in variables:
            at = None if ordered else cells[0].address
            values = [self._constant(cell.initial, cell.initial_name) for cell in cells]
            if array:
                self.b.array(base, len(cells), values, at=at)
            else:
                self.b.location(base, values[0], at=at)

    def _constant(self, value: int, name: str) -> BuilderExpr | int:
        if not name or value not in self.cells:
            return value
        if value in self.arrays and not name.endswith("]"):
            return self.arrays[value].address
        return self.cells[value].address

    def _expr(self, p: ThreadBuilder, node: ex.Expr) -> BuilderExpr:
        if isinstance(node, ex.Const):
            found = self._constant(node.value, node.name)
            return found if isinstance(found, BuilderExpr) else BuilderNumber(node.span, found)
        if isinstance(node, ex.Register):
            if node.name == ins.READ:
                assert self.reading is not None
                return self.reading
            return p.register(node.name)
        if isinstance(node, ex.Unary):
            return self.b.op(node.op, self._expr(p, node.operand))
        return self.b.op(node.op, self._expr(p, node.left), self._expr(p, node.right))

    def _place(self, p: ThreadBuilder, address: ex.Expr) -> BuilderPlace:
        if isinstance(address, ex.Const) and address.name and address.value in self.cells:
            return self.cells[address.value]
        return p.at(self._expr(p, address))

    def _until(
        self, p: ThreadBuilder, place: BuilderPlace, guard: ins.Guard | None
    ) -> tuple[BuilderExpr | None, list[tuple[BuilderPlace, BuilderExpr]]]:
        if guard is None:
            return None, []
        self.reading = place
        until = self._expr(p, ins.test_of(guard))
        return until, self._kept(p, guard.rereads)

    def _kept(
        self, p: ThreadBuilder, rereads: tuple[ins.Reread, ...]
    ) -> list[tuple[BuilderPlace, BuilderExpr]]:
        return [(self._place(p, each.address), self._expr(p, each.value)) for each in rereads]

    def _instruction(self, p: ThreadBuilder, i: ins.Instruction, names: list[str]) -> None:
        match i:
            case ins.Assign():
                p.assign(self._expr(p, i.value), into=i.register)
            case ins.Select():
                parts = [self._expr(p, each) for each in i.expressions]
                p.select(parts[0], parts[1], parts[2], into=i.register)
            case ins.Load():
                place = self._place(p, i.address)
                until, kept = self._until(p, place, i.guard)
                into = i.register or "_"
                if i.exclusive:
                    p.load_reserve(place, *_words(i.tags, True), into=into, until=until)
                elif until is not None:
                    p.await_(until, *_words(i.tags), into=into, kept=kept)
                else:
                    p.load(place, *_words(i.tags), into=into)
            case ins.Store():
                p.store(self._place(p, i.address), self._expr(p, i.value), *_words(i.tags))
            case ins.Rmw():
                self._rmw(p, i)
            case ins.StoreConditional():
                kind = "stx" if i.free else "sc_store" if i.by_store else "sc"
                place, value = self._place(p, i.address), self._expr(p, i.value)
                words = _words(i.tags, True)
                p.store_conditional(place, value, *words, into=i.status or "_", kind=kind)
            case ins.Fence():
                words = [_SPELLINGS.get(tag, tag) for tag in sorted(i.tags)]
                p.fence(*([_FENCE_WORDS[i.tags]] if i.tags in _FENCE_WORDS else words))
            case ins.Branch():
                p.branch(self._expr(p, i.condition), names[i.target])
            case ins.Goto():
                p.goto(names[i.target])
            case ins.Assume():
                kept = self._kept(p, i.rereads)
                p.assume(self._expr(p, i.condition), waits=i.waits, kept=kept)
            case ins.Assert():
                p.assert_(self._expr(p, i.condition))
            case _:
                assert_never(i)

    def _rmw(self, p: ThreadBuilder, i: ins.Rmw) -> None:
        place, value = self._place(p, i.address), self._expr(p, i.operand)
        until, kept = self._until(p, place, i.guard)
        into, words = i.register or "_", _words(i.tags)
        if i.op == "xchg":
            p.xchg(place, value, *words, into=into, until=until, kept=kept)
        elif i.expected is None:
            op, bits = _FETCHES[i.op], i.bits
            p.fetch(op, place, value, *words, into=into, bits=bits, until=until, kept=kept)
        else:
            p.cas(
                place,
                self._expr(p, i.expected),
                value,
                *words,
                into=into,
                success=i.success or "_",
                failed=[_SPELLINGS[tag] for tag in sorted(i.failed_tags or ())],
                weak=i.weak,
                until=until,
                kept=kept,
            )

    def _formula(self, formula: cond.Formula) -> BuilderExpr:
        if isinstance(formula, cond.Compare):
            return self.b.op(formula.op, self._operand(formula.left), self._operand(formula.right))
        if isinstance(formula, cond.Not):
            return ~self._formula(formula.operand)
        parts = [self._formula(each) for each in formula.operands]
        return self.b.all(*parts) if isinstance(formula, cond.And) else self.b.any(*parts)

    def _operand(self, operand: cond.Operand) -> BuilderExpr | int:
        if isinstance(operand, cond.Value):
            return self._constant(operand.value, operand.name)
        return self._term(operand)

    def _term(self, term: cond.Term) -> BuilderExpr:
        if isinstance(term, cond.RegisterTerm):
            return self.threads[term.thread].register(term.register)
        return self.cells[term.address]
