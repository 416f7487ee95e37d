"""The code of a thread of a .prog text: statements to instructions, expressions, labels, registers.

Structured statements become branches: `if e {A} else {B}` is `if !e goto 1; A; goto 2; 1: B; 2:`,
`while e {A}` is `1: if !e goto 2; A; goto 1; 2:` and `do {A} while e` is `1: A; if e goto 1`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

import lark

from hybrid.frontend.prog_expr import (
    ACCESSES,
    FUNCTIONS,
    ONE_ACCESS,
    SELECT,
    ExpressionReader,
    as_token,
    as_tree,
)
from hybrid.frontend.prog_names import Names, Node, Tree
from hybrid.parsing import did_you_mean
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.tags import (
    ANNOTATIONS,
    EXCLUSIVE,
    FENCE_ORDERS,
    FENCE_TAGS,
    FENCES,
    NARROW_RMWS,
    ON_FAILURE,
    PLAIN,
    RMWS,
)
from hybrid.program.values import OPPOSITE
from hybrid.source import Span

DROP = "_"  # written as the register of an access, it means none


class Labels:
    """The written labels of the whole program: unique, each belonging to one thread."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.owner: dict[str, tuple[str, Span]] = {}  # thread and place of each label

    def define(self, token: lark.Token, thread: str) -> None:
        if token in self.owner:
            other, span = self.owner[token]
            where = f"first in line {span.line}, thread {other}; labels are unique in a program"
            self.names.fail(f"label `{token}` is defined twice", token, where)
        self.owner[token] = (thread, self.names.span(token))

    def undefined(self, token: lark.Token, thread: str) -> NoReturn:
        if token in self.owner:
            other = self.owner[token][0]
            hint = f"`{token}` is in thread {other}; a goto stays in its thread"
        else:
            hint = did_you_mean(token, (k for k, v in self.owner.items() if v[0] == thread))
        self.names.fail(f"undefined label `{token}`", token, hint)


