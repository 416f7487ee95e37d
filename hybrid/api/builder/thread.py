"""The code of one thread of a program that is being built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hybrid.api.builder.calls import call_span
from hybrid.api.builder.code import DROP, CodeBuilder, Into
from hybrid.api.builder.handles import (
    BuilderExpr,
    BuilderPlace,
    BuilderRegister,
    Operand,
    Resolver,
    as_expr,
    places_in,
)
from hybrid.errors import InputError
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
    PLAIN,
    RMWS,
)
from hybrid.source import Span, nowhere

Kept = Sequence[tuple[Operand, Operand]]  # places, and what a loop that waits has read there

_STORE_CONDITIONALS = ("sc", "stx", "sc_store")  # what their status depends on


_NOTHING = ex.Const(nowhere(), 0)  # until the program is complete


class ThreadBuilder(CodeBuilder):
    """Adds instructions to a thread, one call each. Values go into registers: a call that reads
    gives the register back, a new one unless `into` names it."""

    # ---- without memory

    def assign(self, value: Operand, *, into: Into = None, label: str = "") -> BuilderRegister:
        """`into := value`"""
        span = call_span()
        expr = as_expr(value, span)
        target = self._kept(into, span)
        self._emit(
            span, label, lambda to: ins.Assign(span, "", target.name, to.expression(expr, span))
        )
        return target

    def select(
        self, condition: Operand, yes: Operand, no: Operand, *, into: Into = None, label: str = ""
    ) -> BuilderRegister:
        """`into := select(condition, yes, no)`, without a branch"""
        span = call_span()
        parts = [as_expr(each, span) for each in (condition, yes, no)]
        target = self._kept(into, span)

        def make(to: Resolver) -> ins.Instruction:
            test, left, right = (to.expression(each, span) for each in parts)
            return ins.Select(span, "", target.name, test, left, right)

        self._emit(span, label, make)
        return target

    def _back(self, target: BuilderRegister | None, span: Span) -> BuilderRegister:
        """What a call gives back; a value that is dropped has a register that nobody can read."""
        return BuilderRegister(span, self._owner, self.name, DROP) if target is None else target

    def _kept(self, into: Into, span: Span) -> BuilderRegister:
        target = self._target(into, span)
        if target is None:
            raise InputError(f"`{DROP}` drops what an access reads, and this is not one", span)
        return target

    def fence(self, kind: str, *annotations: str, label: str = "") -> None:
        """A fence by its name (`sync`, `lwsync`, `mfence`, `dmb`, …), or one of C11 by its order
        (`acq`, `rel`, `acqrel`, `sc`)."""
        span = call_span()
        if kind in FENCES and not annotations:
            tags = FENCES[kind]
        else:
            found = [ANNOTATIONS.get(word, word) for word in (kind, *annotations)]
            for word, tag in zip((kind, *annotations), found, strict=True):
                if tag not in FENCE_TAGS:
                    known = (*FENCES, *FENCE_ORDERS)
                    hint = did_you_mean(word, known) or f"known: {', '.join(known)}"
                    raise InputError(f"unknown fence `{word}`", span, hint)
            tags = frozenset(found)
        self._emit(span, label, lambda to: ins.Fence(span, "", tags))

    def assume(
        self, condition: Operand, *, waits: bool = False, kept: Kept = (), label: str = ""
    ) -> None:
        """The run goes on only if the condition holds; with `waits` the thread waits else."""
        span = call_span()
        test = as_expr(condition, span)
        pairs = _pairs(kept, span)

        def make(to: Resolver) -> ins.Instruction:
            kept_values = _rereads(to, pairs, span)
            return ins.Assume(span, "", to.expression(test, span), waits, kept_values)

        self._emit(span, label, make)

    def assert_(self, condition: Operand, *, label: str = "") -> None:
        """The condition must hold in every run that comes here."""
        span = call_span()
        test = as_expr(condition, span)
        self._emit(span, label, lambda to: ins.Assert(span, "", to.expression(test, span)))

    # ---- memory

    def load(
        self, place: Operand, *annotations: str, into: Into = None, label: str = ""
    ) -> BuilderRegister:
        """`into := place`"""
        span = call_span()
        return self._load(span, place, annotations, into, label)

    def await_(
        self,
        condition: BuilderExpr,
        *annotations: str,
        into: Into = DROP,
        kept: Kept = (),
        label: str = "",
    ) -> BuilderRegister:
        """A load that happens only with a value that satisfies the condition: `p.await_(x == 1)`.
        The location in the condition is the one that is read."""
        span = call_span()
        place = _awaited(condition, span)
        return self._load(span, place, annotations, into, label, condition, kept)

    def load_reserve(
        self,
        place: Operand,
        *annotations: str,
        into: Into = None,
        until: BuilderExpr | None = None,
        label: str = "",
    ) -> BuilderRegister:
        """An exclusive load: `into := lr(place)`"""
        span = call_span()
        return self._load(span, place, annotations, into, label, until, exclusive=True)

    def _load(
        self,
        span: Span,
        place: Operand,
        annotations: Sequence[str],
        into: Into,
        label: str,
        until: BuilderExpr | None = None,
        kept: Kept = (),
        exclusive: bool = False,
    ) -> BuilderRegister:
        where, pairs = as_expr(place, span), _pairs(kept, span)
        tags = _tags(annotations, span, exclusive)
        target = self._target(into, span)
        name = None if target is None else target.name

        def make(to: Resolver) -> ins.Instruction:
            address = to.address(where, span)
            guard = _guard(to, until, address, span, pairs)
            return ins.Load(span, "", name, address, tags, guard, exclusive)

        self._emit(span, label, make)
        return self._back(target, span)

    def store(self, place: Operand, value: Operand, *annotations: str, label: str = "") -> None:
        """`place := value`"""
        span = call_span()
        where, what = as_expr(place, span), as_expr(value, span)
        tags = _tags(annotations, span)

        def make(to: Resolver) -> ins.Instruction:
            return ins.Store(span, "", to.address(where, span), to.expression(what, span), tags)

        self._emit(span, label, make)

    def store_conditional(
        self,
        place: Operand,
        value: Operand,
        *annotations: str,
        into: Into = None,
        kind: str = "sc",
        label: str = "",
    ) -> BuilderRegister:
        """`into := sc(place, value)`: 0 if it stores, 1 if not. `kind` is `sc`, `stx` (Arm) or
        `sc_store` (RISC-V)."""
        span = call_span()
        if kind not in _STORE_CONDITIONALS:
            known = ", ".join(_STORE_CONDITIONALS)
            raise InputError(f"no store-conditional is called `{kind}`", span, f"known: {known}")
        where, what = as_expr(place, span), as_expr(value, span)
        tags = _tags(annotations, span, exclusive=True)
        target = self._target(into, span)
        name = None if target is None else target.name
        free, by_store = kind == "stx", kind == "sc_store"

        def make(to: Resolver) -> ins.Instruction:
            address, stored = to.address(where, span), to.expression(what, span)
            return ins.StoreConditional(span, "", name, address, stored, tags, free, by_store)

        self._emit(span, label, make)
        return self._back(target, span)

    # ---- read-modify-writes

    def xchg(
        self,
        place: Operand,
        value: Operand,
        *annotations: str,
        into: Into = None,
        until: BuilderExpr | None = None,
        kept: Kept = (),
        label: str = "",
    ) -> BuilderRegister:
        """`into := xchg(place, value)`; with `until` it happens only with such a value."""
        span = call_span()
        blank = ins.Rmw(span, "", None, "xchg", _NOTHING, _NOTHING, None, _tags(annotations, span))
        return self._rmw(blank, [place, value], into, until, kept, label)

    def fetch(
        self,
        op: str,
        place: Operand,
        value: Operand,
        *annotations: str,
        into: Into = None,
        bits: int = 64,
        until: BuilderExpr | None = None,
        kept: Kept = (),
        label: str = "",
    ) -> BuilderRegister:
        """Fetch and `add`, `sub`, `and`, `or`, `xor`, `min`, `max`, `umin`, `umax` or `nand`; what
        is stored has so many bits."""
        span = call_span()
        name = f"fetch_{op}"
        if name not in RMWS:
            known = [word.removeprefix("fetch_") for word in RMWS if word.startswith("fetch_")]
            hint = did_you_mean(op, known) or f"known: {', '.join(known)}"
            raise InputError(f"unknown operation `{op}`", span, hint)
        if bits != 64 and f"{name}{bits}" not in NARROW_RMWS:
            raise InputError(f"`{name}` cannot store {bits} bits", span, "8, 16, 32 or 64")
        tags = _tags(annotations, span)
        blank = ins.Rmw(span, "", None, RMWS[name][0], _NOTHING, _NOTHING, None, tags, bits=bits)
        return self._rmw(blank, [place, value], into, until, kept, label)

    def cas(
        self,
        place: Operand,
        expected: Operand,
        value: Operand,
        *annotations: str,
        into: Into = None,
        success: Into = DROP,
        failed: Sequence[str] = (),
        weak: bool = False,
        until: BuilderExpr | None = None,
        kept: Kept = (),
        label: str = "",
    ) -> BuilderRegister:
        """`into := cas(place, expected, value)`. The register `success` gets 1 if it stores, else
        0; `failed` annotates its load where it does not store."""
        span = call_span()
        second = self._target(success, span)
        blank = ins.Rmw(
            span,
            "",
            None,
            "cas",
            _NOTHING,
            _NOTHING,
            _NOTHING,
            _tags(annotations, span),
            failed_tags=_tags(failed, span) if failed else None,
            weak=weak,
            success=None if second is None else second.name,
        )
        return self._rmw(blank, [place, expected, value], into, until, kept, label)

    def _rmw(
        self,
        blank: ins.Rmw,
        operands: Sequence[Operand],
        into: Into,
        until: BuilderExpr | None,
        kept: Kept,
        label: str,
    ) -> BuilderRegister:
        span = blank.span
        parts, pairs = [as_expr(each, span) for each in operands], _pairs(kept, span)
        target = self._target(into, span)
        name = None if target is None else target.name

        def make(to: Resolver) -> ins.Instruction:
            address = to.address(parts[0], span)
            expected = to.expression(parts[1], span) if len(parts) == 3 else None
            operand = to.expression(parts[-1], span)
            guard = _guard(to, until, address, span, pairs)
            return replace(
                blank,
                register=name,
                address=address,
                operand=operand,
                expected=expected,
                guard=guard,
            )

        self._emit(span, label, make)
        return self._back(target, span)


def _tags(annotations: Sequence[str], span: Span, exclusive: bool = False) -> frozenset[str]:
    """`acq`, `rel`, … as the tags of an access."""
    for word in annotations:
        if word not in ANNOTATIONS:
            hint = did_you_mean(word, ANNOTATIONS) or f"known: {', '.join(ANNOTATIONS)}"
            raise InputError(f"unknown annotation `{word}`", span, hint)
    tags = frozenset(ANNOTATIONS[word] for word in annotations) or frozenset({PLAIN})
    return tags | {EXCLUSIVE} if exclusive else tags


def _awaited(condition: BuilderExpr, span: Span) -> BuilderPlace:
    """The place whose value a condition speaks of."""
    found = places_in(as_expr(condition, span))
    if not found:
        raise InputError(
            "this does not depend on a value read", span, "name the location: p.await_(x == 1)"
        )
    return found[0]


_Pairs = Sequence[tuple[BuilderExpr, BuilderExpr]]


def _pairs(kept: Kept, span: Span) -> _Pairs:
    return [(as_expr(place, span), as_expr(value, span)) for place, value in kept]


def _rereads(to: Resolver, pairs: _Pairs, span: Span) -> tuple[ins.Reread, ...]:
    return tuple(
        ins.Reread(to.address(place, span), to.expression(value, span)) for place, value in pairs
    )


def _guard(
    to: Resolver, until: BuilderExpr | None, address: ex.Expr, span: Span, pairs: _Pairs
) -> ins.Guard | None:
    """What the access at an address waits for."""
    if until is None:
        return None
    _awaited(until, span)
    test = to.expression(until, span, reading=address)
    return ins.guard_of(test, until.span, _rereads(to, pairs, span))
