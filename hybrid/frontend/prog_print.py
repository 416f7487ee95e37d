"""Program to .prog text: what `parse_program` reads back as the same program, spans apart.

Programs of other front ends may have names that .prog cannot spell (`%eax`, `X0.w`) or registers
that are only read; such names are replaced by new ones and such registers get their initial 0
written. What they expect under models that hybrid does not have is left out.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from hybrid.data import names_a_model
from hybrid.frontend.prog import reserved_words
from hybrid.frontend.prog_code import DROP
from hybrid.frontend.prog_expr import SELECT
from hybrid.program import condition as cond
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import memory, values
from hybrid.program.check import register_names
from hybrid.program.program import Location, Program, Thread
from hybrid.program.tags import ANNOTATIONS, EXCLUSIVE, FENCES, ON_FAILURE, PLAIN, RMWS

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
_CELL = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\[(0|[1-9][0-9]{0,8})\]", re.ASCII)

_SPELLINGS = {tag: name for name, tag in ANNOTATIONS.items()}
_FENCE_WORDS = {tags: word for word, tags in FENCES.items()}
_RMW_NAMES = {op: name for name, (op, _) in RMWS.items()}  # the last name of an operation wins


def print_program(program: Program) -> str:
    """`program` as .prog text."""
    return _Printer(program).text()


def _nameable(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and name not in reserved_words() and name != DROP


def _fresh(wanted: str, taken: Iterable[str]) -> str:
    """A name like `wanted` that can be written and is not taken."""
    taken = set(taken)
    name = re.sub(r"[^A-Za-z0-9_]+", "_", wanted).strip("_") or "v"
    if name[0].isdigit():
        name = f"v{name}"
    while name in taken or not _nameable(name):
        name += "_"
    return name


def _spell(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """How each name is written: as it is where possible, else by a new one."""
    names = list(dict.fromkeys(names))
    used = set(taken)
    spelled = {name: name for name in names if _nameable(name) and name not in used}
    used |= spelled.keys()
    for name in names:
        if name not in spelled:
            spelled[name] = _fresh(name, used)
            used.add(spelled[name])
    return spelled


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class _Printer:
    """Chooses how everything is written, then writes it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.variables = list(_variables(program.locations))
        bases = [base for base, _, _ in self.variables]
        spelled = _spell(bases)
        self.places: dict[int, str] = {}  # how each location is written
        self.arrays: dict[int, str] = {}  # arrays by their first address
        for base, cells, array in self.variables:
            for index, location in enumerate(cells):
                name = f"{spelled[base]}[{index}]" if array else spelled[base]
                self.places[location.address] = name
            if array:
                self.arrays[cells[0].address] = spelled[base]
        self.spelled = spelled
        threads = program.threads
        self.threads = _spell(t.name for t in threads if not _NUMBER.fullmatch(t.name))
        self.threads |= {t.name: t.name for t in threads if _NUMBER.fullmatch(t.name)}
        self.labels = _spell(i.label for t in threads for i in t.code)
        self.registers: list[dict[str, str]] = [
            _spell(sorted(register_names(t)), spelled.values()) for t in threads
        ]

    def text(self) -> str:
        program = self.program
        name = program.name
        lines = [f"program {name if _nameable(name) else _string(name)}"]
        if program.description:
            lines.append(_string(program.description))
        lines.extend(self._declarations())
        for index, thread in enumerate(program.threads):
            lines.append("")
            lines.extend(self._thread(thread, self.registers[index]))
        lines.append("")
        if program.condition is not None:
            condition = program.condition
            lines.append(f"{condition.quantifier.value} ({self._formula(condition.formula)})")
        if program.filter is not None:
            lines.append(f"filter ({self._formula(program.filter)})")
        if program.observed:
            lines.append(f"locations [{'; '.join(self._term(term) for term in program.observed)}]")
        for expectation in program.expectations:
            if not names_a_model(expectation.model):
                continue
            model = (
                expectation.model if _nameable(expectation.model) else _string(expectation.model)
            )
            count = "" if expectation.traces is None else f" {expectation.traces} traces"
            lines.append(f"expect {model}: {expectation.verdict}{count}")
        return "\n".join(lines).rstrip("\n") + "\n"

    def _declarations(self) -> Iterator[str]:
        usual = memory.addresses([len(cells) for _, cells, _ in self.variables])
        ordered = usual == tuple(cells[0].address for _, cells, _ in self.variables)
        for base, cells, array in self.variables:
            at = "" if ordered else f" at {cells[0].address}"
            values = [self._constant(cell.initial, cell.initial_name) for cell in cells]
            size = f"[{len(cells)}]" if array else ""
            if array and len(set(values)) > 1:
                value = f"{{{', '.join(values)}}}"
            else:
                value = values[0]
            yield f"{self.spelled[base]}{size}{at} = {value}"

    # Threads

    def _thread(self, thread: Thread, registers: Mapping[str, str]) -> Iterator[str]:
        written = {r for i in thread.code for r in i.sets}
        read = {r for i in thread.code for r in i.uses}
        initial = dict(thread.initial)
        initial |= dict.fromkeys(sorted(read - written - initial.keys()), 0)
        named = thread.initial_names
        given = ", ".join(
            f"{registers[r]} = {self._constant(value, named.get(r, ''))}"
            for r, value in initial.items()
        )
        yield f"thread {self.threads[thread.name]}{f'({given})' if given else ''}:"
        targets = {target for i in thread.code for target in i.targets}
        labels = [self.labels[i.label] for i in thread.code]
        if len(thread.code) in targets:
            end = _fresh(f"{thread.name}_end", self.labels.values())
            self.labels[f"end of {thread.name}"] = end
            labels.append(end)
        for label, instruction in zip(labels, thread.code, strict=False):
            yield f"  {label}: {self._instruction(instruction, labels, registers)};"
        if len(labels) > len(thread.code):
            yield f"  {labels[-1]}:"

    def _instruction(
        self, instruction: ins.Instruction, labels: list[str], registers: Mapping[str, str]
    ) -> str:
        def show(*expressions: ex.Expr) -> str:
            return ", ".join(self._expression(each, registers) for each in expressions)

        match instruction:
            case ins.Assign():
                return f"{registers[instruction.register]} := {show(instruction.value)}"
            case ins.Select():
                chosen = f"{SELECT}({show(*instruction.expressions)})"
                return f"{registers[instruction.register]} := {chosen}"
            case ins.Load():
                return self._load(instruction, registers)
            case ins.Store():
                place = self._place(instruction.address, registers)
                return f"{place} := {show(instruction.value)}{_annotations(instruction.tags)}"
            case ins.Rmw():
                return self._rmw(instruction, registers)
            case ins.StoreConditional():
                return self._store_conditional(instruction, registers)
            case ins.Fence():
                return self._fence(instruction.tags)
            case ins.Branch():
                return f"if {show(instruction.condition)} goto {labels[instruction.target]}"
            case ins.Goto():
                return f"goto {labels[instruction.target]}"
            case ins.Assume():
                waits = " else wait" if instruction.waits else ""
                waits += self._rereads(instruction.rereads, registers)
                return f"assume {show(instruction.condition)}{waits}"
            case ins.Assert():
                return f"assert {show(instruction.condition)}"
            case _:
                assert_never(instruction)

    def _load(self, load: ins.Load, registers: Mapping[str, str]) -> str:
        place = self._place(load.address, registers)
        guard, kept = self._guard(load.guard, registers)
        if load.exclusive:
            text = f"lr({place}){_waiting(guard)}{kept}"
        elif guard:
            text = f"await({place} {guard}){kept}"
        else:
            text = place if load.register is not None else f"{DROP} := {place}"
        return _into(load.register, text, registers) + _annotations(load.tags, load.exclusive)

    def _rmw(self, rmw: ins.Rmw, registers: Mapping[str, str]) -> str:
        place = self._place(rmw.address, registers)
        operand = self._expression(rmw.operand, registers)
        guard, kept = self._guard(rmw.guard, registers)
        if rmw.op == "xchg" and guard:
            text = f"xchgawait({place} {guard}, := {operand}){kept}"
        else:
            operands = [place, operand]
            if rmw.expected is not None:
                operands.insert(1, self._expression(rmw.expected, registers))
            name = "cas_weak" if rmw.weak else _RMW_NAMES[rmw.op]
            if rmw.bits != values.BITS:
                name += str(rmw.bits)
            text = f"{name}({', '.join(operands)}){_waiting(guard)}{kept}"
        written = _annotations(rmw.tags) + _failed(rmw.failed_tags)
        if rmw.success is not None:
            read = DROP if rmw.register is None else registers[rmw.register]
            return f"{read}, {registers[rmw.success]} := {text}{written}"
        return _into(rmw.register, text, registers) + written

    def _store_conditional(self, store: ins.StoreConditional, registers: Mapping[str, str]) -> str:
        name = "stx" if store.free else "sc_store" if store.by_store else "sc"
        place = self._place(store.address, registers)
        text = f"{name}({place}, {self._expression(store.value, registers)})"
        return _into(store.status, text, registers) + _annotations(store.tags, True)

    def _guard(self, guard: ins.Guard | None, registers: Mapping[str, str]) -> tuple[str, str]:
        """What an access waits for, and what else its loop reads; both empty without a guard."""
        if guard is None:
            return "", ""
        kept = self._rereads(guard.rereads, registers)
        if guard.of is not None:
            named = {**registers, ins.READ: ins.READ}
            return f"satisfies {self._expression(ins.test_of(guard), named)}", kept
        op = "=" if guard.op == "==" else guard.op
        return f"{op} {self._expression(guard.value, registers)}", kept

    def _rereads(self, rereads: tuple[ins.Reread, ...], registers: Mapping[str, str]) -> str:
        listed = ", ".join(
            f"{self._place(each.address, registers)} = {self._expression(each.value, registers)}"
            for each in rereads
        )
        return f" while ({listed})" if listed else ""

    def _fence(self, tags: frozenset[str]) -> str:
        if tags in _FENCE_WORDS:
            return _FENCE_WORDS[tags]
        return "fence" + "".join(f" @{_SPELLINGS.get(tag, tag)}" for tag in sorted(tags))

    def _place(self, address: ex.Expr, registers: Mapping[str, str]) -> str:
        if isinstance(address, ex.Const) and address.value in self.places:
            return self.places[address.value]
        if isinstance(address, ex.Binary) and address.op == "+" and ex.registers(address.right):
            base = address.left
            if isinstance(base, ex.Const) and base.name and not base.name.endswith("]"):
                array = self.arrays.get(base.value)
                if array is not None:
                    return f"{array}[{self._expression(address.right, registers)}]"
        return f"[{self._expression(address, registers)}]"

    def _expression(
        self, expression: ex.Expr, registers: Mapping[str, str], operand: bool = False
    ) -> str:
        if isinstance(expression, ex.Const):
            return self._constant(expression.value, expression.name)
        if isinstance(expression, ex.Register):
            return registers[expression.name]
        if isinstance(expression, ex.Unary):
            if expression.op in values.EXTENSIONS:
                return f"{expression.op}({self._expression(expression.operand, registers)})"
            inner = self._expression(expression.operand, registers, True)
            if expression.op == "-" and inner[0].isdigit():
                inner = f"({inner})"  # else it would be a literal
            return f"{expression.op}{inner}"
        if isinstance(expression, ex.Binary):
            return self._binary(expression, registers, operand)
        assert_never(expression)

    def _binary(self, binary: ex.Binary, registers: Mapping[str, str], operand: bool) -> str:
        if binary.op in values.FUNCTIONS:
            left = self._expression(binary.left, registers)
            return f"{binary.op}({left}, {self._expression(binary.right, registers)})"
        left = self._expression(binary.left, registers, True)
        right = self._expression(binary.right, registers, True)
        op = "=" if binary.op == "==" else binary.op
        return f"({left} {op} {right})" if operand else f"{left} {op} {right}"

    def _constant(self, value: int, name: str) -> str:
        if not name or value not in self.places:
            return str(value)
        if value in self.arrays and not name.endswith("]"):
            return f"&{self.arrays[value]}"
        return f"&{self.places[value]}"

    # The final part

    def _formula(self, formula: cond.Formula) -> str:
        if isinstance(formula, cond.Compare):
            op = "=" if formula.op == "==" else formula.op
            return f"{self._operand(formula.left)} {op} {self._operand(formula.right)}"
        if isinstance(formula, cond.Not):
            return f"~({self._formula(formula.operand)})"
        if isinstance(formula, cond.And):
            return self._joined(" /\\ ", formula.operands) or "true"
        if isinstance(formula, cond.Or):
            return self._joined(" \\/ ", formula.operands) or "false"
        assert_never(formula)

    def _joined(self, joint: str, operands: Iterable[cond.Formula]) -> str:
        return joint.join(
            f"({self._formula(o)})" if isinstance(o, cond.And | cond.Or) else self._formula(o)
            for o in operands
        )

    def _operand(self, operand: cond.Operand) -> str:
        if isinstance(operand, cond.Value):
            return self._constant(operand.value, operand.name)
        return self._term(operand)

    def _term(self, term: cond.Term) -> str:
        if isinstance(term, cond.LocationTerm):
            return self.places[term.address]
        if not isinstance(term, cond.RegisterTerm):
            assert_never(term)
        thread = self.program.threads[term.thread].name
        return f"{self.threads[thread]}:{self.registers[term.thread][term.register]}"


