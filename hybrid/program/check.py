"""What every Program must fulfil, whichever front end made it.

Labels, thread names, location names and addresses are unique; no address is 0; there is a thread;
targets lie within their code; constants fit 64 bits; operators and tags are known and stand where
they make sense; an address without registers in it is a location's; the final condition and
expectations speak of what there is. Expressions and formulas are shallow enough to walk
recursively.
"""

from __future__ import annotations

from typing import assert_never

from hybrid.errors import InputError
from hybrid.parsing import MAX_DEPTH, did_you_mean
from hybrid.program import condition as cond
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import tags as tg
from hybrid.program import values
from hybrid.program.program import Expectation, Program, Thread
from hybrid.source import Span

_QUESTION_ANSWERS = ("ALLOWED", "FORBIDDEN", "VIOLATED", "BOUNDED", Expectation.RACE)
_CLAIM_ANSWERS = ("HOLDS", "VIOLATED", "BOUNDED", Expectation.RACE)
_RMW_OPERATIONS = frozenset(op for op, _ in tg.RMWS.values())


def check_program(program: Program) -> None:
    """Raise an InputError at the first thing that is wrong with `program`."""
    _locations(program)
    if not program.threads:
        raise InputError(f"program `{program.name}` has no threads", hint="expected `thread P:`")
    names: set[str] = set()
    labels: set[str] = set()
    for thread in program.threads:
        if thread.name in names:
            raise InputError(f"thread `{thread.name}` is defined twice", thread.span)
        names.add(thread.name)
        _thread(program, thread, labels)
    if program.condition is not None:
        _formula(program, program.condition.formula)
    if program.filter is not None:
        _formula(program, program.filter)
    for term in program.observed:
        _term(program, term)
    check_expectations(program)


def register_names(thread: Thread) -> frozenset[str]:
    """The registers that a thread assigns, reads or starts with."""
    found = set(thread.initial)
    for instruction in thread.code:
        found |= instruction.uses.union(instruction.sets)
    return frozenset(found)


def _locations(program: Program) -> None:
    names: set[str] = set()
    addresses: dict[int, str] = {}
    for location in program.locations:
        if location.name in names:
            raise InputError(f"`{location.name}` is declared twice", location.span)
        names.add(location.name)
        if location.address == 0:
            message = f"`{location.name}` cannot have address 0, which is null"
            raise InputError(message, location.span)
        other = addresses.setdefault(location.address, location.name)
        if other != location.name:
            message = f"`{other}` already has address {location.address}"
            raise InputError(message, location.span)
        _fits(location.address, location.span)
        _fits(location.initial, location.span)


def _thread(program: Program, thread: Thread, labels: set[str]) -> None:
    for value in thread.initial.values():
        _fits(value, thread.span)
    for instruction in thread.code:
        if not instruction.label:
            raise InputError("an instruction without a label", instruction.span)
        if instruction.label in labels:
            message = f"label `{instruction.label}` is defined twice"
            raise InputError(message, instruction.span, "labels are unique in a program")
        labels.add(instruction.label)
        if any(not 0 <= target <= len(thread.code) for target in instruction.targets):
            raise InputError("a jump out of the thread's code", instruction.span)
        for expression in instruction.expressions:
            _expression(expression)
        _instruction(program, instruction)


def _instruction(program: Program, instruction: ins.Instruction) -> None:
    match instruction:
        case ins.Load() | ins.Store():
            _place(program, instruction.address)
            _waits(instruction.awaits)
            _access_tags(instruction, instruction.tags)
        case ins.Rmw():
            _place(program, instruction.address)
            _rmw(instruction)
        case ins.StoreConditional():
            _place(program, instruction.address)
            if instruction.free and instruction.by_store:
                message = "a status that depends on its store is not free"
                raise InputError(message, instruction.span)
            _access_tags(instruction, instruction.tags)
        case ins.Fence():
            _fence(instruction)
        case ins.Assign() | ins.Select() | ins.Branch() | ins.Goto() | ins.Assume() | ins.Assert():
            pass  # their expressions and targets are checked already
        case _:
            assert_never(instruction)


