"""Syntax tree → model: names looked up, kinds checked, functions inlined, recursion checked to be
monotone.

A name means its latest definition above (`let` shadows). Functions and local definitions leave no
trace: calls are replaced by their bodies. Recursive definitions must occur positively in their
group, so that the least fixpoint exists (Tarski).
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field, replace

from hybrid.errors import InputError
from hybrid.model import core
from hybrid.model.core import Kind
from hybrid.model.kinds import Kinds
from hybrid.model.messages import CallError, OutsideDialect, no_function, text_of, wrong_kind
from hybrid.model.monotone import check_monotone
from hybrid.model.names import (
    ARM_FILES,
    ARM_NAMES,
    C11_ORDERS,
    REFUSED_NAMES,
    X86_FILES,
    X86_NAMES,
)
from hybrid.model.scope import (
    MAX_CALLS,
    POSTFIX,
    Entry,
    Function,
    ModelValue,
    Primitive,
    Scope,
    fold,
    joined,
    unknown_name,
)
from hybrid.model.syntax import (
    COMMIT_BEFORE,
    Annotation,
    Binding,
    Bracket,
    Call,
    Chain,
    Check,
    ComplementOf,
    Cross,
    DifferenceOf,
    File,
    Include,
    Lambda,
    Let,
    LetIn,
    Name,
    Node,
    Nothing,
    Postfix,
    Remark,
    TryWith,
    WithFrom,
    defined_in,
    names_in,
)
from hybrid.parsing import MAX_DEPTH, did_you_mean
from hybrid.source import Span

MAX_INCLUDES = 20  # files that include each other


@dataclass(slots=True)
class Elaborator:
    """Collects the definitions and axioms of a text and of what it includes, in order."""

    scope: Scope
    include: Callable[[Include], File | None]  # None: this file was included before
    definitions: list[core.Definition] = field(default_factory=list)
    axioms: list[core.Axiom] = field(default_factory=list)
    annotated: list[tuple[int, dict[str, core.Expr], Span]] = field(default_factory=list)  # the
    # special comments of a file, by word, with its depth: 0 is the model's own text
    said: list[tuple[int, Remark]] = field(default_factory=list)  # those of names, with the depth
    groups: int = 0
    calls: int = 0
    mentioned: set[str] = field(
        default_factory=set
    )  # names in the files so far, including ones first
    arm: bool = False  # they speak of Arm, so that `A` is AArch64's annotation
    given_co: Entry | None = None  # `co0` of the standard library
    later: dict[str, Span] = field(default_factory=dict)  # where the file defines a name last
    notes: list[str] = field(default_factory=list)  # what the user should know of the reading

    def file(self, file: File, level: int = 0) -> None:
        """Take in a whole file. At its end its special comments are looked up."""
        self.mentioned |= names_in(file)
        self._meaning_of_a(file)
        later, self.later = self.later, defined_in(file)
        for statement in file.statements:
            if isinstance(statement, Let):
                self._let(statement)
            elif isinstance(statement, Check):
                self._check(statement)
            elif isinstance(statement, WithFrom):
                self._with(statement)
            else:
                if level == MAX_INCLUDES:
                    message = f"files are included too deeply (more than {MAX_INCLUDES} levels)"
                    raise InputError(message, statement.span)
                included = self.include(statement)
                if included is not None:
                    self.file(included, level + 1)
        if file.annotations:
            found = {a.word: self._annotation(a) for a in file.annotations}
            span = next(a.span for a in file.annotations if a.word == COMMIT_BEFORE)
            self.annotated.append((level, found, span))
        self.said += [(level, said) for said in file.said]
        self.later = later

    # Statements

    def _meaning_of_a(self, file: File) -> None:
        """`A` is AArch64's load-acquire; in models of C, as herd gives it, the set of atomic
        accesses, and in models of x86 that of locked ones. What else a text names tells which."""
        entry = self.scope.get("A")
        if not (
            isinstance(entry, ModelValue)
            and entry.expr == core.Base(entry.expr.span, Kind.SET, "A")
        ):
            return
        span, named = entry.expr.span, self.mentioned
        if named & C11_ORDERS:
            self._define_a(span, C11_ORDERS | {"SC", "CON"})
            return
        includes = {s.path for s in file.statements if isinstance(s, Include)}
        self.arm = self.arm or bool(named & ARM_NAMES or includes & ARM_FILES)
        if not self.arm and (named & X86_NAMES or includes & X86_FILES):
            self._define_a(span, {"LOCK", "RMW"})

    def _define_a(self, span: Span, names: Set[str]) -> None:
        parts: list[core.Expr] = [core.Base(span, Kind.SET, name) for name in sorted(names)]
        accesses = core.Inter(
            span, Kind.SET, fold(core.Union, parts, span), core.Base(span, Kind.SET, "M")
        )
        self._define("A", span, ModelValue(accesses, len(parts) + 3, 6), None)

    def _let(self, statement: Let) -> None:
        if statement.recursive:
            self._let_rec(statement)
            return
        bound: list[tuple[Binding, Entry]] = [
            (binding, self._bound(binding, self.scope, 0)) for binding in statement.bindings
        ]
        for binding, entry in bound:
            if isinstance(entry, ModelValue):
                self._define(binding.name, binding.span, entry, None)
            else:
                self.scope = self.scope.extended({binding.name: entry})

    def _define(self, name: str, span: Span, value: ModelValue, group: int | None) -> None:
        if isinstance(value.expr, core.Empty):  # it stays free to be a set or a relation
            self.scope = self.scope.extended({name: value})
            return
        index = len(self.definitions)
        self.definitions.append(core.Definition(span, name, value.kind, value.expr, group))
        self.scope = self.scope.extended({name: ModelValue(core.Ref(span, value.kind, index))})

    def _let_rec(self, statement: Let) -> None:
        """A recursive group: kinds first, then bodies, then whether it is monotone."""
        for binding in statement.bindings:
            if binding.params is not None or isinstance(binding.value, Lambda):
                raise OutsideDialect(
                    f"the recursive function `{binding.name}` is not in hybrid's dialect of cat",
                    binding.span,
                    "only sets and relations can be defined by `let rec`",
                )
        kinds = Kinds().of_group(statement.bindings, self.scope)
        first = len(self.definitions)
        self.scope = self.scope.extended(
            {
                binding.name: ModelValue(core.Ref(binding.span, kind, first + place))
                for place, (binding, kind) in enumerate(zip(statement.bindings, kinds, strict=True))
            }
        )
        group, self.groups = self.groups, self.groups + 1
        members = range(first, first + len(kinds))
        for binding, kind in zip(statement.bindings, kinds, strict=True):
            value = self._value(binding.value, self.scope, kind)
            check_monotone(value.expr, members)
            self.definitions.append(
                core.Definition(binding.span, binding.name, kind, value.expr, group)
            )

    def _check(self, check: Check) -> None:
        wanted = None if check.test is core.Test.EMPTY else Kind.RELATION
        value = self._value(check.expr, self.scope, wanted)
        flag = check.qualifier != ""
        # `undefined_unless T` reports executions without T, `flag T` those with it.
        negated = check.negated != (check.qualifier == "undefined_unless")
        sign = "~" if negated else ""
        name = check.name or f"{sign}{check.test.value} (line {check.span.line})"
        self.axioms.append(core.Axiom(check.span, check.test, negated, value.expr, name, flag))

    def _with(self, statement: WithFrom) -> None:
        """`with co from generate_cos(r)`: co ranges over the coherence orders that contain r, as
        far as r relates stores to one location. co is given here and ranges over all of them, so an
        axiom says what is left."""
        expr = statement.expr
        if not (
            statement.name == "co"
            and isinstance(expr, Call)
            and expr.function.name == "generate_cos"
            and self.scope.get("generate_cos") is None
            and len(expr.arguments) == 1
        ):
            raise OutsideDialect(
                "`with … from …` is not in hybrid's dialect of cat",
                statement.span,
                "co is given: only `with co from generate_cos(r)` is taken",
            )
        (argument,) = expr.arguments
        least = self._value(argument, self.scope, Kind.RELATION)
        span = statement.span
        given = core.Base(span, Kind.RELATION, "co")
        self.scope = self.scope.extended({"co": ModelValue(given)})
        if self.given_co is not None and self._is_given_co0(argument):
            return  # every coherence order contains it
        stores = core.Base(span, Kind.SET, "W")
        same = core.Base(span, Kind.RELATION, "loc")
        pairs = core.Inter(span, Kind.RELATION, same, core.Product(span, stores, stores))
        left_out = core.Diff(
            span, Kind.RELATION, core.Inter(span, Kind.RELATION, least.expr, pairs), given
        )
        name = f"with co (line {span.line})"
        self.axioms.append(core.Axiom(span, core.Test.EMPTY, False, left_out, name))

    def _is_given_co0(self, node: Node) -> bool:
        return isinstance(node, Name) and self.scope.get(node.name) is self.given_co

    def _annotation(self, annotation: Annotation) -> core.Expr:
        """The relation of a special comment; a commit-before closed, as events commit in a partial
        order."""
        value = self._value(annotation.expr, self.scope, Kind.RELATION)
        if annotation.word != COMMIT_BEFORE:
            return value.expr
        if isinstance(value.expr, core.Star | core.Opt):
            raise InputError(
                "commit-before relates every event to itself here, so that none could be the first",
                annotation.expr.span,
                "`r+` is the closure without the identity",
            )
        if isinstance(value.expr, core.Plus):
            return value.expr
        return joined(core.Plus(annotation.expr.span, value.expr), value).expr

    # Expressions

    def _bound(self, binding: Binding, scope: Scope, depth: int) -> Entry:
        if binding.params is not None:
            self._check_names(binding.value, scope, frozenset(binding.params))
            return Function(binding.name, binding.params, binding.value, scope)
        return self._entry(binding.value, scope, depth)

    def _value(
        self, node: Node, scope: Scope, kind: Kind | None = None, depth: int = 0
    ) -> ModelValue:
        """The value of `node`; an error if it is a function or not of the wanted kind."""
        entry = self._entry(node, scope, depth)
        if not isinstance(entry, ModelValue):
            raise InputError(f"`{text_of(node)}` is a function and needs its arguments", node.span)
        if kind is None or entry.kind is kind:
            return entry
        if isinstance(entry.expr, core.Empty):
            return replace(entry, expr=core.Empty(entry.expr.span, kind))
        raise wrong_kind(node, kind)

    def _entry(self, node: Node, scope: Scope, depth: int) -> Entry:
        if depth > MAX_DEPTH:
            raise InputError(
                f"functions are nested too deeply here (more than {MAX_DEPTH} levels)", node.span
            )
        depth += 1
        span = node.span
        match node:
            case Name():
                return self._name(node, scope)
            case Nothing():
                return ModelValue(core.Empty(span, node.kind))
            case Chain():
                return self._chain(node, scope, depth)
            case DifferenceOf():
                left, right = self._same_kind((node.left, node.right), "\\", scope, depth)
                return joined(core.Diff(span, left.kind, left.expr, right.expr), left, right)
            case Cross():
                left = self._product_side(node, node.left, scope, depth)
                right = self._product_side(node, node.right, scope, depth)
                return joined(core.Product(span, left.expr, right.expr), left, right)
            case ComplementOf():
                operand = self._value(node.operand, scope, None, depth)
                return joined(core.Complement(span, operand.kind, operand.expr), operand)
            case Postfix():
                operand = self._value(node.operand, scope, Kind.RELATION, depth)
                return joined(POSTFIX[node.op](span, operand.expr), operand)
            case Bracket():
                operand = self._value(node.operand, scope, Kind.SET, depth)
                return joined(core.Identity(span, operand.expr), operand)
            case Call():
                return self._call(node, scope, depth)
            case Lambda():
                self._check_names(node.body, scope, frozenset(node.params))
                return Function("fun", node.params, node.body, scope)
            case TryWith():
                known = unknown_name(node.first, scope) is None
                return self._entry(node.first if known else node.second, scope, depth)
            case LetIn():
                local = {b.name: self._bound(b, scope, depth) for b in node.bindings}
                return self._entry(node.body, scope.extended(local), depth)

    def _name(self, node: Name, scope: Scope) -> Entry:
        entry = scope.get(node.name)
        if entry is None:
            raise self._unknown(node, scope)
        if isinstance(entry, ModelValue) and isinstance(
            entry.expr, core.Base | core.Ref | core.Empty
        ):
            return replace(entry, expr=replace(entry.expr, span=node.span))
        return entry

    def _chain(self, node: Chain, scope: Scope, depth: int) -> ModelValue:
        if node.op == ";":
            values = [self._value(o, scope, Kind.RELATION, depth) for o in node.operands]
        else:
            values = self._same_kind(node.operands, node.op, scope, depth)
        kind = values[0].kind
        operands = [value.expr for value in values]
        expr: core.Expr
        if node.op == ";":
            expr = fold(
                lambda span, _, left, right: core.Seq(span, left, right), operands, node.span
            )
        elif node.op == "|":
            expr = fold(core.Union, operands, node.span)
        else:
            expr = fold(core.Inter, operands, node.span)
            self._note_no_rmw(node, operands)
        assert expr.kind is kind
        return joined(expr, *values)

    def _note_no_rmw(self, node: Chain, operands: list[core.Expr]) -> None:
        """herd's models of C find their read-modify-writes in `R & W`."""
        names = {operand.name for operand in operands if isinstance(operand, core.Base)}
        note = (
            f"{node.span}: `R & W` is empty, since a read-modify-write is a load and a "
            "store, which `rmw` relates"
        )
        if {"R", "W"} <= names and note not in self.notes:
            self.notes.append(note)

    def _same_kind(
        self, operands: tuple[Node, ...], op: str, scope: Scope, depth: int
    ) -> list[ModelValue]:
        """The values of operands that must be all sets or all relations; an empty one becomes what
        the others are."""
        values = [self._value(operand, scope, None, depth) for operand in operands]
        firm = [v.kind for v in values if not isinstance(v.expr, core.Empty)]
        kind = firm[0] if firm else values[0].kind
        for place, (node, value) in enumerate(zip(operands, values, strict=True)):
            if value.kind is kind:
                continue
            if not isinstance(value.expr, core.Empty):
                raise wrong_kind(node, kind, op)
            values[place] = replace(value, expr=core.Empty(value.expr.span, kind))
        return values

    def _product_side(self, node: Cross, side: Node, scope: Scope, depth: int) -> ModelValue:
        value = self._value(side, scope, None, depth)
        if value.kind is Kind.RELATION and not isinstance(value.expr, core.Empty):
            raise InputError(
                (
                    f"`{text_of(side)}` is a relation, and `*` between two operands is the "
                    "product of sets"
                ),
                side.span,
                "for the closure of a relation followed by another one, write `r* ; s`",
            )
        return self._value(side, scope, Kind.SET, depth) if value.kind is not Kind.SET else value

    def _call(self, node: Call, scope: Scope, depth: int) -> Entry:
        function = self._name(node.function, scope)
        name = node.function.name
        count = len(node.arguments)
        if isinstance(function, Primitive):
            if count != 1:
                raise InputError(f"`{name}` takes 1 argument, not {count}", node.span)
            operand = self._value(node.arguments[0], scope, Kind.RELATION, depth)
            build = core.Domain if function.name == "domain" else core.Range
            return joined(build(node.span, operand.expr), operand)
        if not isinstance(function, Function):
            raise no_function(node)
        function = scope.form(function, name, count)
        if count != len(function.params):
            raise InputError(
                (
                    f"`{name}` takes {len(function.params)} "
                    f"argument{'s' * (len(function.params) != 1)}, not {count}"
                ),
                node.span,
            )
        self.calls += 1
        if self.calls > MAX_CALLS:
            raise InputError(f"more than {MAX_CALLS} calls of functions", node.span)
        arguments = [self._entry(argument, scope, depth) for argument in node.arguments]
        local = function.scope.extended(dict(zip(function.params, arguments, strict=True)))
        try:
            return self._entry(function.body, local, depth)
        except CallError as error:
            raise CallError(error.cause, node) from None
        except InputError as error:
            raise CallError(error, node) from None

    def _unknown(self, node: Name, scope: Scope) -> InputError:
        name = node.name
        if name in REFUSED_NAMES:
            return OutsideDialect(
                f"`{name}` is not in hybrid's dialect of cat",
                node.span,
                f"it {REFUSED_NAMES[name]}",
            )
        place = self.later.get(name)
        if place is not None and place.source == node.span.source and place.line >= node.span.line:
            hint = f"it is defined at {place}, and no `let rec` makes it known here"
        elif name.endswith("-1") and scope.get(name[:-2]) is not None:
            hint = f"the inverse is written `{name[:-2]}^-1`"
        else:
            hint = did_you_mean(name, set(scope.all_names()))
        return InputError(f"unknown name `{name}`", node.span, hint)

    def _check_names(self, node: Node, scope: Scope, bound: frozenset[str]) -> None:
        """Unknown names in the body of a function are errors even if it is never called."""
        unknown = unknown_name(node, scope, bound)
        if unknown is not None:
            raise self._unknown(unknown, scope)
