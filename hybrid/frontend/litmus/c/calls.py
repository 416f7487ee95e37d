"""Calls of atomic functions in herd's C dialect to IR, by the table of c_functions.

A compare-exchange reads what it expects by a plain load, and writes there by a plain store when it
fails; a variable of the thread can stand there too (`&r`), without an access.
"""

from __future__ import annotations

from typing import NoReturn

import lark

from hybrid.frontend.litmus.c import functions as cf
from hybrid.frontend.litmus.c import types as ct
from hybrid.frontend.litmus.c.emit import NO_TAGS
from hybrid.frontend.litmus.c.expr import Expressions, LocalVariable, MemoryCell, token_of, tree_of
from hybrid.frontend.litmus.c.tree import Tree
from hybrid.frontend.litmus.c.types import Typed
from hybrid.parsing import did_you_mean
from hybrid.program import expr as ex


class Calls(Expressions):
    """Reads the calls of one thread."""

    def call(self, tree: Tree, into: LocalVariable | None) -> Typed:
        name = token_of(tree.children[0])
        arguments = [tree_of(child) for child in tree.children[1:] if child is not None]
        found = cf.find(name)
        if found is None:
            self._unknown(name)
        function, explicit = found
        wanted = function.arguments + (len(function.orders) if explicit else 0)
        if len(arguments) != wanted:
            self._wrong_arguments(tree, name, function, explicit, len(arguments))
        orders = [cf.STRONGEST] * len(function.orders)
        if explicit:
            given = zip(arguments[function.arguments :], function.orders, strict=True)
            orders = [self._order(argument, use, name) for argument, use in given]
        arguments = arguments[: function.arguments]
        return self._do(tree, function, arguments, [frozenset({o}) for o in orders], into)

    def _do(
        self,
        tree: Tree,
        function: cf.AtomicFunction,
        arguments: list[Tree],
        tags: list[frozenset[str]],
        into: LocalVariable | None,
    ) -> Typed:
        span, does = self.trees.span(tree), function.does
        nothing = ct.constant(span, 0, ct.VOID)
        if does == "fence":
            (tag,) = tags[0]
            if tag != "RLX":  # which does nothing (C11, 7.17.4.1)
                self.emit.fence(span, "ACQ" if tag == "CON" else tag)
            return nothing
        place = self._object(arguments[0])
        type_ = place.type
        if does == "cas":
            return self._compare_exchange(tree, place, arguments[1:], tags, function.weak, into)
        value = self.number(arguments[1]) if len(arguments) > 1 else ct.constant(span, 0)
        if does == "load":
            return self.load(span, place, tags[0], into)
        if does in ("store", "clear", "init"):
            self.store(span, place, value, tags[0] if tags else NO_TAGS)
            return nothing
        if does == "set":
            value = ct.constant(span, 1)
        if type_.pointee is not None and does == "fetch":
            self.trees.refuse("unsupported: arithmetic on a pointer in memory", tree)
        register = self.into_register(into, type_)
        operand = ct.held(span, value, type_)
        op = function.op or "xchg"
        if type_.truth and does == "fetch":
            self.trees.fail("arithmetic on a truth", tree)
        self.emit.rmw(span, register, op, place.address, operand, type_.bits, tags[0])
        return ct.read(span, ex.Register(span, register), type_)

    def _compare_exchange(
        self,
        tree: Tree,
        place: MemoryCell,
        arguments: list[Tree],
        tags: list[frozenset[str]],
        weak: bool,
        into: LocalVariable | None,
    ) -> Typed:
        span, type_ = self.trees.span(tree), place.type
        expects = self._expected(arguments[0])
        if expects.type.bits != type_.bits:
            message = f"it expects {expects.type.name} where there is {type_.name}"
            self.trees.fail(message, arguments[0])
        operand = ct.held(span, self.number(arguments[1]), type_)
        if isinstance(expects, LocalVariable):
            old = Typed(ex.Register(span, expects.register), expects.type)
        else:
            old = self.load(span, expects, NO_TAGS)
        read, stored = self.emit.register(), self.into_register(into, ct.INT)
        both = (tags[0], tags[1])
        expected = ct.held(span, old, type_)
        registers = (read, stored)
        self.emit.cas(span, registers, place.address, expected, operand, type_.bits, both, weak)
        found = ct.read(span, ex.Register(span, read), type_)
        if isinstance(expects, LocalVariable):  # where it stored, it found what the variable holds
            new = ct.convert(span, found, expects.type)
            self.emit.set(span, expects.register, new.expr)
        else:
            end = self.emit.mark()
            self.emit.branch(span, ex.Register(span, stored), end)
            self.store(span, expects, found, NO_TAGS)
            self.emit.put(end)
        return Typed(ex.Register(span, stored), ct.INT)

    def _expected(self, tree: Tree) -> LocalVariable | MemoryCell:
        """What a compare-exchange expects: `&r`, or a pointer."""
        while tree.data == "paren":
            tree = tree_of(tree.children[0])
        if tree.data == "address":
            operand = tree_of(tree.children[1])
            while operand.data == "paren":
                operand = tree_of(operand.children[0])
            if operand.data == "name" and self.variable(token_of(operand.children[0])) is not None:
                return self.place(operand)
        return self._object(tree)

    def _object(self, tree: Tree) -> MemoryCell:
        """The location that a pointer, an argument, points to."""
        pointer = self.number(tree)
        if pointer.type.pointee is None:
            hint = f"it is of type {pointer.type.name}"
            self.trees.fail("this argument must be a pointer", tree, hint)
        return self.pointed(tree, pointer)

    def _order(self, tree: Tree, use: str, function: str) -> str:
        while tree.data == "paren":
            tree = tree_of(tree.children[0])
        name = str(tree.children[0]) if tree.data == "name" else ""
        if name not in cf.ORDERS:
            hint = did_you_mean(name, cf.ORDERS) or f"expected one of {', '.join(cf.ORDERS)}"
            self.trees.fail("this is not a memory order", tree, hint)
        tag = cf.ORDERS[name]
        if tag not in cf.SENSIBLE[use]:
            able = [order for order, t in cf.ORDERS.items() if t in cf.SENSIBLE[use]]
            message = f"`{name}` is not an order for a {use}"
            self.trees.fail(message, tree, f"expected one of {', '.join(able)}")
        return tag

    def _unknown(self, name: lark.Token) -> NoReturn:
        if cf.is_linux(name) and name.removesuffix(cf.EXPLICIT) not in cf.FUNCTIONS:
            hint = "tests of the Linux kernel's model are another dialect"
            self.trees.refuse(f"unsupported function `{name}`", name, hint)
        self.trees.refuse(f"unsupported function `{name}`", name, did_you_mean(name, cf.NAMES))

    def _wrong_arguments(
        self, tree: Tree, name: str, function: cf.AtomicFunction, explicit: bool, given: int
    ) -> NoReturn:
        number = function.arguments + (len(function.orders) if explicit else 0)
        hint = ""
        if explicit and given == function.arguments and given:
            bare = name.removesuffix(cf.EXPLICIT)
            hint = f"a memory order is missing; without one it is `{bare}`"
        elif not explicit and given == number + len(function.orders):
            hint = f"with memory orders it is `{name}{cf.EXPLICIT}`"
        plural = "s" * (number != 1)
        self.trees.fail(f"`{name}` takes {number} argument{plural}, not {given}", tree, hint)