def _place(program: Program, place: ex.Expr) -> None:
    if ex.registers(place) or program.compiled:  # there it is an error of the run that comes to it
        return
    address = ex.evaluate(place, {})
    if address not in program.by_address:
        raise InputError(f"access to {program.addresses.stray(address)}", place.span)


def _waits(guard: ins.Guard | None) -> None:
    if guard is not None and guard.op not in values.COMPARISONS:
        raise InputError(f"`{guard.op}` is not a comparison", guard.span)
    if guard is not None and ins.READ in ex.registers(guard.value):
        raise InputError("the value read, on the wrong side of a guard", guard.span)


def _rmw(rmw: ins.Rmw) -> None:
    if rmw.op not in _RMW_OPERATIONS:
        raise InputError(f"unknown read-modify-write `{rmw.op}`", rmw.span)
    if (rmw.op == "cas") != (rmw.expected is not None):
        raise InputError("a cas, and nothing else, has an expected value", rmw.span)
    if rmw.op != "cas" and (rmw.weak or rmw.failed_tags is not None or rmw.success):
        raise InputError("only a cas can fail: be weak, have tags or tell", rmw.span)
    if rmw.success is not None and rmw.success == rmw.register:
        raise InputError("a cas with two results for one register", rmw.span)
    narrow = (rmw.op, rmw.bits) in tg.NARROW_RMWS.values()
    if rmw.bits != values.BITS and not narrow:
        message = f"`{rmw.op}` cannot store {rmw.bits} bits"
        raise InputError(message, rmw.span, "fetch-and-ops can: 8, 16, 32 or 64")
    _waits(rmw.guard)
    _access_tags(rmw, rmw.tags)
    if rmw.failed_tags is not None:
        _access_tags(rmw, rmw.failed_tags)
        spelling = {tag: name for name, tag in tg.ANNOTATIONS.items()}
        for tag in sorted(rmw.failed_tags & (tg.STORE_ONLY | tg.BOTH_ONLY)):
            message = f"a cas that does not store cannot be `@{spelling[tag]}`"
            raise InputError(message, rmw.span, "it is a load, which can be `@acq`")


def _access_tags(access: ins.Access, tags: frozenset[str]) -> None:
    span = access.span
    unknown = sorted(tags - tg.ACCESS_TAGS)
    if unknown:
        raise InputError(f"no access has the tag {unknown[0]}", span)
    if not tags:
        raise InputError(f"an access without a tag: a plain one has {tg.PLAIN}", span)
    _one_order(tags, span)
    spelling = {tag: f"@{name}" for name, tag in tg.ANNOTATIONS.items()}
    if isinstance(access, ins.Store):
        for tag in sorted(tags & (tg.LOAD_ONLY | tg.BOTH_ONLY)):
            hint = "a store can be `@rel`" if tag in tg.ORDERS else ""
            raise InputError(f"a store cannot be `{spelling[tag]}`", span, hint)
    elif isinstance(access, ins.Load) and not access.exclusive:
        for tag in sorted(tags & (tg.STORE_ONLY | tg.BOTH_ONLY)):
            hint = "a load can be `@acq`" if tag in tg.ORDERS else ""
            raise InputError(f"a load cannot be `{spelling[tag]}`", span, hint)
    elif not isinstance(access, ins.Rmw) and tg.EXCLUSIVE not in tags:
        raise InputError(f"an exclusive access without the tag {tg.EXCLUSIVE}", span)


def _fence(fence: ins.Fence) -> None:
    if not fence.tags:
        raise InputError("a fence without a kind", fence.span)
    for tag in sorted(fence.tags - tg.FENCE_TAGS):
        raise InputError(f"no fence has the tag {tag}", fence.span)
    _one_order(fence.tags, fence.span)