class CodeReader(ExpressionReader):
    """Reads one thread's statements. A branch's target is a mark until `finish`; a mark stands for
    an index into the code."""

    def __init__(self, names: Names, labels: Labels, thread: str) -> None:
        super().__init__(names)
        self.labels = labels
        self.thread = thread
        self.code: list[ins.Instruction] = []  # labels empty where none is written
        self.marks: list[int] = []  # the index that each mark stands for; -1: not yet known
        self.label_marks: dict[str, int] = {}
        self.pending = ""  # the first label written since the last instruction
        self.jumps: list[tuple[lark.Token, int]] = []  # labels that gotos name, and their marks

    # Statements

    def statements(self, nodes: Sequence[Node]) -> None:
        for node in nodes:
            assert isinstance(node, lark.Tree)
            self._statement(node)

    def _statement(self, tree: Tree) -> None:
        kind, children = tree.data, tree.children
        if kind == "label":
            self._label(as_token(children[0]))
        elif kind == "assign":
            self._assign(tree)
        elif kind == "assign_both":
            self._assign_both(tree)
        elif kind == "effect":
            guard = children[1] if len(children) == 3 else None
            self._access(tree, None, as_tree(children[0]), guard, as_tree(children[-1]))
        elif kind == "fence":
            self._fence(tree)
        elif kind == "branch":
            condition = self.expression(as_tree(children[0]))
            self._branch(self._span(tree), condition, self._jump(as_token(children[1])))
        elif kind == "jump":
            self._goto(self._span(tree), self._jump(as_token(children[0])))
        elif kind == "assume":
            self._assume(tree)
        elif kind == "assertion":
            condition = self.expression(as_tree(children[0]))
            self._emit(ins.Assert(self._span(tree), "", condition))
        elif kind == "choice":
            self._choice(tree)
        elif kind == "loop":
            head, end = self._mark(), self._mark()
            self._put(head)
            self._branch_unless(as_tree(children[0]), end)
            self.statements(as_tree(children[1]).children)
            self._goto(self.names.span(as_tree(children[0])), head)
            self._put(end)
        elif kind == "repeat":
            head = self._mark()
            self._put(head)
            self.statements(as_tree(children[0]).children)
            again = as_tree(children[1])
            self._branch(self.names.span(again), self.expression(again), head)
        else:
            assert kind == "skip", kind

    def _assume(self, tree: Tree) -> None:
        condition, wait, kept = tree.children
        assumed = self.expression(as_tree(condition))
        rereads = self.rereads(kept)
        self._emit(ins.Assume(self._span(tree), "", assumed, wait is not None, rereads))

    def _choice(self, tree: Tree) -> None:
        condition, then, other = tree.children
        otherwise = self._mark()
        self._branch_unless(as_tree(condition), otherwise)
        self.statements(as_tree(then).children)
        if other is None:
            self._put(otherwise)
            return
        end = self._mark()
        self._goto(self.names.span(as_tree(condition)), end)
        self._put(otherwise)
        other = as_tree(other)
        self.statements([other] if other.data == "choice" else other.children)
        self._put(end)

    def _assign(self, tree: Tree) -> None:
        target, value, annotations = (as_tree(tree.children[i]) for i in (0, 1, -1))
        guard = tree.children[2] if len(tree.children) == 4 else None
        while value.data == "paren":
            value = as_tree(value.children[0])
        access = self.is_place(value) or value.data in ("await_load", "await_exchange")
        access = access or (value.data == "call" and value.children[0] in ACCESSES)
        if not self.is_place(target):
            register = as_token(target.children[0])
            if access:
                self._access(tree, register, value, guard, annotations)
                return
            if register == DROP:
                self.names.fail(
                    f"`{DROP}` drops what an access reads, and this is not an access", register
                )
            self._refuse(guard, "an await needs a memory access")
            self._refuse(_first(annotations), "an annotation needs a memory access")
            if value.data == "call" and value.children[0] == SELECT:
                self._select(tree, register, value)
            else:
                expression = self.expression(value)
                self._emit(ins.Assign(self._span(tree), "", str(register), expression))
            self.assigned.add(register)
        elif access:
            message = "this instruction would make two memory accesses"
            self.names.fail(message, value, ONE_ACCESS)
        else:
            self._refuse(guard, "a store waits for nothing")
            address = self.address(target)
            expression = self.expression(value)
            tags = self._tags(annotations)
            self._emit(ins.Store(self._span(tree), "", address, expression, tags))

    def _select(self, tree: Tree, register: lark.Token, call: Tree) -> None:
        arguments = [child for child in call.children[1:] if isinstance(child, lark.Tree)]
        self.arity(call, arguments, 3)
        condition, yes, no = (self.expression(argument) for argument in arguments)
        self._emit(ins.Select(self._span(tree), "", str(register), condition, yes, no))

    def _assign_both(self, tree: Tree) -> None:
        """A cas with two results: what it read, and whether it stored."""
        register, success = as_token(tree.children[0]), as_token(tree.children[1])
        call, annotations = as_tree(tree.children[2]), as_tree(tree.children[-1])
        name = as_token(call.children[0])
        if RMWS.get(name, ("",))[0] != "cas":
            self.names.fail(f"`{name}` does not have two results", name, "a cas has")
        for target in (register, success):
            if target in self.names.variables:
                self.names.fail(f"`{target}` is a location", target, "expected a register")
        if success == DROP:
            self.names.fail("a second result that is dropped", success, "leave it out")
        self._access(tree, register, call, tree.children[3], annotations, success)
        self.assigned.add(success)

    def _access(
        self,
        tree: Tree,
        target: lark.Token | None,
        access: Tree,
        guard: Node | None,
        annotations: Tree,
        second: lark.Token | None = None,
    ) -> None:
        """A load, await, read-modify-write or store-conditional, its result in `target` or dropped;
        of a cas, whether it stores in `second`."""
        if target == DROP:
            target = None
        register = None if target is None else str(target)
        span = self._span(tree)
        if access.data == "call":
            self._emit(self._call(span, register, access, guard, annotations, second))
        else:
            self._emit(self._bare(span, register, access, guard, annotations))
        if target is not None:
            self.assigned.add(target)

    def _bare(
        self,
        span: Span,
        register: str | None,
        access: Tree,
        guard: Node | None,
        annotations: Tree,
    ) -> ins.Instruction:
        """A load or an await."""
        parts, tags = access.children, self._tags(annotations)
        if access.data == "await_load":
            waits = self.guard(as_tree(parts[1]), parts[2])
            return ins.Load(span, "", register, self.address(as_tree(parts[0])), tags, waits)
        if access.data == "await_exchange":
            waits = self.guard(as_tree(parts[1]), parts[3])
            address, operand = self.address(as_tree(parts[0])), self.expression(as_tree(parts[2]))
            return ins.Rmw(span, "", register, "xchg", address, operand, None, tags, waits)
        wanted = self._guard(guard)
        return ins.Load(span, "", register, self.address(access), tags, wanted)

    def _call(
        self,
        span: Span,
        register: str | None,
        access: Tree,
        guard: Node | None,
        annotations: Tree,
        second: lark.Token | None,
    ) -> ins.Instruction:
        """An access that is written as a call."""
        name = as_token(access.children[0])
        arguments = [child for child in access.children[1:] if isinstance(child, lark.Tree)]
        cas = RMWS.get(name, ("",))[0] == "cas"
        tags = self._tags(annotations, cas=cas)
        waits = self._guard(guard)
        if name in RMWS or name in NARROW_RMWS:
            op, bits = NARROW_RMWS.get(name, ("", 64))
            op, count = (op, 1) if op else RMWS[name]
            self.arity(access, arguments, 1 + count)
            address = self.address(arguments[0])
            expected = self.expression(arguments[1]) if count == 2 else None
            operand = self.expression(arguments[-1])
            failed, weak = self._failed_tags(annotations), name == "cas_weak"
            success = None if second is None else str(second)
            made = ins.Rmw(span, "", register, op, address, operand, expected, tags, waits, bits)
            return replace(made, failed_tags=failed, weak=weak, success=success)
        if name == "lr":
            self.arity(access, arguments, 1)
            tags |= {EXCLUSIVE}
            address = self.address(arguments[0])
            return ins.Load(span, "", register, address, tags, waits, exclusive=True)
        if name in ("sc", "stx", "sc_store"):
            self._refuse(guard, "a store-conditional waits for nothing")
            self.arity(access, arguments, 2)
            address, value = self.address(arguments[0]), self.expression(arguments[1])
            tags |= {EXCLUSIVE}
            free, by_store = name == "stx", name == "sc_store"
            return ins.StoreConditional(span, "", register, address, value, tags, free, by_store)
        if name in FUNCTIONS:
            self.names.fail(f"the result of `{name}` is not used", access)
        return self.unknown_function(name)

    def _guard(self, guard: Node | None) -> ins.Guard | None:
        """What is written behind an access."""
        if guard is None:
            return None
        awaited, kept = as_tree(guard).children
        return self.guard(as_tree(awaited), kept)

    def _fence(self, tree: Tree) -> None:
        word, annotations = as_token(tree.children[0]), as_tree(tree.children[1])
        if word in FENCES:
            self._refuse(_first(annotations), f"`{word}` takes no annotation")
            tags = FENCES[word]
        elif word == "fence":
            if not annotations.children:
                known = ", ".join(f"@{name}" for name in FENCE_ORDERS)
                self.names.fail("which fence?", word, f"expected one of {known}")
            tags = self._tags(annotations, fence=True)
        elif word in self.names.variables:
            hint = f"read it `r := {word}` or write it `{word} := 1`"
            self.names.fail(f"`{word}` alone is not an instruction", word, hint)
        else:
            hint = did_you_mean(word, (*FENCES, "fence", *ACCESSES))
            self.names.fail(f"unknown instruction `{word}`", word, hint)
        self._emit(ins.Fence(self._span(tree), "", tags))

    def _tags(self, annotations: Tree, fence: bool = False, cas: bool = False) -> frozenset[str]:
        found = [as_token(child) for child in annotations.children]
        for token in found:
            if token[1:].startswith(ON_FAILURE) and not cas:
                self.names.fail(f"only a cas can be `{token}`", token)
        listed = [(token, token[1:]) for token in found if not token[1:].startswith(ON_FAILURE)]
        return self._listed_tags(listed, fence) or frozenset({PLAIN})

    def _failed_tags(self, annotations: Tree) -> frozenset[str] | None:
        """What the load of a cas has when it does not store; None: what is written for both."""
        found = [as_token(child) for child in annotations.children]
        marked = [token for token in found if token[1:].startswith(ON_FAILURE)]
        listed = [(token, token[1:].removeprefix(ON_FAILURE)) for token in marked]
        return self._listed_tags(listed, False) or None

    def _listed_tags(self, listed: Sequence[tuple[lark.Token, str]], fence: bool) -> frozenset[str]:
        tags: set[str] = set()
        for token, spelling in listed:
            if fence and spelling in FENCE_TAGS and spelling not in ANNOTATIONS:
                tag = spelling
            elif spelling not in ANNOTATIONS:
                known = FENCE_ORDERS if fence else tuple(ANNOTATIONS)
                hint = f"expected one of {', '.join(f'@{name}' for name in known)}"
                self.names.fail(f"unknown annotation `{token}`", token, hint)
            elif fence and spelling not in FENCE_ORDERS:
                known = FENCE_ORDERS
                hint = f"expected one of {', '.join(f'@{name}' for name in known)}"
                self.names.fail(f"a fence cannot be `{token}`", token, hint)
            else:
                tag = ANNOTATIONS[spelling]
            if tag in tags:
                self.names.fail(f"`{token}` is written twice", token)
            tags.add(tag)
        return frozenset(tags)

    def _refuse(self, node: Node | None, message: str) -> None:
        if node is not None:
            self.names.fail(message, node)

    # Emitting

    def _span(self, tree: Tree) -> Span:
        """A statement's span, without its semicolon."""
        span = self.names.span(tree)
        written = (
            child
            for child in reversed(tree.children)
            if child is not None and not (isinstance(child, lark.Tree) and child.meta.empty)
        )
        return span.to(self.names.span(next(written, tree)))

    def _emit(self, instruction: ins.Instruction) -> None:
        if self.pending:
            instruction = replace(instruction, label=self.pending)
            self.pending = ""
        self.code.append(instruction)

    def _label(self, token: lark.Token) -> None:
        self.labels.define(token, self.thread)
        self._put(self._label_mark(token))
        self.pending = self.pending or str(token)

    def _label_mark(self, token: lark.Token) -> int:
        if token not in self.label_marks:
            self.label_marks[token] = self._mark()
        return self.label_marks[token]

    def _jump(self, token: lark.Token) -> int:
        mark = self._label_mark(token)
        self.jumps.append((token, mark))
        return mark

    def _mark(self) -> int:
        self.marks.append(-1)
        return len(self.marks) - 1

    def _put(self, mark: int) -> None:
        self.marks[mark] = len(self.code)

    def _branch(self, span: Span, condition: ex.Expr, mark: int) -> None:
        self._emit(ins.Branch(span, "", condition, mark))

    def _branch_unless(self, tree: Tree, mark: int) -> None:
        condition = self.expression(tree)
        span = condition.span
        if isinstance(condition, ex.Binary) and condition.op in OPPOSITE:
            condition = replace(condition, op=OPPOSITE[condition.op])
        else:
            condition = ex.Unary(span, "!", condition)
        self._branch(span, condition, mark)

    def _goto(self, span: Span, mark: int) -> None:
        self._emit(ins.Goto(span, "", mark))

    def finish(self, initial: frozenset[str]) -> tuple[ins.Instruction, ...]:
        """The code with labels everywhere and targets in place, once all labels of the program are
        known.

        Written labels stay; made-up ones are the thread's name and the index, as `P0`, with
        underscores where taken.
        """
        for token, mark in self.jumps:
            if self.marks[mark] < 0:
                self.labels.undefined(token, self.thread)
        for token in self.reads:
            if token not in self.assigned and token not in initial:
                known = self.assigned | initial | self.names.variables.keys()
                hint = did_you_mean(token, known)
                hint = (
                    hint
                    or f"a register is assigned in its thread, a location declared: `{token} = 0`"
                )
                self.names.fail(f"unknown variable `{token}`", token, hint)
        prefix = self.thread if not self.thread[:1].isdigit() else f"T{self.thread}_"
        finished: list[ins.Instruction] = []
        for index, instruction in enumerate(self.code):
            instruction = instruction.with_targets(self.marks.__getitem__)
            if not instruction.label:
                label = f"{prefix}{index}"
                while label in self.labels.owner:
                    label = f"{label}_"
                self.labels.owner[label] = (self.thread, instruction.span)
                instruction = replace(instruction, label=label)
            finished.append(instruction)
        return tuple(finished)


def _first(annotations: Tree) -> Node | None:
    return annotations.children[0] if annotations.children else None
