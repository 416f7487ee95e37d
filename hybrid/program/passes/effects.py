"""What a thread does in one round of a loop that going round once more cannot make undone: the
effects of single instructions, for hybrid.program.passes.repeated_states.

No effect have a load, a failed cas or store-conditional, a read-modify-write that stores what it
has read, and an assert that holds. Whether an instruction has one is told by an expression over
registers behind it, or known beforehand.

Some that leave memory as it is have an effect all the same:

- an access that may race, where the model finds races, unless it happens in each round
  (accesses.py says why);
- where the model knows dependencies, a store of what was there (same_values.py says why), and
  whatever can only be told by a test that makes later accesses depend on more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import assert_never

from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import values
from hybrid.program.passes.accesses import happens_again
from hybrid.program.passes.cfg import ControlFlow, NaturalLoop
from hybrid.program.passes.setting import Setting
from hybrid.program.passes.ssa import HERE

NEVER: ex.Expr = ex.Const(HERE, 0)  # it has no effect
ALWAYS: ex.Expr = ex.Const(HERE, 1)
_SUMS = ("+", "-", "^")  # those that store what they have read if and only if the operand is 0


@dataclass(frozen=True, slots=True)
class Effects:
    """Of the instructions of one loop."""

    flow: ControlFlow
    loop: NaturalLoop
    setting: Setting
    varying: frozenset[str]  # registers of the thread whose values may come from memory
    races: Callable[[ins.Access], bool]
    # where the operands of read-modify-writes are kept, by instruction
    operands: dict[int, ex.Expr] = field(default_factory=dict)

    def of(self, at: int) -> ex.Expr:
        """What is not 0 behind the instruction if it has had an effect; NEVER, ALWAYS where that is
        known. Results of read-modify-writes and statuses must be kept in registers."""
        instruction = self.flow.code[at]
        if isinstance(instruction, ins.Access) and self._races_alone(at, instruction):
            return ALWAYS
        match instruction:
            case ins.Store():
                return ALWAYS
            case ins.StoreConditional(status=str(status)):
                return self._tested(at, ex.Unary(HERE, "!", ex.Register(HERE, status)))
            case ins.Rmw():
                return self._rmw(at, instruction)
            case ins.Assert():
                fails = ex.Unary(HERE, "!", instruction.condition)
                return self._tested(at, fails)
            case ins.StoreConditional():
                return ALWAYS
            case ins.Load() | ins.Fence() | ins.Assign() | ins.Select():
                return NEVER
            case ins.Branch() | ins.Goto() | ins.Assume():
                return NEVER
            case _:
                assert_never(instruction)

    def _races_alone(self, at: int, access: ins.Access) -> bool:
        races = self.setting.races and self.races(access)
        return races and not happens_again(self.flow, self.loop, at)

    def _rmw(self, at: int, rmw: ins.Rmw) -> ex.Expr:
        operand = self.operands.get(at, rmw.operand)
        if rmw.op == "cas":
            return self._cas(at, rmw, operand)
        if self.setting.dependencies or rmw.register is None:
            return ALWAYS
        if rmw.op in _SUMS:
            narrowed = _wrapped(operand, rmw.bits)
            if isinstance(operand, ex.Const):
                return ALWAYS if ex.evaluate(narrowed, {}) else NEVER
            return ex.Binary(HERE, "!=", narrowed, NEVER)
        read = ex.Register(HERE, rmw.register)
        stored = operand
        if rmw.op != "xchg":
            stored = _wrapped(ex.Binary(HERE, rmw.op, read, operand), rmw.bits)
        return ex.Binary(HERE, "!=", read, stored)

    def _cas(self, at: int, rmw: ins.Rmw, operand: ex.Expr) -> ex.Expr:
        if rmw.success is None or rmw.register is None or rmw.expected is None:
            return ALWAYS
        success, read = (ex.Register(HERE, each) for each in (rmw.success, rmw.register))
        if self.setting.dependencies:
            told = self._tested(at, success)
            if told is ALWAYS and not rmw.weak and ex.registers(rmw.expected).isdisjoint(rmw.sets):
                return self._tested(at, ex.Binary(HERE, "==", read, rmw.expected))
            return told
        if isinstance(operand, ex.Const) and isinstance(rmw.expected, ex.Const):
            return success if operand.value != rmw.expected.value else NEVER
        other = ex.Binary(HERE, "!=", read, operand)
        return ex.Binary(HERE, "&&", success, other)

    def _tested(self, at: int, effect: ex.Expr) -> ex.Expr:
        """The same, or ALWAYS if a test at the end of the round would add a dependency."""
        if not self.setting.dependencies:
            return effect
        told = ex.registers(effect) & self.varying
        return effect if all(self._is_controlling(at, each) for each in told) else ALWAYS

    def _is_controlling(self, at: int, register: str) -> bool:
        """Whether each way from behind an instruction to the end of the round comes to a branch or
        an assume on what the register holds there."""
        code, header = self.flow.code, self.loop.header
        todo = [(edge.target, frozenset({register})) for edge in self.flow.following[at]]
        seen: set[tuple[int, frozenset[str]]] = set()
        while todo:
            node, derived = todo.pop()
            if node not in self.loop.body or (node, derived) in seen:
                continue
            seen.add((node, derived))
            if node == header or not derived:
                return False
            instruction = code[node]
            if derived & _tested(instruction):
                continue
            derived = _derived(instruction, derived)
            todo += [(edge.target, derived) for edge in self.flow.following[node]]
        return True


def _tested(instruction: ins.Instruction) -> frozenset[str]:
    """The registers on which all that follows depends."""
    if isinstance(instruction, ins.Branch | ins.Assume):
        return ex.registers(instruction.condition)
    return frozenset()


def _wrapped(value: ex.Expr, bits: int) -> ex.Expr:
    return value if bits == values.BITS else ex.Unary(HERE, f"s{bits}", value)


def _derived(instruction: ins.Instruction, before: frozenset[str]) -> frozenset[str]:
    """The registers behind an instruction that depend on what those before it hold."""
    depends = False
    if isinstance(instruction, ins.Assign):
        depends = bool(before & ex.registers(instruction.value))
    elif isinstance(instruction, ins.Select):
        tested, yes, no = (before & ex.registers(each) for each in instruction.expressions)
        depends = bool(tested or (yes and no))
    return before | set(instruction.sets) if depends else before.difference(instruction.sets)


def varying_registers(code: tuple[ins.Instruction, ...]) -> frozenset[str]:
    """The registers of a thread whose values may come from memory."""
    found = {r for each in code if isinstance(each, ins.Access) for r in each.sets}
    changed = True
    while changed:
        changed = False
        for each in code:
            if isinstance(each, ins.Assign | ins.Select) and found & each.uses:
                changed |= each.register not in found
                found.add(each.register)
    return frozenset(found)


def with_results(
    code: tuple[ins.Instruction, ...], body: frozenset[int]
) -> tuple[ins.Instruction, ...]:
    """The code with registers for what its loads, cas and store-conditionals give, in the loops. A
    sum keeps none, so that it stays one whose result nobody uses."""
    found = list(code)
    for at in sorted(body):
        each = code[at]
        name = f"{each.label}_read"
        if isinstance(each, ins.Load) and each.register is None:
            found[at] = replace(each, register=name)
        elif isinstance(each, ins.StoreConditional) and each.status is None:
            found[at] = replace(each, status=f"{each.label}_failed")
        elif isinstance(each, ins.Rmw):
            if each.register is None and each.op not in _SUMS:
                each = replace(each, register=name)
            if each.op == "cas" and each.success is None:
                each = replace(each, success=f"{each.label}_stored")
            found[at] = each
    return tuple(found)
