"""The code of a C thread as it grows: instructions, jumps to places that are not known yet,
registers for what has no name."""

from __future__ import annotations

from dataclasses import replace

from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import values
from hybrid.program.tags import PLAIN
from hybrid.source import Span

NO_TAGS = frozenset({PLAIN})
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class Emitter:
    """Targets of jumps are marks until `finish`; a mark stands for an index into the code."""

    def __init__(self, thread: str) -> None:
        self.thread = thread
        self.code: list[ins.Instruction] = []
        self.widths: dict[str, tuple[int | None, str]] = {}  # bits of accesses, by label
        self._marks: list[int] = []  # the index of each; -1: not yet known
        self._fresh = 0

    def register(self) -> str:
        """A register that no variable is named like."""
        self._fresh += 1
        return f"${self._fresh}"

    def mark(self) -> int:
        self._marks.append(-1)
        return len(self._marks) - 1

    def put(self, mark: int) -> None:
        """The mark stands for the next instruction."""
        self._marks[mark] = len(self.code)

    def set(self, span: Span, register: str, value: ex.Expr) -> None:
        if not (isinstance(value, ex.Register) and value.name == register):
            self.code.append(ins.Assign(span, self._label(), register, value))

    def change(self, index: int, value: ex.Expr) -> None:
        """Another value for the assignment with that index."""
        assignment = self.code[index]
        assert isinstance(assignment, ins.Assign)
        self.code[index] = replace(assignment, value=value)

    def goto(self, span: Span, mark: int) -> None:
        self.code.append(ins.Goto(span, self._label(), mark))

    def branch(self, span: Span, condition: ex.Expr, mark: int, truth: bool = True) -> None:
        """Jumps where the condition has this truth."""
        if isinstance(condition, ex.Const):
            if (condition.value != 0) == truth:
                self.goto(span, mark)
            return
        if not truth:
            condition = negation(condition)
        self.code.append(ins.Branch(span, self._label(), condition, mark))

    def fence(self, span: Span, tag: str) -> None:
        self.code.append(ins.Fence(span, self._label(), frozenset({tag})))

    def load(
        self, span: Span, register: str | None, address: ex.Expr, bits: int, tags: frozenset[str]
    ) -> None:
        self.code.append(ins.Load(span, self._access(bits, "load"), register, address, tags))

    def store(
        self, span: Span, address: ex.Expr, value: ex.Expr, bits: int, tags: frozenset[str]
    ) -> None:
        self.code.append(ins.Store(span, self._access(bits, "store"), address, value, tags))

    def rmw(
        self,
        span: Span,
        register: str | None,
        op: str,
        address: ex.Expr,
        operand: ex.Expr,
        bits: int,
        tags: frozenset[str],
    ) -> None:
        """An exchange (`xchg`) or a fetch-and-op."""
        narrow = values.BITS if op == "xchg" else bits
        label = self._access(bits, "read-modify-write")
        made = ins.Rmw(span, label, register, op, address, operand, None, tags, bits=narrow)
        self.code.append(made)

    def cas(
        self,
        span: Span,
        registers: tuple[str | None, str],
        address: ex.Expr,
        expected: ex.Expr,
        operand: ex.Expr,
        bits: int,
        tags: tuple[frozenset[str], frozenset[str]],
        weak: bool,
    ) -> None:
        """`registers` get the old value and whether it stored; `tags` are for the cases that it
        does and does not."""
        failed = None if tags[0] == tags[1] else tags[1]
        self.code.append(
            ins.Rmw(
                span,
                self._access(bits, "compare-exchange"),
                registers[0],
                "cas",
                address,
                operand,
                expected,
                tags[0],
                failed_tags=failed,
                weak=weak,
                success=registers[1],
            )
        )

    def finish(self) -> tuple[ins.Instruction, ...]:
        """The code, with indices for marks."""
        return tuple(i.with_targets(self._marks.__getitem__) for i in self.code)

    def _label(self) -> str:
        return f"{self.thread}_{len(self.code)}"

    def _access(self, bits: int, name: str) -> str:
        label = self._label()
        self.widths[label] = (bits, name)
        return label


def negation(condition: ex.Expr) -> ex.Expr:
    """The expression that is true where the condition is not."""
    if isinstance(condition, ex.Binary) and condition.op in _OPPOSITE:
        return replace(condition, op=_OPPOSITE[condition.op])
    if isinstance(condition, ex.Unary) and condition.op == "!":
        return condition.operand
    return ex.Unary(condition.span, "!", condition)
