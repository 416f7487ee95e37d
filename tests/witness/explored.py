"""Traces that the enumerator finds, for the witness tests; models built by hand."""

from __future__ import annotations

from functools import cache

from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.execution.trace import TraceData
from hybrid.frontend.prog import parse_program
from hybrid.model.core import Axiom, Base, Expr, Inter, Inverse, Kind, Model, Seq, Test, Union
from hybrid.source import Source, nowhere

_HERE = nowhere("<model>")


def _base(name: str) -> Base:
    return Base(_HERE, Kind.RELATION, name)


def _union(*parts: Expr) -> Expr:
    whole = parts[0]
    for part in parts[1:]:
        whole = Union(_HERE, Kind.RELATION, whole, part)
    return whole


def _model(name: str, order: Expr) -> Model:
    fr = Seq(_HERE, Inverse(_HERE, _base("rf")), _base("co"))
    whole = _union(order, _base("rf"), _base("co"), fr)
    axiom = Axiom(_HERE, Test.ACYCLIC, False, whole, name)
    atomic = Inter(
        _HERE, Kind.RELATION, _union(_base("amo"), _base("lxsx")), Seq(_HERE, fr, _base("co"))
    )
    atomicity = Axiom(_HERE, Test.EMPTY, False, atomic, "atomicity")
    return Model(name, "", "<test>", (), (axiom, atomicity), None)


SC = _model("sc", _base("po"))
COHERENCE = _model("coherence", Inter(_HERE, Kind.RELATION, _base("po"), _base("loc")))

PROGRAMS = {
    "lb": """x = 0; y = 0
thread P: L0: r0 := x; L1: y := r0 + 1;
thread Q: L2: r1 := y; L3: x := 1;
exists (P:r0 = 1 /\\ Q:r1 = 2)
""",
    "corr": """x = 0
thread P: L0: x := 1; L1: x := 2;
thread Q: L2: r0 := x; L3: r1 := x;
thread R: L4: x := 3;
~exists (Q:r0 = 2 /\\ Q:r1 = 1)
""",
    "exclusive": """x = 0; y = 0
thread P: L0: r0 := lr(x); L1: r1 := sc(x, r0 + 1); L2: if r1 != 0 goto L0; L3: y := 1;
thread Q: L4: r2 := faa(x, 5) @acq; L5: sync; L6: r3 := y; L7: assert r3 = 0;
forall (x = 6)
""",
    "last": """x = 0
thread P: L0: r0 := lr(x); L1: r1 := sc(x, 1);
thread Q: L2: r2 := cas(x, 0, 7); L3: r3 := xchg(x, r2 + 1);
locations [x; P:r1]
""",
    "cut": """x = 0
thread P: L0: r0 := lr(x); L1: r1 := sc(x, r0 + 1); goto L0;
thread Q: L3: r2 := x; L4: assume r2 != 1;
exists (Q:r2 = 2)
""",
    "error": """x = 0; y = 0
thread P: L0: r0 := x; L1: [r0 * 12345 + &y] := 1;
thread Q: L2: x := 1; L3: r1 := y;
exists (Q:r1 = 1)
""",
}


@cache
def traces(program: str, model: str, unroll: int = 2) -> tuple[TraceData, ...]:
    """All traces of one of PROGRAMS, in the enumerator's order."""
    parsed = parse_program(Source(program, PROGRAMS[program]))
    chosen = {"sc": SC, "coherence": COHERENCE}[model]
    return tuple(t.data() for t in Enumerate().explore(parsed, chosen, Limits(unroll=unroll)))
