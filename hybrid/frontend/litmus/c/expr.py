"""Expressions of herd's C dialect to IR.

Operands are evaluated from left to right, each memory access as an instruction of its own, before
the store of an assignment. The right side of `&&` and `||` is jumped over where C does, if it does
anything but compute. `*x` is a plain access, of an atomic location too, as in herd.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import lark

from hybrid.frontend.litmus.c import functions as cf
from hybrid.frontend.litmus.c import types as ct
from hybrid.frontend.litmus.c.emit import NO_TAGS, Emitter
from hybrid.frontend.litmus.c.tree import Node, Tree, Trees
from hybrid.frontend.litmus.c.types import Typed
from hybrid.parsing import did_you_mean
from hybrid.program import expr as ex
from hybrid.source import Span

_EFFECTS = frozenset({"call", "content", "index", "assign", "change", "step_before", "step_after"})
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_CONSTANTS = {"NULL": 0, "true": 1, "false": 0}
_LOWEST = -(1 << 63)  # exchanged with it, unsigned numbers compare as signed ones do


@dataclass(frozen=True, slots=True)
class LocalVariable:
    """A variable of the thread: a register."""

    register: str
    type: ct.Type


@dataclass(frozen=True, slots=True)
class MemoryCell:
    """What lies at an address in memory."""

    address: ex.Expr
    type: ct.Type


def tree_of(node: Node | None) -> Tree:
    assert isinstance(node, lark.Tree)
    return node


def token_of(node: Node | None) -> lark.Token:
    assert isinstance(node, lark.Token)
    return node


class Expressions(ABC):
    """Reads the expressions of one thread and emits what they do."""

    def __init__(self, trees: Trees, emit: Emitter, parameters: dict[str, Typed]) -> None:
        self.trees = trees
        self.emit = emit
        self.parameters = parameters  # pointers to locations
        self.scopes: list[dict[str, ct.Type]] = [{}]  # variables, the innermost scope last

    @abstractmethod
    def call(self, tree: Tree, into: LocalVariable | None) -> Typed:
        """What a function does and gives."""

    # Values

    def value(self, tree: Tree, into: LocalVariable | None = None) -> Typed:
        """The value; an access that is all of the expression may leave it in the register
        `into`."""
        kind, span = tree.data, self.trees.span(tree)
        if kind == "paren":
            return self.value(tree_of(tree.children[0]), into)
        if kind == "number":
            return self.trees.number(token_of(tree.children[0]))
        if kind == "name":
            return self._name(token_of(tree.children[0]))
        if kind == "call":
            return self.call(tree, into)
        if kind in ("content", "index"):
            place = self.place(tree)
            assert isinstance(place, MemoryCell)
            return self.load(span, place, NO_TAGS, into)
        if kind == "unary":
            return self._unary(tree)
        if kind == "binary":
            left, right = self.number(tree.children[0]), self.number(tree.children[2])
            return self._binary(tree, str(tree.children[1]), left, right)
        if kind in ("both", "either"):
            return self._truth(tree)
        if kind == "ternary":
            return self._ternary(tree)
        if kind == "cast":
            return self._cast(tree)
        if kind == "comma":
            self.effect(tree_of(tree.children[0]))
            return self.value(tree_of(tree.children[1]), into)
        if kind == "assign":
            return self.assign(tree)
        if kind == "change":
            op = str(tree.children[1]).removesuffix("=")
            return self._change(tree, op, tree_of(tree.children[0]), tree_of(tree.children[2]))
        if kind in ("step_before", "step_after"):
            return self._step(tree, kind == "step_after")
        assert kind == "address", kind
        return self._address(tree)

    def number(self, node: Node | None) -> Typed:
        """A value that is computed with."""
        found = self.value(tree_of(node))
        if found.type == ct.VOID:
            self.trees.fail("this has no value", tree_of(node))
        return found

    def effect(self, tree: Tree) -> None:
        """Evaluates an expression whose value nobody looks at."""
        self.value(tree)

    def _name(self, token: lark.Token) -> Typed:
        span = self.trees.span(token)
        type_ = self.variable(token)
        if type_ is not None:
            return Typed(ex.Register(span, str(token)), type_)
        if token in self.parameters:
            return self.parameters[token]
        if token in _CONSTANTS:
            return ct.constant(span, _CONSTANTS[token])
        known = {name for scope in self.scopes for name in scope} | set(self.parameters)
        if token in cf.ORDERS:
            self.trees.fail(f"`{token}` cannot stand here", token, "it is a memory order")
        hint = did_you_mean(token, known) or "a location must be a parameter of the thread"
        raise self.trees.error(f"undeclared variable `{token}`", token, hint)

    def variable(self, name: str) -> ct.Type | None:
        """The type of a variable that is in scope."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def _unary(self, tree: Tree) -> Typed:
        op, span = str(tree.children[0]), self.trees.span(tree)
        operand = self.number(tree.children[1])
        if op == "!":
            return Typed(ct.unary(span, "!", operand.expr), ct.INT)
        if operand.type.pointee is not None:
            self.trees.fail(f"`{op}` of a pointer", tree)
        type_ = ct.promoted(operand.type)
        operand = ct.convert(span, operand, type_)
        if op == "+":
            return operand
        made = ct.unary(span, op, operand.expr)
        return Typed(ct.fit(span, made, type_) if op == "-" or not type_.signed else made, type_)

    def _binary(self, tree: Tree, op: str, left: Typed, right: Typed) -> Typed:
        span = self.trees.span(tree)
        if left.type.pointee is not None or right.type.pointee is not None:
            return self._with_pointers(tree, op, left, right)
        if op in ("<<", ">>"):
            type_ = ct.promoted(left.type)
            left = ct.convert(span, left, type_)
            if op == ">>" and type_.bits == 64 and not type_.signed:
                op = ">>>"
            made = ct.binary(span, op, left.expr, right.expr)
            return Typed(ct.fit(span, made, type_) if op == "<<" else made, type_)
        type_ = ct.common(left.type, right.type)
        a, b = ct.convert(span, left, type_).expr, ct.convert(span, right, type_).expr
        unsigned = type_.bits == 64 and not type_.signed
        if op in _COMPARISONS:
            if unsigned and op not in ("==", "!="):
                lowest = ex.Const(span, _LOWEST)
                a, b = ct.binary(span, "^", a, lowest), ct.binary(span, "^", b, lowest)
            return Typed(ct.binary(span, op, a, b), ct.INT)
        if op in ("/", "%"):
            if unsigned:
                self.trees.refuse("unsupported: division of unsigned numbers with 64 bits", tree)
            if isinstance(b, ex.Const) and b.value == 0:
                self.trees.fail("division by zero", tree)
        made = ct.binary(span, op, a, b)
        return Typed(made if op in ("&", "|", "^", "%") else ct.fit(span, made, type_), type_)

    def _with_pointers(self, tree: Tree, op: str, left: Typed, right: Typed) -> Typed:
        """Comparisons of pointers; a pointer plus or minus a number, which counts cells."""
        span = self.trees.span(tree)
        if op in _COMPARISONS:
            return Typed(ct.binary(span, op, left.expr, right.expr), ct.INT)
        if op == "+" and left.type.pointee is None:
            left, right = right, left
        pointee = left.type.pointee
        if op not in ("+", "-") or pointee is None or right.type.pointee is not None:
            self.trees.fail(f"`{op}` of a pointer", tree)
        if not pointee.bits:
            self.trees.fail("arithmetic on a pointer to void", tree)
        count = ct.binary(span, "*", right.expr, ex.Const(span, pointee.bytes))
        return Typed(ct.binary(span, op, left.expr, count), left.type)

    def _cast(self, tree: Tree) -> Typed:
        specifiers, pointer, operand = (tree_of(child) for child in tree.children)
        type_ = self.trees.type(specifiers, pointer)
        if type_ == ct.VOID:
            self.effect(operand)
            return ct.constant(self.trees.span(tree), 0, ct.VOID)
        return ct.convert(self.trees.span(tree), self.number(operand), type_)

    def _ternary(self, tree: Tree) -> Typed:
        span = self.trees.span(tree)
        otherwise, end = self.emit.mark(), self.emit.mark()
        register = self.emit.register()
        self.jump(tree_of(tree.children[0]), otherwise, False)
        left = self.number(tree.children[1])
        first = len(self.emit.code)
        self.emit.set(span, register, left.expr)
        self.emit.goto(span, end)
        self.emit.put(otherwise)
        right = self.number(tree.children[2])
        type_ = left.type if left.type.pointee is not None else ct.common(left.type, right.type)
        if right.type.pointee is not None:
            type_ = right.type
        self.emit.change(first, ct.convert(span, left, type_).expr)
        self.emit.set(span, register, ct.convert(span, right, type_).expr)
        self.emit.put(end)
        return Typed(ex.Register(span, register), type_)

    def _truth(self, tree: Tree) -> Typed:
        """`a && b` or `a || b` as a number."""
        span = self.trees.span(tree)
        right = tree_of(tree.children[1])
        if not has_effects(right):
            op = "&&" if tree.data == "both" else "||"
            a, b = self.number(tree.children[0]).expr, self.number(right).expr
            return Typed(ct.binary(span, op, a, b), ct.INT)
        register = self.emit.register()
        otherwise, end = self.emit.mark(), self.emit.mark()
        self.jump(tree, otherwise, False)
        self.emit.set(span, register, ex.Const(span, 1))
        self.emit.goto(span, end)
        self.emit.put(otherwise)
        self.emit.set(span, register, ex.Const(span, 0))
        self.emit.put(end)
        return Typed(ex.Register(span, register), ct.INT)

    def jump(self, tree: Tree, mark: int, truth: bool) -> None:
        """Jumps to the mark where the expression has this truth."""
        span = self.trees.span(tree)
        kind = tree.data
        if kind == "paren":
            self.jump(tree_of(tree.children[0]), mark, truth)
        elif kind == "unary" and tree.children[0] == "!":
            self.jump(tree_of(tree.children[1]), mark, not truth)
        elif kind in ("both", "either") and has_effects(tree_of(tree.children[1])):
            left, right = tree_of(tree.children[0]), tree_of(tree.children[1])
            if (kind == "either") == truth:  # either side alone leads there
                self.jump(left, mark, truth)
                self.jump(right, mark, truth)
            else:
                past = self.emit.mark()
                self.jump(left, past, not truth)
                self.jump(right, mark, truth)
                self.emit.put(past)
        else:
            self.emit.branch(span, self.number(tree).expr, mark, truth)

    # Places

    def place(self, tree: Tree) -> LocalVariable | MemoryCell:
        """What an expression on the left of an assignment stands for."""
        while tree.data == "paren":
            tree = tree_of(tree.children[0])
        if tree.data == "name":
            token = token_of(tree.children[0])
            type_ = self.variable(token)
            if type_ is not None:
                return LocalVariable(str(token), type_)
            if token in self.parameters:
                hint = f"store to the location: `*{token} = …`"
                self.trees.refuse(
                    f"unsupported: assignment to the parameter `{token}`", token, hint
                )
            self._name(token)  # fails, or is a constant
        elif tree.data == "content":
            pointer = self.number(tree.children[1])
            return self.pointed(tree, pointer)
        elif tree.data == "index":
            base, offset = self.number(tree.children[0]), self.number(tree.children[1])
            if base.type.pointee is None or offset.type.pointee is not None:
                self.trees.fail("this is not an array", tree)
            return self.pointed(tree, self._with_pointers(tree, "+", base, offset))
        hint = "expected a variable, `*x` or `x[i]`"
        raise self.trees.error("this cannot be assigned to", tree, hint)

    def pointed(self, tree: Tree, pointer: Typed) -> MemoryCell:
        pointee = pointer.type.pointee
        if pointee is None:
            hint = f"it is of type {pointer.type.name}"
            self.trees.fail("this is not a pointer", tree, hint)
        if not pointee.bits:
            self.trees.fail("a pointer to void has no content", tree)
        return MemoryCell(pointer.expr, pointee)

    def _address(self, tree: Tree) -> Typed:
        operand = tree_of(tree.children[1])
        while operand.data == "paren":
            operand = tree_of(operand.children[0])
        if operand.data not in ("content", "index"):
            hint = "only a compare-exchange takes one, as what it expects"
            self.trees.refuse("unsupported: the address of a variable of the thread", tree, hint)
        place = self.place(operand)
        assert isinstance(place, MemoryCell)
        return Typed(place.address, ct.pointer_to(place.type))

    def load(
        self, span: Span, place: MemoryCell, tags: frozenset[str], into: LocalVariable | None = None
    ) -> Typed:
        register = self.into_register(into, place.type)
        self.emit.load(span, register, place.address, place.type.bits, tags)
        return ct.read(span, ex.Register(span, register), place.type)

    def store(self, span: Span, place: MemoryCell, value: Typed, tags: frozenset[str]) -> None:
        stored = ct.held(span, value, place.type)
        self.emit.store(span, place.address, stored, place.type.bits, tags)

    def into_register(self, into: LocalVariable | None, type_: ct.Type) -> str:
        """Where what is read goes: the variable that is assigned, if it needs no conversion."""
        same = into is not None and (into.type.bits, into.type.signed, into.type.truth) == (
            type_.bits,
            type_.signed,
            type_.truth,
        )
        return into.register if into is not None and same else self.emit.register()

    # Assignments

    def assign(self, tree: Tree) -> Typed:
        left, right = tree_of(tree.children[0]), tree_of(tree.children[1])
        place = self.place(left)
        if isinstance(place, LocalVariable):
            return self.assign_local(self.trees.span(tree), place, right)
        value = self.number(right)
        self.store(self.trees.span(tree), place, value, NO_TAGS)
        return ct.convert(self.trees.span(tree), value, place.type)

    def assign_local(self, span: Span, place: LocalVariable, right: Tree) -> Typed:
        value = self.value(right, place)
        if value.type == ct.VOID:
            self.trees.fail("this has no value", right)
        self.emit.set(span, place.register, ct.convert(span, value, place.type).expr)
        return Typed(ex.Register(span, place.register), place.type)

    def _change(self, tree: Tree, op: str, left: Tree, right: Tree | None) -> Typed:
        """`left op= right`; without a right side it is 1."""
        span = self.trees.span(tree)
        place = self.place(left)
        if isinstance(place, MemoryCell) and place.type.atomic:
            hint = "write it as an atomic function: `atomic_fetch_add`, …"
            self.trees.refuse("unsupported: an operation on an atomic location", tree, hint)
        operand = ct.constant(span, 1) if right is None else self.number(right)
        if isinstance(place, LocalVariable):
            variable = Typed(ex.Register(span, place.register), place.type)
            new = ct.convert(span, self._binary(tree, op, variable, operand), place.type)
            self.emit.set(span, place.register, new.expr)
            return variable
        new = ct.convert(
            span, self._binary(tree, op, self.load(span, place, NO_TAGS), operand), place.type
        )
        self.store(span, place, new, NO_TAGS)
        return new

    def _step(self, tree: Tree, after: bool) -> Typed:
        """`++x`, `x++` and their like."""
        span = self.trees.span(tree)
        token, operand = tree.children[::-1] if after else tree.children
        place_tree = tree_of(operand)
        op = str(token)[0]
        new = self._change(tree, op, place_tree, None)
        if not after:
            return new
        back = "-" if op == "+" else "+"
        old = self._binary(tree, back, new, ct.constant(span, 1))
        return ct.convert(span, old, new.type)


def has_effects(tree: Tree) -> bool:
    """Whether evaluating it does anything but compute."""
    return any(node.data in _EFFECTS for node in tree.iter_subtrees())
