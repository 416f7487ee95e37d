"""The evaluation plan of a model: its expressions as shared nodes, each classified by what it
depends on.

- STATIC: a part of po ∪ id that is known when the later event is fetched (po, addr, data, ctrl,
  fences and what is made of them).
- FIXED: any two events tell by themselves whether they are related, from what is known at fetch
  (products of sets, int, ext, …).
- POINT: the same, once both are committed (loc, amo, lxsx, and FIXED or STATIC parts combined with
  them).
- GROW: grows with every commit and never loses a pair (rf, co, fr and what is made of them by
  monotone operators).
- FREE: none of these; only an evaluation from scratch tells.

Sets that are not known at fetch are kept as relations, the identity on the set.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, assert_never

from hybrid.errors import InternalError
from hybrid.model import core
from hybrid.model.initial_first import ignores_initial_first, is_initial_first
from hybrid.model.places import is_from_read
from hybrid.oracle.columns import FIXED, FREE, GROW, POINT, STATIC, Node, Op
from hybrid.oracle.few_ends import ends_in_few
from hybrid.oracle.operators import NODES

_NOTHING: Final = (Op.EMPTY, Op.SET_EMPTY)

# Empty whenever an operand is.
_STRICT: Final = (
    Op.INTER,
    Op.SEQ,
    Op.INVERSE,
    Op.PLUS,
    Op.PRODUCT,
    Op.IDENTITY,
    Op.DOMAIN,
    Op.RANGE,
    Op.FROM,
    Op.INTO,
)

_BASE_RELATIONS: Final = {
    "po": (Op.PO, STATIC),
    "addr": (Op.ADDR, STATIC),
    "data": (Op.DATA, STATIC),
    "ctrl": (Op.CTRL, STATIC),
    "pick": (Op.PICK, STATIC),
    "id": (Op.ID, STATIC),
    "int": (Op.INT, FIXED),
    "ext": (Op.EXT, FIXED),
    "loc": (Op.LOC, POINT),
    "amo": (Op.AMO, POINT),
    "lxsx": (Op.LXSX, POINT),
    "rf": (Op.RF, GROW),
    "co": (Op.CO, GROW),
}


class Plan:
    """Nodes are numbered so that, recursive names apart, arguments come before their users.

    `absent` names base sets and relations that are empty in every execution of the program at hand;
    what follows from that is left out. So is, if `brief`, what a model says of initial writes in
    vain (hybrid.model.initial_first).
    """

    def __init__(
        self, model: core.Model, absent: frozenset[str] = frozenset(), brief: bool = False
    ) -> None:
        self.model = model
        self.absent = absent
        self._brief = brief and ignores_initial_first(model)
        self.nodes: list[Node] = []
        self._shared: dict[tuple[Op, tuple[int, ...], str], Node] = {}
        self._references: dict[int, Node] = {}

    # ---- from expressions to nodes

    def node(self, expr: core.Expr) -> Node:
        """The node of an expression."""
        if isinstance(expr, core.Ref):
            return self._reference(expr.index)
        if isinstance(expr, core.Base):
            return self._base(expr)
        if isinstance(expr, core.Empty):
            return self._nothing(expr.kind)
        if isinstance(expr, core.Union | core.Inter | core.Diff | core.Seq | core.Product):
            return self._binary(expr)
        return self._unary(expr)

    def _nothing(self, kind: core.Kind) -> Node:
        if kind is core.Kind.SET:
            return self._make(Op.SET_EMPTY, (), FIXED)
        return self._make(Op.EMPTY, (), STATIC)

    def _binary(self, expr: core.Union | core.Inter | core.Diff | core.Seq | core.Product) -> Node:
        if isinstance(expr, core.Union):
            return self._union(self.node(expr.left), self.node(expr.right))
        if isinstance(expr, core.Inter):
            return self._intersection(expr)
        if isinstance(expr, core.Diff):
            return self._diff(self.node(expr.left), self.node(expr.right))
        if isinstance(expr, core.Seq):
            if is_from_read(expr):
                return self._make(Op.FR, (), GROW)
            return self._chain(expr)
        if isinstance(expr, core.Product):
            if self._brief and is_initial_first(expr, self.model):
                return self._nothing(core.Kind.RELATION)
            return self._product(self.node(expr.left), self.node(expr.right))
        assert_never(expr)

    def _unary(
        self,
        expr: core.Complement
        | core.Inverse
        | core.Plus
        | core.Star
        | core.Opt
        | core.Identity
        | core.Domain
        | core.Range,
    ) -> Node:
        operand = self.node(expr.operand)
        if isinstance(expr, core.Complement):
            return self._complement(operand, expr.kind)
        if isinstance(expr, core.Identity):
            return self._as_relation(operand)
        if isinstance(expr, core.Inverse):
            return self._inverse(operand)
        if isinstance(expr, core.Domain):
            return self._make(Op.DOMAIN, (operand,), max(GROW, operand.level))
        if isinstance(expr, core.Range):
            return self._make(Op.RANGE, (operand,), max(GROW, operand.level))
        level = STATIC if operand.level == STATIC else max(GROW, operand.level)
        if isinstance(expr, core.Plus):
            return self._make(Op.PLUS, (operand,), level)
        if isinstance(expr, core.Star):
            return self._make(Op.STAR, (operand,), level)
        if isinstance(expr, core.Opt):
            return self._make(Op.OPT, (operand,), level)
        assert_never(expr)

    def _intersection(self, expr: core.Inter) -> Node:
        if expr.kind is core.Kind.RELATION:
            for side, other in ((expr.right, expr.left), (expr.left, expr.right)):
                parts = self._products(side)
                if parts:
                    return self._between(self.node(other), parts)
        return self._inter(self.node(expr.left), self.node(expr.right))

    def _products(self, expr: core.Expr) -> list[core.Product]:
        """The operands of a union of products of sets, when some set is not known at fetch; else
        nothing."""
        expr = _resolve(expr, self.model)
        if isinstance(expr, core.Product):
            node = self.node(expr)
            return [] if node.level == FIXED or node.op in _NOTHING else [expr]
        if isinstance(expr, core.Union):
            left, right = self._products(expr.left), self._products(expr.right)
            if left or right:
                sides = [_resolve(side, self.model) for side in (expr.left, expr.right)]
                left = left or [s for s in sides[:1] if isinstance(s, core.Product)]
                right = right or [s for s in sides[1:] if isinstance(s, core.Product)]
                return left + right if left and right else []
        return []

    def _between(self, relation: Node, products: list[core.Product]) -> Node:
        """relation & (A*B | …) as [A];relation;[B] | …, which does not need the products."""
        result = self._make(Op.EMPTY, (), STATIC)
        for product in products:
            start = self._as_relation(self.node(product.left))
            end = self._as_relation(self.node(product.right))
            result = self._union(result, self._seq(self._seq(start, relation), end))
        return result

    def _make(self, op: Op, args: tuple[Node, ...], level: int, name: str = "") -> Node:
        if op in _STRICT and any(a.op in _NOTHING for a in args):
            op, args, level = Op.EMPTY, (), STATIC
        elif op == Op.DIFF and any(a.op == Op.EMPTY for a in args):
            return args[0]
        elif op in (Op.STAR, Op.OPT) and args[0].op == Op.EMPTY:
            op, args, level = Op.ID, (), STATIC
        key = (op, tuple(a.index for a in args), name)
        node = self._shared.get(key)
        if node is None:
            node = NODES[op](len(self.nodes), op, args, level, name)
            self.nodes.append(node)
            self._shared[key] = node
        return node

    def _reference(self, index: int) -> Node:
        node = self._references.get(index)
        if node is not None:
            return node
        definition = self.model.definitions[index]
        if definition.group is None:
            node = self.node(definition.expr)
            self._references[index] = node
            return node
        self._group(definition.group)
        return self._references[index]

    def _group(self, group: int) -> None:
        """The nodes of a recursive group: every member grows, unless a part of it is free."""
        members = [i for i, d in enumerate(self.model.definitions) if d.group == group]
        start = len(self.nodes)
        for i in members:
            self._references[i] = self._make(Op.RECURSIVE, (), GROW, str(i))
        free = False
        for i in members:
            definition = self.model.definitions[i]
            body = self._as_relation(self.node(definition.expr))
            self._references[i].args = (body,)
            free = free or body.level == FREE
        for node in self.nodes[start:]:
            # Some of these do not depend on the group; counting them in costs a little time only.
            node.recursive = node.level >= GROW
            if free and node.recursive:
                node.level = FREE

    def _base(self, base: core.Base) -> Node:
        if base.name in self.absent:
            return self._nothing(base.kind)
        if base.kind is core.Kind.RELATION:
            if base.name == "rmw":
                return self._rmw()
            if base.name not in _BASE_RELATIONS:
                raise InternalError(f"the base relation {base.name} is unknown to the plan")
            op, level = _BASE_RELATIONS[base.name]
            return self._make(op, (), level)
        if base.name == "RMW":
            rmw = self._rmw()
            first, second = (self._make(op, (rmw,), GROW) for op in (Op.DOMAIN, Op.RANGE))
            return self._union(first, second)
        if base.name == "FW":
            return self._make(Op.FINAL, (), FREE)
        return self._make(Op.SET_BASE, (), FIXED, base.name)

    def _rmw(self) -> Node:
        pairs = (Op.AMO, "amo"), (Op.LXSX, "lxsx")
        amo, lxsx = (
            self._make(Op.EMPTY, (), STATIC) if name in self.absent else self._make(op, (), POINT)
            for op, name in pairs
        )
        return self._union(amo, lxsx)

    # ---- operators

    def _as_relation(self, node: Node) -> Node:
        """A set as the identity on it; a relation as it is."""
        if node.op == Op.SET_EMPTY:
            return self._make(Op.EMPTY, (), STATIC)
        return self._make(Op.IDENTITY, (node,), STATIC) if node.is_set else node

    def _union(self, left: Node, right: Node) -> Node:
        if left is right or right.op in _NOTHING:
            return left
        if left.op in _NOTHING:
            return right
        if left.is_set and right.is_set:
            for one, two in ((left, right), (right, left)):
                if two.op == Op.SET_INTER and one in two.args:
                    return one
            return self._make(Op.SET_UNION, (left, right), FIXED)
        left, right = self._as_relation(left), self._as_relation(right)
        if left.op == Op.IDENTITY and right.op == Op.IDENTITY:
            return self._as_relation(self._union(left.args[0], right.args[0]))
        if left.op == Op.IDENTITY and right.op == Op.UNION and right.args[0].op == Op.IDENTITY:
            return self._union(self._union(left, right.args[0]), right.args[1])
        return self._make(Op.UNION, (left, right), max(left.level, right.level))

    def _inter(self, left: Node, right: Node) -> Node:
        if left is right:
            return left
        if left.is_set and right.is_set:
            if left.op == Op.SET_EMPTY or right.op == Op.SET_EMPTY:
                return self._make(Op.SET_EMPTY, (), FIXED)
            return self._make(Op.SET_INTER, (left, right), FIXED)
        left, right = self._as_relation(left), self._as_relation(right)
        if right.level < left.level:
            left, right = right, left
        level = right.level
        if left.level == STATIC and right.level == FIXED:
            level = STATIC
        return self._make(Op.INTER, (left, right), level)

    def _diff(self, left: Node, right: Node) -> Node:
        if left.is_set and right.is_set:
            return self._make(Op.SET_DIFF, (left, right), FIXED)
        left, right = self._as_relation(left), self._as_relation(right)
        if right.level >= GROW:
            level = FREE
        elif left.level >= GROW:
            level = left.level
        elif left.level == STATIC and right.level <= FIXED:
            level = STATIC
        else:
            level = max(left.level, right.level)
        return self._make(Op.DIFF, (left, right), level)

    def _complement(self, operand: Node, kind: core.Kind) -> Node:
        if operand.is_set:
            return self._make(Op.SET_COMPLEMENT, (operand,), FIXED)
        if kind is core.Kind.SET:  # of a set kept as an identity
            return self._diff(self._make(Op.ID, (), STATIC), operand)
        level = FREE if operand.level >= GROW else max(operand.level, FIXED)
        return self._make(Op.COMPLEMENT, (operand,), level)

    def _inverse(self, operand: Node) -> Node:
        """Pushed down to relations that are not operators, so that FIXED and POINT ones stay
        pointwise."""
        op, args = operand.op, operand.args
        if op in (Op.ID, Op.INT, Op.EXT, Op.LOC, Op.IDENTITY, Op.EMPTY):
            return operand
        if operand.level == STATIC:
            return self._make(Op.INVERSE, (operand,), FIXED)
        if op == Op.PRODUCT:
            return self._make(Op.PRODUCT, (args[1], args[0]), FIXED)
        if op in (Op.UNION, Op.INTER, Op.DIFF) and operand.level <= POINT:
            turned = (self._inverse(args[0]), self._inverse(args[1]))
            return self._make(op, turned, operand.level)
        if op == Op.COMPLEMENT and operand.level <= POINT:
            return self._make(op, (self._inverse(args[0]),), operand.level)
        if op == Op.FROM and operand.level <= POINT:
            return self._make(Op.INTO, (self._inverse(args[1]), args[0]), operand.level)
        if op == Op.INTO and operand.level <= POINT:
            return self._make(Op.FROM, (args[1], self._inverse(args[0])), operand.level)
        return self._make(Op.INVERSE, (operand,), operand.level)

    def _chain(self, expr: core.Seq) -> Node:
        """A composition of many factors. Where it ends in few events it is built from there: what
        is built then has pairs to these alone. Elsewhere it is built outwards from the first factor
        that is fixed at fetch: mostly a fence relation, small or empty, which keeps what is built
        on it small."""
        factors: list[Node] = []
        todo: list[core.Expr] = [expr]
        while todo:
            factor = todo.pop()
            if isinstance(factor, core.Seq) and not is_from_read(factor):
                todo += [factor.right, factor.left]
                continue
            node = self.node(factor)
            if factors and node.level == STATIC and factors[-1].level == STATIC:
                node = self._seq(factors.pop(), node)
            factors.append(node)
        seed = next((i for i, f in enumerate(factors) if f.level < GROW), 0)
        if ends_in_few(factors[-1]):
            seed = len(factors) - 1
        result = factors[seed]
        for factor_node in factors[seed + 1 :]:
            result = self._seq(result, factor_node)
        for factor_node in reversed(factors[:seed]):
            result = self._seq(factor_node, result)
        return result

    def _seq(self, left: Node, right: Node) -> Node:
        if left.op == Op.ID:
            return right
        if right.op == Op.ID:
            return left
        if left.op == Op.IDENTITY and right.op == Op.IDENTITY:
            return self._as_relation(self._inter(left.args[0], right.args[0]))
        if left.level == STATIC and right.level == STATIC:
            return self._make(Op.SEQ, (left, right), STATIC)
        apart = self._without_identity(left, right)
        if apart is not None:
            return apart
        if left.op == Op.IDENTITY:
            inside = left.args[0]
            if right.op == Op.FROM:
                inside, right = self._inter(inside, right.args[0]), right.args[1]
            return self._make(Op.FROM, (inside, right), right.level)
        if right.op == Op.IDENTITY:
            inside = right.args[0]
            if left.op == Op.INTO:
                inside, left = self._inter(inside, left.args[1]), left.args[0]
            return self._make(Op.INTO, (left, inside), left.level)
        return self._make(Op.SEQ, (left, right), max(GROW, left.level, right.level))

    def _without_identity(self, left: Node, right: Node) -> Node | None:
        """A composition with [S] | r, or of [S] with r? or r*, operand by operand: what is composed
        with an identity need not be stored a second time, nor the identity."""
        if left.op == Op.IDENTITY and right.op in (Op.OPT, Op.STAR):
            return self._union(left, self._seq(left, self._irreflexive(right)))
        if right.op == Op.IDENTITY and left.op in (Op.OPT, Op.STAR):
            return self._union(right, self._seq(self._irreflexive(left), right))
        for node in (left, right):
            if node.op == Op.UNION and any(a.op == Op.IDENTITY for a in node.args):
                one, two = node.args
                if node is left:
                    return self._union(self._seq(one, right), self._seq(two, right))
                return self._union(self._seq(left, one), self._seq(left, two))
        return None

    def _irreflexive(self, node: Node) -> Node:
        """r of r?, r+ of r*."""
        operand = node.args[0]
        return operand if node.op == Op.OPT else self._make(Op.PLUS, (operand,), node.level)

    def _product(self, left: Node, right: Node) -> Node:
        if left.is_set and right.is_set:
            return self._make(Op.PRODUCT, (left, right), FIXED)
        everything = self._make(Op.SET_BASE, (), FIXED, "_")
        pairs = self._make(Op.PRODUCT, (everything, everything), FIXED)
        return self._seq(self._seq(self._as_relation(left), pairs), self._as_relation(right))


@lru_cache(maxsize=64)
def shared_plan(model: core.Model, absent: frozenset[str]) -> Plan:
    """One plan for all runs: asking for nodes that are there already changes nothing."""
    return Plan(model, absent, True)


def _resolve(expr: core.Expr, model: core.Model) -> core.Expr:
    while isinstance(expr, core.Ref) and model.definitions[expr.index].group is None:
        expr = model.definitions[expr.index].expr
    return expr