def _variables(locations: tuple[Location, ...]) -> Iterator[tuple[str, list[Location], bool]]:
    """The locations grouped: name, cells, whether they are an array. Cells `a[0]`, `a[1]`, … in a
    row and at addresses in a row are one."""
    bases = {location.name for location in locations}
    rest = deque(locations)
    while rest:
        first = rest.popleft()
        match = _CELL.fullmatch(first.name)
        if match is None or match[2] != "0" or not _nameable(match[1]) or match[1] in bases:
            yield first.name, [first], False
            continue
        cells = [first]
        while (
            rest
            and rest[0].name == f"{match[1]}[{len(cells)}]"
            and rest[0].address == first.address + len(cells)
        ):
            cells.append(rest.popleft())
        yield match[1], cells, True


def _into(register: str | None, text: str, registers: Mapping[str, str]) -> str:
    return text if register is None else f"{registers[register]} := {text}"


def _waiting(guard: str) -> str:
    return f" await {guard}" if guard else ""


def _failed(tags: frozenset[str] | None) -> str:
    """What follows a cas whose load has these tags when it does not store."""
    return "".join(f" @{ON_FAILURE}{_SPELLINGS[tag]}" for tag in sorted(tags or ()))


def _annotations(tags: frozenset[str], exclusive: bool = False) -> str:
    """What follows an access: nothing of a plain one; X is implied by an exclusive one unless it
    stands alone."""
    written = sorted(tags - {PLAIN})
    if exclusive and (PLAIN in tags or len(written) > 1):
        written.remove(EXCLUSIVE)
    elif PLAIN in tags and written:
        written = [PLAIN, *written]
    return "".join(f" @{_SPELLINGS[tag]}" for tag in written)
