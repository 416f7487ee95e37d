"""Names and numbers of a .prog text: its variables with their addresses, spans of tree nodes,
literals."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

import lark

from hybrid.errors import InputError
from hybrid.parsing import did_you_mean, token_span, tree_span
from hybrid.program import values
from hybrid.program.memory import HIGHEST, LOWEST, MAX_CELLS, Location, MemoryLayout
from hybrid.source import Source, Span

Tree: TypeAlias = lark.Tree[lark.Token]
Node: TypeAlias = Tree | lark.Token

_NUMBER = re.compile(r"0|[1-9][0-9]*|0[xX][0-9a-fA-F]+")


@dataclass(frozen=True, slots=True)
class DeclaredName:
    """A declared name: one location, or an array of `size` cells."""

    span: Span
    name: str
    address: int  # of the first cell
    size: int | None  # None: no array

    def cell(self, index: int) -> str:
        """The name of a cell, as printed."""
        return self.name if self.size is None else f"{self.name}[{index}]"


class Names:
    """The variables of one text, filled by `declare`; and how its nodes are read."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.variables: dict[str, DeclaredName] = {}

    # Spans and numbers

    def span(self, node: Node) -> Span:
        if isinstance(node, lark.Token):
            return token_span(self.source, node)
        return tree_span(self.source, node)

    def fail(self, message: str, node: Node, hint: str = "") -> NoReturn:
        raise InputError(message, self.span(node), hint)

    def literal(self, token: lark.Token, negative: bool = False) -> int:
        """The value of a number token, negated on demand; hexadecimal ones are bit patterns."""
        text = str(token)
        if not _NUMBER.fullmatch(text):
            hint = "numbers are decimal, without leading zeros, or hexadecimal: `10`, `0x1f`"
            self.fail(f"`{text[:40]}` is not a number", token, hint)
        if text[:2] in ("0x", "0X"):
            value = int(text, 16)
            if value < 2**64:
                return values.wrap(-value if negative else value)
        else:
            value = int(text) if len(text) <= 20 else 2**64
        value = -value if negative else value
        if not LOWEST <= value <= HIGHEST:
            hint = f"values go from {LOWEST} to {HIGHEST}, in hexadecimal to 0xffffffffffffffff"
            self.fail("this number does not fit 64 bits", token, hint)
        return value

    def number(self, tree: Tree) -> int:
        """The value of a `number` node: a literal with or without a minus."""
        minus, token = tree.children
        assert isinstance(token, lark.Token)
        return self.literal(token, minus is not None)

    # Variables

    def variable(self, token: lark.Token, size: str = "") -> DeclaredName:
        found = self.variables.get(token)
        if found is None:
            hint = did_you_mean(token, self.variables) or f"declare it: `{token}{size} = 0`"
            self.fail(f"unknown location `{token}`", token, hint)
        return found

    def address(self, token: lark.Token, index: Node | None, value: int | None) -> tuple[int, str]:
        """Address and printed name of a variable or, with an index (a node of that value), of an
        array's cell."""
        if index is None or value is None:
            variable = self.variable(token)
            return variable.address, variable.name
        variable = self.array(token)
        size = variable.size or 1
        if not 0 <= value < size:
            hint = f"`{token}` has {size} cells, from `{token}[0]`"
            self.fail(f"index {value} is out of range", index, hint)
        return variable.address + value, variable.cell(value)

    def array(self, token: lark.Token) -> DeclaredName:
        variable = self.variable(token, "[2]")
        if variable.size is None:
            self.fail(
                f"`{token}` is not an array", token, f"an array is declared so: `{token}[2] = 0`"
            )
        return variable

    def scalar(self, token: lark.Token) -> DeclaredName:
        variable = self.variable(token)
        if variable.size is not None:
            self.fail(f"`{token}` is an array", token, f"name a cell: `{token}[0]`")
        return variable

    def value(self, tree: Tree) -> tuple[int, str]:
        """The value of a `number` or `address` node and, of an address, how it is printed."""
        if tree.data == "number":
            return self.number(tree), ""
        token, index = tree.children
        assert isinstance(token, lark.Token)
        at = self.number(index) if isinstance(index, lark.Tree) else None
        address, name = self.address(token, index, at)
        return address, f"&{name}"

    # Declarations

    def declare(self, trees: Iterable[Tree]) -> tuple[Location, ...]:
        """Place the variables of `location` nodes, then read their initial values.

        Those with `at` stand where they say; the others follow in order, clear of each other and of
        those.
        """
        trees = list(trees)
        sizes: dict[str, int | None] = {}
        tokens: dict[str, lark.Token] = {}
        cells = 0
        for tree in trees:
            token = _name(tree)
            if token in tokens:
                first = self.span(tokens[token]).line
                self.fail(f"`{token}` is declared twice", token, f"first in line {first}")
            tokens[token] = token
            sizes[token] = self._size(tree)
            cells += sizes[token] or 1
            if cells > MAX_CELLS:
                self.fail("the program has too many locations", token, f"at most {MAX_CELLS}")
        layout = MemoryLayout()
        for tree in trees:
            place = tree.children[2]
            if place is not None:
                assert isinstance(place, lark.Tree)
                token = _name(tree)
                self._put(layout, token, sizes[token], self.number(place), place)
        for tree in trees:
            if tree.children[2] is None:
                token = _name(tree)
                size = sizes[token]
                address = layout.place(size or 1)
                self.variables[token] = DeclaredName(self.span(token), str(token), address, size)
        return tuple(location for tree in trees for location in self._locations(tree))

    def _size(self, tree: Tree) -> int | None:
        size = tree.children[1]
        if size is None:
            return None
        assert isinstance(size, lark.Tree)
        token = size.children[0]
        assert isinstance(token, lark.Token)
        cells = self.literal(token)
        if not 0 < cells <= MAX_CELLS:
            self.fail(f"an array cannot have {cells} cells", token, f"expected 1 to {MAX_CELLS}")
        return cells

    def _put(
        self, layout: MemoryLayout, token: lark.Token, size: int | None, address: int, node: Node
    ) -> None:
        """Places a variable where its text says."""
        cells = size or 1
        if address + cells - 1 > HIGHEST:
            self.fail(f"the addresses of `{token}` do not fit 64 bits", node)
        variable = DeclaredName(self.span(token), str(token), address, size)
        if address <= 0 < address + cells:
            hint = f"leave `at {address}` out, or give another address"
            self.fail(
                f"`{variable.cell(-address)}` cannot have address 0, which is null", node, hint
            )
        clash = layout.clash(address, cells)
        if clash is not None:
            other = next(
                v.cell(clash - v.address)
                for v in self.variables.values()
                if v.address <= clash < v.address + (v.size or 1)
            )
            self.fail(f"`{other}` already has address {clash}", node)
        layout.put(address, cells)
        self.variables[token] = variable

    def _locations(self, tree: Tree) -> Iterable[Location]:
        variable = self.variables[_name(tree)]
        initial = tree.children[3]
        assert isinstance(initial, lark.Tree)
        given = [initial]
        if initial.data == "values":
            given = [child for child in initial.children if isinstance(child, lark.Tree)]
            if variable.size is None:
                self.fail(f"`{variable.name}` is not an array and takes one value", initial)
            if len(given) != variable.size:
                expected = f"`{variable.name}` has {variable.size} cells"
                self.fail(f"{len(given)} initial values given", initial, expected)
        cells = [self.value(node) for node in given]
        if len(cells) == 1:
            cells *= variable.size or 1
        for index, (value, name) in enumerate(cells):
            address = variable.address + index
            yield Location(variable.span, variable.cell(index), address, value, name)


def _name(tree: Tree) -> lark.Token:
    token = tree.children[0]
    assert isinstance(token, lark.Token)
    return token
