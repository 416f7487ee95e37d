"""Expressions and places in a thread of a .prog text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import lark

from hybrid.frontend.prog_names import Names, Node, Tree
from hybrid.parsing import did_you_mean
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import values
from hybrid.program.tags import NARROW_RMWS, RMWS
from hybrid.source import Span

_COMMON = (*RMWS, "lr", "sc", "stx", "sc_store")  # those that messages list
ACCESSES = (*_COMMON, *NARROW_RMWS)
FUNCTIONS = (*values.FUNCTIONS, *values.EXTENSIONS)
SELECT = "select"  # an instruction, though it looks like a function

_OUTSIDE = "it is the value read, in what an await waits for, and drops a value elsewhere"
ONE_ACCESS = "an instruction makes one memory access: load into a register first"


class ExpressionReader:
    """Reads the expressions of one thread and keeps account of its registers."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.reads: list[lark.Token] = []  # registers read, each time
        self.assigned: set[str] = set()  # registers assigned so far
        self.reading = False  # in what an await waits for, where READ stands for the value read

    def is_place(self, tree: Tree) -> bool:
        """Whether a `name`, `index` or `computed` node stands for memory (an unknown array does
        too: `address` complains)."""
        if tree.data == "name":
            return tree.children[0] in self.names.variables
        return tree.data in ("index", "computed")

    def address(self, tree: Tree) -> ex.Expr:
        """The address of the place that a node names."""
        span = self.names.span(tree)
        if tree.data == "name":
            token = as_token(tree.children[0])
            if token not in self.names.variables and token in self.assigned:
                hint = f"to access where it points: `[{token}]`"
                self.names.fail(f"`{token}` is a register, no location", token, hint)
            variable = self.names.scalar(token)
            return ex.Const(span, variable.address, f"&{variable.name}")
        if tree.data == "index":
            return self._element(span, as_token(tree.children[0]), as_tree(tree.children[1]))
        if tree.data == "computed":
            return self.expression(as_tree(tree.children[0]))
        hint = "expected a location, `[e]` or `a[e]`"
        return self.names.fail("this is not a place in memory", tree, hint)

    def _element(self, span: Span, token: lark.Token, index: Tree) -> ex.Expr:
        """The address of an array's cell: known at once when the index is, else `&a + index`."""
        array = self.names.array(token)
        offset = self.expression(index)
        if not ex.registers(offset):
            address, name = self.names.address(token, index, ex.evaluate(offset, {}))
            return ex.Const(span, address, f"&{name}")
        base = ex.Const(self.names.span(token), array.address, f"&{array.name}")
        return ex.Binary(span, "+", base, offset)

    def expression(self, tree: Tree) -> ex.Expr:
        """An expression, which has no memory access in it."""
        while tree.data == "paren":
            tree = as_tree(tree.children[0])
        span, kind, parts = self.names.span(tree), tree.data, tree.children
        if kind == "literal":
            return ex.Const(span, self.names.literal(as_token(parts[0])))
        if kind == "binary":
            left, right = self.expression(as_tree(parts[0])), self.expression(as_tree(parts[2]))
            op = "==" if parts[1] == "=" else str(parts[1])
            return ex.Binary(span, op, left, right)
        if kind == "unary":
            operand = as_tree(parts[1])
            if parts[0] == "-" and operand.data == "literal":
                return ex.Const(span, self.names.literal(as_token(operand.children[0]), True))
            return ex.Unary(span, str(parts[0]), self.expression(operand))
        if kind == "address_of":
            token, index = as_token(parts[0]), parts[1]
            if index is not None:
                return self._element(span, token, as_tree(index))
            if token not in self.names.variables and token in self.assigned:
                self.names.fail(f"`{token}` is a register and has no address", token)
            variable = self.names.variable(token)
            return ex.Const(span, variable.address, f"&{variable.name}")
        if kind == "name" and not self.is_place(tree):
            return self._register(span, as_token(parts[0]))
        if kind == "call" and parts[0] in FUNCTIONS:
            arguments = [child for child in parts[1:] if isinstance(child, lark.Tree)]
            name = str(parts[0])
            self.arity(tree, arguments, 1 if name in values.EXTENSIONS else 2)
            operands = [self.expression(argument) for argument in arguments]
            if name in values.EXTENSIONS:
                return ex.Unary(span, name, operands[0])
            return ex.Binary(span, name, operands[0], operands[1])
        if kind == "call" and parts[0] == SELECT:
            message = f"a `{SELECT}` inside an expression: `{span.text}`"
            self.names.fail(message, tree, f"it is an instruction: `r := {SELECT}(e, e, e)`")
        if kind == "call" and parts[0] not in ACCESSES:
            self.unknown_function(as_token(parts[0]))
        if kind == "index":
            self.names.array(as_token(parts[0]))
        return self.names.fail(
            f"a memory access inside an expression: `{span.text}`", tree, ONE_ACCESS
        )

    def _register(self, span: Span, token: lark.Token) -> ex.Register:
        if token != ins.READ:
            self.reads.append(token)
        elif not self.reading:
            self.names.fail(f"`{ins.READ}` is not a register", token, _OUTSIDE)
        return ex.Register(span, str(token))

    # What awaits wait for

    def guard(self, awaited: Tree, kept: Node | None) -> ins.Guard:
        """`= e` or `satisfies e`, and what the loop around reads as well."""
        rereads = self.rereads(kept)
        if len(awaited.children) == 2:
            op = "==" if awaited.children[0] == "=" else str(awaited.children[0])
            value = self.expression(as_tree(awaited.children[1]))
            return ins.Guard(self.names.span(awaited), op, value, rereads=rereads)
        self.reading = True
        test = self.expression(as_tree(awaited.children[0]))
        self.reading = False
        if ins.READ not in ex.registers(test):
            hint = f"`{ins.READ}` stands for it"
            self.names.fail("this does not depend on the value read", awaited, hint)
        return ins.guard_of(test, self.names.span(awaited), rereads)

    def rereads(self, kept: Node | None) -> tuple[ins.Reread, ...]:
        """`while (x = r, …)`; nothing where that is not written."""
        found: list[ins.Reread] = []
        for node in [] if kept is None else as_tree(kept).children:
            place, value = as_tree(node).children
            address = self.address(as_tree(place))
            found.append(ins.Reread(address, self.expression(as_tree(value))))
        return tuple(found)

    def arity(self, tree: Tree, arguments: Sequence[Tree], count: int) -> None:
        if len(arguments) != count:
            usage = {1: "(place)", 2: "(place, e)", 3: "(place, expected, new)"}[count]
            name = str(tree.children[0])
            if name in FUNCTIONS or name == SELECT:
                usage = f"({', '.join('e' * count)})"
            message = f"`{name}` takes {count} argument{'s' * (count > 1)}, not {len(arguments)}"
            self.names.fail(message, tree, f"expected `{name}{usage}`")

    def unknown_function(self, name: lark.Token) -> NoReturn:
        hint = did_you_mean(name, (*ACCESSES, *FUNCTIONS, SELECT))
        known = ", ".join((*_COMMON, *FUNCTIONS, SELECT))
        self.names.fail(f"unknown operation `{name}`", name, hint or f"known: {known}")


def as_tree(node: Node) -> Tree:
    assert isinstance(node, lark.Tree)
    return node


def as_token(node: Node) -> lark.Token:
    assert isinstance(node, lark.Token)
    return node
