"""Simpler versions of a program, for the shrinker: without a thread, instructions, a location or a
part of the condition; with simpler instructions, expressions, values, annotations and fences.

Each pass yields programs in a fixed order. They need not be valid, and not all are smaller: the
shrinker keeps those of less `weight` that pass the check of programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from typing import assert_never

from hybrid.program import condition as cond
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.program import Location, Program, Thread
from hybrid.program.tags import EXCLUSIVE, PLAIN

Weight = tuple[int, ...]

# From weak to strong: an annotation or a fence may be replaced by one that stands before it in its
# row.
_ORDERS = ("NA", "RLX", "CON", "ACQ", "REL", "ACQ_REL", "SC")
_FENCES = (
    ("EIEIO", "LWSYNC", "SYNC"),
    ("ACQ", "REL", "ACQ_REL", "SC"),
    ("LFENCE", "SFENCE", "MFENCE"),
    ("DMB.ST", "DMB.LD", "DMB.SY", "DSB.SY"),
    ("Fence.r.r", "Fence.w.w", "Fence.tso", "Fence.rw.rw"),
)


def weight(program: Program) -> Weight:
    """How far a program is from a simple one: what counts most comes first."""
    code = [i for thread in program.threads for i in thread.code]
    values = [e for i in code for e in i.expressions]
    nodes = [node for e in values for node in _nodes(e)]
    constants = [n.value for n in nodes if isinstance(n, ex.Const) and not n.name]
    constants += [location.initial for location in program.locations]
    constants += [value for thread in program.threads for value in thread.initial.values()]
    return (
        len(program.threads),
        len(code),
        len(program.locations),
        _condition_weight(program),
        sum(_kind_weight(i) for i in code),
        sum(_jump_weight(i, at) for t in program.threads for at, i in enumerate(t.code)),
        len(nodes),
        sum(isinstance(node, ex.Register) for node in nodes),
        sum(_tag_weight(i) for i in code),
        sum(len(thread.initial) for thread in program.threads),
        sum(map(abs, constants)),
        sum(value < 0 for value in constants),
    )


def _nodes(expression: ex.Expr) -> Iterator[ex.Expr]:
    todo = [expression]
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, ex.Unary):
            todo.append(node.operand)
        elif isinstance(node, ex.Binary):
            todo += [node.right, node.left]
        elif not isinstance(node, ex.Const | ex.Register):
            assert_never(node)


def _condition_weight(program: Program) -> int:
    total = len(program.observed) + len(program.expectations)
    todo = [program.condition.formula] if program.condition is not None else []
    todo += [program.filter] if program.filter is not None else []
    while todo:
        node = todo.pop()
        total += 1
        if isinstance(node, cond.Not):
            todo.append(node.operand)
        elif isinstance(node, cond.And | cond.Or):
            todo += node.operands
        elif not isinstance(node, cond.Compare):
            assert_never(node)
    return total


def _kind_weight(instruction: ins.Instruction) -> int:
    if isinstance(instruction, ins.Rmw):
        cas = (instruction.op == "cas") + instruction.weak + bool(instruction.success)
        return 4 + cas + (instruction.op != "xchg") + bool(instruction.guard)
    if isinstance(instruction, ins.StoreConditional):
        return 3
    if isinstance(instruction, ins.Load):
        return instruction.exclusive + bool(instruction.guard)
    if isinstance(instruction, ins.Branch | ins.Select):
        return 1
    if isinstance(
        instruction, ins.Assign | ins.Store | ins.Fence | ins.Goto | ins.Assume | ins.Assert
    ):
        return 0
    assert_never(instruction)


def _jump_weight(instruction: ins.Instruction, at: int) -> int:
    distances = [target - at - 1 for target in instruction.targets]
    return sum(ahead if ahead >= 0 else 1000 - ahead for ahead in distances)


def _tag_weight(instruction: ins.Instruction) -> int:
    if isinstance(instruction, ins.Fence):
        return sum(1 + row.index(t) for t in instruction.tags for row in _FENCES if t in row)
    if isinstance(instruction, ins.Access):
        tags = [*instruction.tags]
        if isinstance(instruction, ins.Rmw) and instruction.failed_tags is not None:
            tags += ["CON", *instruction.failed_tags]
        return sum(_ORDERS.index(t) if t in _ORDERS else 1 for t in tags)
    assert not instruction.event_tags
    return 0


# ---- passes


def without_threads(program: Program) -> Iterator[Program]:
    for number in range(len(program.threads)):
        threads = program.threads[:number] + program.threads[number + 1 :]
        formula = None
        if program.condition is not None:
            formula = _without_thread(program.condition.formula, number)
        condition = (
            replace(program.condition, formula=formula, text="")
            if program.condition and formula
            else None
        )
        observed = tuple(
            moved for term in program.observed if (moved := _moved(term, number)) is not None
        )
        kept = None if program.filter is None else _without_thread(program.filter, number)
        yield replace(program, threads=threads, condition=condition, observed=observed, filter=kept)


def without_instructions(program: Program) -> Iterator[Program]:
    """Runs of instructions, long ones first."""
    longest = max(len(thread.code) for thread in program.threads)
    size = longest
    while size:
        for number, thread in enumerate(program.threads):
            for start in range(len(thread.code) - size + 1):
                yield _with_thread(program, number, without_code(thread, start, start + size))
        size //= 2


def without_condition(program: Program) -> Iterator[Program]:
    bare = replace(program, condition=None, observed=(), expectations=(), description="")
    yield replace(bare, filter=None)
    yield replace(program, observed=(), expectations=())
    yield replace(program, condition=None)
    yield replace(program, filter=None)
    for i in range(len(program.observed)):
        yield replace(program, observed=program.observed[:i] + program.observed[i + 1 :])
    if program.condition is not None:
        for formula in _simpler_formulas(program.condition.formula):
            yield replace(program, condition=replace(program.condition, formula=formula, text=""))


def without_locations(program: Program) -> Iterator[Program]:
    for place in program.locations:
        rest = tuple(other for other in program.locations if other is not place)
        yield replace(program, locations=rest)
        for other in rest:  # accesses to one become accesses to the other
            merged = _map_expressions(program, partial(_renamed, place=place, other=other))
            yield replace(merged, locations=rest)


def simpler_instructions(program: Program) -> Iterator[Program]:
    return _each_instruction(program, _simpler_instruction)


def simpler_jumps(program: Program) -> Iterator[Program]:
    for number, thread in enumerate(program.threads):
        for at, instruction in enumerate(thread.code):
            for target in range(at + 1, len(thread.code) + 1) if instruction.jumps else ():
                nearer = instruction.with_targets(partial(_always, target))
                yield _with(program, number, at, nearer)


def _always(new: int, old: int) -> int:
    return new


def simpler_expressions(program: Program) -> Iterator[Program]:
    places = [ex.Const(place.span, place.address, f"&{place.name}") for place in program.locations]

    def simpler(instruction: ins.Instruction) -> Iterator[ins.Instruction]:
        if instruction.place is not None and not isinstance(instruction.place, ex.Const):
            for place in places:
                yield _with_part(instruction, 0, place)
        for part, expression in enumerate(instruction.expressions):
            for variant in _simpler_expressions(expression):
                yield _with_part(instruction, part, variant)

    return _each_instruction(program, simpler)


def simpler_tags(program: Program) -> Iterator[Program]:
    return _each_instruction(program, _simpler_tags)


def simpler_values(program: Program) -> Iterator[Program]:
    for i, place in enumerate(program.locations):
        for value in _simpler_values(place.initial):
            changed = replace(place, initial=value)
            locations = (*program.locations[:i], changed, *program.locations[i + 1 :])
            yield replace(program, locations=locations)
    for number, thread in enumerate(program.threads):
        for register, value in thread.initial.items():
            rest = {r: v for r, v in thread.initial.items() if r != register}
            yield _with_thread(program, number, replace(thread, initial=rest))
            for simpler in _simpler_values(value):
                initial = {**thread.initial, register: simpler}
                yield _with_thread(program, number, replace(thread, initial=initial))


PASSES: tuple[Callable[[Program], Iterator[Program]], ...] = (
    without_threads,
    without_instructions,
    without_condition,
    simpler_instructions,
    simpler_expressions,
    without_locations,
    simpler_jumps,
    simpler_tags,
    simpler_values,
)


# ---- parts of programs


def _with_thread(program: Program, number: int, thread: Thread) -> Program:
    threads = (*program.threads[:number], thread, *program.threads[number + 1 :])
    return replace(program, threads=threads)


def _with(program: Program, number: int, at: int, instruction: ins.Instruction) -> Program:
    thread = program.threads[number]
    code = (*thread.code[:at], instruction, *thread.code[at + 1 :])
    return _with_thread(program, number, replace(thread, code=code))


def without_code(thread: Thread, start: int, end: int) -> Thread:
    """The thread without instructions `start` to `end` (exclusive); jumps into them go to what
    follows."""

    def moved(target: int) -> int:
        return target - max(0, min(target, end) - start)

    code: list[ins.Instruction] = []
    for at, instruction in enumerate(thread.code):
        if start <= at < end:
            continue
        code.append(instruction.with_targets(moved))
    return replace(thread, code=tuple(code))


def _each_instruction(
    program: Program, variants: Callable[[ins.Instruction], Iterator[ins.Instruction]]
) -> Iterator[Program]:
    for number, thread in enumerate(program.threads):
        for at, instruction in enumerate(thread.code):
            for variant in variants(instruction):
                yield _with(program, number, at, variant)


def _simpler_instruction(instruction: ins.Instruction) -> Iterator[ins.Instruction]:
    plain = frozenset({PLAIN})
    span = instruction.span
    if isinstance(instruction, ins.Branch):
        yield ins.Goto(span, instruction.label, instruction.target)
    elif isinstance(instruction, ins.Select):
        for value in (instruction.yes, instruction.no):
            yield ins.Assign(span, instruction.label, instruction.register, value)
    elif isinstance(instruction, ins.StoreConditional):
        yield ins.Store(span, instruction.label, instruction.address, instruction.value, plain)
    elif isinstance(instruction, ins.Load):
        if instruction.guard is not None:
            yield replace(instruction, guard=None)
        if instruction.exclusive:
            yield replace(instruction, exclusive=False, tags=plain)
    elif isinstance(instruction, ins.Rmw):
        address, label = instruction.address, instruction.label
        yield ins.Store(span, label, address, instruction.operand, plain)
        yield ins.Load(span, label, instruction.register, address, plain)
        if instruction.guard is not None:
            yield replace(instruction, guard=None)
        if instruction.op != "xchg":
            bare = replace(instruction, failed_tags=None, weak=False, success=None)
            yield replace(bare, op="xchg", expected=None)
            if instruction.success is not None:
                yield replace(instruction, success=None)
            if instruction.weak:
                yield replace(instruction, weak=False)
    elif not isinstance(
        instruction, ins.Assign | ins.Store | ins.Fence | ins.Goto | ins.Assume | ins.Assert
    ):
        assert_never(instruction)


def _with_part(instruction: ins.Instruction, part: int, other: ex.Expr) -> ins.Instruction:
    """The instruction with another expression instead of that one of its own."""
    parts = count()
    return instruction.with_expressions(lambda each: other if next(parts) == part else each)


def _simpler_expressions(expression: ex.Expr) -> Iterator[ex.Expr]:
    if isinstance(expression, ex.Const):
        if not expression.name:
            yield from (replace(expression, value=v) for v in _simpler_values(expression.value))
        return
    yield ex.Const(expression.span, 0)
    yield ex.Const(expression.span, 1)
    if isinstance(expression, ex.Unary):
        yield expression.operand
        for operand in _simpler_expressions(expression.operand):
            yield replace(expression, operand=operand)
    elif isinstance(expression, ex.Binary):
        yield expression.left
        yield expression.right
        for left in _simpler_expressions(expression.left):
            yield replace(expression, left=left)
        for right in _simpler_expressions(expression.right):
            yield replace(expression, right=right)
    elif not isinstance(expression, ex.Register):
        assert_never(expression)


def _simpler_values(value: int) -> Iterator[int]:
    for simpler in (0, 1, abs(value), abs(value) // 2):
        if (abs(simpler), simpler < 0) < (abs(value), value < 0):
            yield simpler


def _simpler_tags(instruction: ins.Instruction) -> Iterator[ins.Instruction]:
    if isinstance(instruction, ins.Fence):
        for tag in sorted(instruction.tags):
            for row in _FENCES:
                if tag in row:
                    for weaker in row[: row.index(tag)]:
                        yield replace(instruction, tags=frozenset({weaker}))
    elif isinstance(instruction, ins.Access):
        kept = instruction.tags & {EXCLUSIVE}
        if isinstance(instruction, ins.Rmw) and instruction.failed_tags is not None:
            yield replace(instruction, failed_tags=None)
            for order in _ORDERS:
                yield replace(instruction, failed_tags=frozenset({order}))
        for order in _ORDERS:
            yield replace(instruction, tags=kept | {order})


def _map_expressions(program: Program, change: Callable[[ex.Expr], ex.Expr]) -> Program:
    threads: list[Thread] = []
    for thread in program.threads:
        code = tuple(instruction.with_expressions(change) for instruction in thread.code)
        threads.append(replace(thread, code=code))
    return replace(program, threads=tuple(threads))


def _renamed(expression: ex.Expr, place: Location, other: Location) -> ex.Expr:
    if isinstance(expression, ex.Const):
        if expression.name and expression.value == place.address:
            return replace(expression, value=other.address, name=f"&{other.name}")
        return expression
    if isinstance(expression, ex.Unary):
        return replace(expression, operand=_renamed(expression.operand, place, other))
    if isinstance(expression, ex.Binary):
        left = _renamed(expression.left, place, other)
        return replace(expression, left=left, right=_renamed(expression.right, place, other))
    if isinstance(expression, ex.Register):
        return expression
    assert_never(expression)


# ---- conditions


def _simpler_formulas(formula: cond.Formula) -> Iterator[cond.Formula]:
    if isinstance(formula, cond.Not):
        yield formula.operand
        yield from (replace(formula, operand=f) for f in _simpler_formulas(formula.operand))
    elif isinstance(formula, cond.And | cond.Or):
        yield from formula.operands
        for i, operand in enumerate(formula.operands):
            before, after = formula.operands[:i], formula.operands[i + 1 :]
            yield replace(formula, operands=before + after)
            for simpler in _simpler_formulas(operand):
                yield replace(formula, operands=(*before, simpler, *after))
    elif not isinstance(formula, cond.Compare):
        assert_never(formula)


def _moved(term: cond.Term, gone: int) -> cond.Term | None:
    """The term when thread `gone` is gone; None when it speaks of that thread."""
    if isinstance(term, cond.LocationTerm) or term.thread < gone:
        return term
    return None if term.thread == gone else replace(term, thread=term.thread - 1)


def _without_thread(formula: cond.Formula, gone: int) -> cond.Formula | None:
    """The formula without the comparisons that speak of a thread; None when nothing is left."""
    if isinstance(formula, cond.Compare):
        sides = [
            s if isinstance(s, cond.Value) else _moved(s, gone)
            for s in (formula.left, formula.right)
        ]
        left, right = sides
        return None if left is None or right is None else replace(formula, left=left, right=right)
    if isinstance(formula, cond.Not):
        operand = _without_thread(formula.operand, gone)
        return None if operand is None else replace(formula, operand=operand)
    if isinstance(formula, cond.And | cond.Or):
        kept = [f for o in formula.operands if (f := _without_thread(o, gone)) is not None]
        return replace(formula, operands=tuple(kept)) if kept else None
    assert_never(formula)