def _one_order(tags: frozenset[str], span: Span) -> None:
    orders = [order for order in tg.ORDERS if order in tags]
    if orders[:1] == [tg.PLAIN] and tags - {tg.PLAIN, tg.EXCLUSIVE}:
        orders = sorted(tags)
    if len(orders) > 1:
        message = f"annotations that exclude each other: {' and '.join(orders)}"
        raise InputError(message, span)


def _expression(expression: ex.Expr) -> None:
    todo = [(expression, 1)]
    while todo:
        node, depth = todo.pop()
        if depth > MAX_DEPTH:
            raise InputError(f"nested too deeply (more than {MAX_DEPTH} levels)", node.span)
        if isinstance(node, ex.Const):
            _fits(node.value, node.span)
        elif isinstance(node, ex.Unary):
            if node.op not in values.UNARY_OPERATORS:
                raise InputError(f"unknown operator `{node.op}`", node.span)
            todo.append((node.operand, depth + 1))
        elif isinstance(node, ex.Binary):
            if node.op not in values.BINARY_OPERATORS:
                raise InputError(f"unknown operator `{node.op}`", node.span)
            todo += [(node.left, depth + 1), (node.right, depth + 1)]
        elif not isinstance(node, ex.Register):
            assert_never(node)


def _fits(value: int, span: Span) -> None:
    if values.wrap(value) != value:
        raise InputError(f"{value} does not fit 64 bits", span)


def _formula(program: Program, formula: cond.Formula) -> None:
    todo = [(formula, 1)]
    while todo:
        node, depth = todo.pop()
        if depth > MAX_DEPTH:
            raise InputError(f"nested too deeply (more than {MAX_DEPTH} levels)", node.span)
        if isinstance(node, cond.Compare):
            if node.op not in values.COMPARISONS:
                raise InputError(f"`{node.op}` is not a comparison", node.span)
            for side in (node.left, node.right):
                if isinstance(side, cond.Value):
                    _fits(side.value, side.span)
                else:
                    _term(program, side)
        elif isinstance(node, cond.Not):
            todo.append((node.operand, depth + 1))
        elif isinstance(node, cond.And | cond.Or):
            todo.extend((operand, depth + 1) for operand in reversed(node.operands))
        else:
            assert_never(node)


def _term(program: Program, term: cond.Term) -> None:
    if isinstance(term, cond.LocationTerm):
        if term.address not in program.by_address:
            raise InputError(f"unknown location `{term.name}`", term.span)
    elif isinstance(term, cond.RegisterTerm):
        _register(program, term)
    else:
        assert_never(term)


def _register(program: Program, term: cond.RegisterTerm) -> None:
    if not 0 <= term.thread < len(program.threads):
        raise InputError(f"there is no thread {term.thread}", term.span)
    thread = program.threads[term.thread]
    known = register_names(thread)
    if term.register not in known:
        message = f"thread {thread.name} has no register `{term.register}`"
        hint = did_you_mean(term.register, known)
        if any(term.register == location.name for location in program.locations):
            hint = f"`{term.register}` is a location: write it without a thread"
        elif not hint and known:
            hint = f"it has {', '.join(sorted(known))}"
        raise InputError(message, term.span, hint)


def check_expectations(program: Program) -> None:
    question = (
        program.condition is not None and program.condition.quantifier is cond.Quantifier.EXISTS
    )
    answers = _QUESTION_ANSWERS if question else _CLAIM_ANSWERS
    models: set[str] = set()
    for expectation in program.expectations:
        if expectation.model_name in models:
            message = f"two expectations for model `{expectation.model_name}`"
            raise InputError(message, expectation.span)
        models.add(expectation.model_name)
        if expectation.verdict not in answers:
            kind = (
                "a question (`exists`)" if question else "a claim (`~exists`, `forall`, `assert`)"
            )
            message = f"{kind} is never answered {expectation.verdict}"
            raise InputError(message, expectation.span, f"expected one of {', '.join(answers)}")
        if expectation.traces is not None and expectation.traces < 0:
            raise InputError("a negative number of traces", expectation.span)
