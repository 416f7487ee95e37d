"""Statements of herd's C dialect to IR.

    if (e) A else B     if !e goto 1; A; goto 2; 1: B; 2:
    while (e) A         1: if !e goto 2; A; goto 1; 2:
    do A while (e)      1: A; if e goto 1
    return              goto the end

Variables are registers of the same name; those of several blocks that are named alike share one,
and a variable that would hide another is refused. One that is declared without a value is 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.frontend.litmus.c import types as ct
from hybrid.frontend.litmus.c.calls import Calls
from hybrid.frontend.litmus.c.emit import Emitter
from hybrid.frontend.litmus.c.expr import LocalVariable, token_of, tree_of
from hybrid.frontend.litmus.c.tree import Tree, Trees
from hybrid.program import expr as ex


@dataclass(frozen=True, slots=True)
class _Loop:
    again: int  # mark for `continue`
    end: int  # mark for `break`


class Statements(Calls):
    """Reads the statements of one thread."""

    def __init__(self, trees: Trees, emit: Emitter, parameters: dict[str, ct.Typed]) -> None:
        super().__init__(trees, emit, parameters)
        self.variables: dict[str, ct.Type] = {}  # all that were ever declared
        self._loops: list[_Loop] = []
        self._end = emit.mark()

    def body(self, tree: Tree) -> None:
        """All statements of a thread."""
        for child in tree.children:
            self._statement(tree_of(child))
        self.emit.put(self._end)

    def _statement(self, tree: Tree) -> None:
        kind, parts = tree.data, tree.children
        span = self.trees.span(tree)
        if kind == "block":
            self._block(tree)
        elif kind == "declaration":
            self._declaration(tree)
        elif kind == "expression":
            self.effect(tree_of(parts[0]))
        elif kind == "choice":
            self._choice(tree)
        elif kind == "loop":
            again, end = self.emit.mark(), self.emit.mark()
            self.emit.put(again)
            self.jump(tree_of(parts[0]), end, False)
            self._inside(tree_of(parts[1]), _Loop(again, end))
            self.emit.goto(span, again)
            self.emit.put(end)
        elif kind == "repeat":
            start, again, end = self.emit.mark(), self.emit.mark(), self.emit.mark()
            self.emit.put(start)
            self._inside(tree_of(parts[0]), _Loop(again, end))
            self.emit.put(again)
            self.jump(tree_of(parts[1]), start, True)
            self.emit.put(end)
        elif kind == "for_loop":
            self._for(tree)
        elif kind == "return":
            if parts[0] is not None:
                self.effect(tree_of(parts[0]))
            self.emit.goto(span, self._end)
        elif kind in ("break", "continue"):
            if not self._loops:
                self.trees.fail(f"`{kind}` outside of a loop", tree)
            loop = self._loops[-1]
            self.emit.goto(span, loop.end if kind == "break" else loop.again)
        else:
            assert kind == "empty", kind

    def _block(self, tree: Tree) -> None:
        self.scopes.append({})
        for child in tree.children:
            self._statement(tree_of(child))
        self.scopes.pop()

    def _scoped(self, tree: Tree) -> None:
        """A statement where only one can stand: it is a scope of its own."""
        self.scopes.append({})
        self._statement(tree)
        self.scopes.pop()

    def _inside(self, tree: Tree, loop: _Loop) -> None:
        self._loops.append(loop)
        self._scoped(tree)
        self._loops.pop()

    def _choice(self, tree: Tree) -> None:
        condition, then, other = tree.children
        otherwise = self.emit.mark()
        self.jump(tree_of(condition), otherwise, False)
        self._scoped(tree_of(then))
        if other is None:
            self.emit.put(otherwise)
            return
        end = self.emit.mark()
        self.emit.goto(self.trees.span(tree_of(condition)), end)
        self.emit.put(otherwise)
        self._scoped(tree_of(other))
        self.emit.put(end)

    def _for(self, tree: Tree) -> None:
        start, condition, step, body = tree.children
        self.scopes.append({})
        self._statement(tree_of(start))
        test, again, end = self.emit.mark(), self.emit.mark(), self.emit.mark()
        self.emit.put(test)
        if condition is not None:
            self.jump(tree_of(condition), end, False)
        self._inside(tree_of(body), _Loop(again, end))
        self.emit.put(again)
        if step is not None:
            self.effect(tree_of(step))
        self.emit.goto(self.trees.span(tree), test)
        self.emit.put(end)
        self.scopes.pop()

    def _declaration(self, tree: Tree) -> None:
        specifiers = tree_of(tree.children[0])
        for child in tree.children[1:]:
            declarator = tree_of(child)
            pointer, name, value = declarator.children
            token = token_of(name)
            type_ = self.trees.type(specifiers, tree_of(pointer))
            if not type_.bits:
                self.trees.fail(f"`{token}` has no value", token, "a variable cannot be void")
            if token in self.scopes[-1]:
                self.trees.fail(f"`{token}` is declared twice", token)
            if self.variable(token) is not None or token in self.parameters:
                message = f"unsupported: `{token}` hides another variable of that name"
                self.trees.refuse(message, token, "give it a name of its own")
            before = self.variables.get(token)
            if before is not None and (before.bits, before.signed) != (type_.bits, type_.signed):
                message = f"unsupported: `{token}` is of type {before.name} in another block"
                self.trees.refuse(message, token, "give it a name of its own")
            self.variables[str(token)] = type_
            span = self.trees.span(declarator)
            if value is not None:
                # In C its scope begins before the value; there it has none that could be used.
                self.assign_local(span, LocalVariable(str(token), type_), tree_of(value))
            elif before is not None or self._loops:
                self.emit.set(span, str(token), ex.Const(span, 0))
            self.scopes[-1][str(token)] = type_
