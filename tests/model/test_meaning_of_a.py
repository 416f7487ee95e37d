"""`A` in a model's text: AArch64's load-acquire, the locked accesses of x86, the atomic ones of C;
never a guess."""

from __future__ import annotations

import pytest
from support import model_of, program

from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.errors import InputError
from hybrid.model.core import Model
from hybrid.model.reach import base_names
from hybrid.report.summary import summarise
from hybrid.verdict import Verdict

# x86's store buffers, drained by locked accesses, which it calls A.
X86 = """
let order = po & ((R * M) | (W * W))
let drained = po & ((W * A) | (A * R))
let fenced = po ; [MFENCE] ; po
acyclic order | drained | fenced | rfe | co | fr
acyclic po-loc | com
empty rmw & (fre ; coe)
"""


def tags(model: Model) -> frozenset[str]:
    return base_names(model, (axiom.expr for axiom in model.axioms))


@pytest.mark.parametrize("lock", ["@lock", ""])
def test_of_x86(lock: str) -> None:
    """SB with locked exchanges between store and load: forbidden, as the store buffer is
    drained."""
    text = f"""x = 0; y = 0; z = 0
        thread P: x := 1; _ := xchg(z, 1) {lock}; r := y;
        thread Q: y := 1; _ := xchg(z, 2) {lock}; s := x; exists (P:r = 0 /\\ Q:s = 0)"""
    result = summarise(program(text), model_of(X86), Enumerate(), Limits())
    assert result.answer is Verdict.FORBIDDEN
    plain = text.replace(f"_ := xchg(z, 1) {lock}; ", "").replace(f"_ := xchg(z, 2) {lock}; ", "")
    result = summarise(program(plain), model_of(X86), Enumerate(), Limits())
    assert result.answer is Verdict.ALLOWED
    assert "A" not in tags(model_of(X86))


def test_of_arm() -> None:
    assert "A" in tags(model_of("acyclic po ; [A] | [L] ; po"))
    assert "A" in tags(model_of("acyclic po ; [A] | fencerel(DMB.SY)"))


def test_of_c() -> None:
    assert {"RLX", "SC"} <= tags(model_of("acyclic po ; [A] | [REL] ; po"))


def test_nothing_tells() -> None:
    with pytest.raises(InputError, match="`A` has several meanings") as caught:
        model_of("acyclic po ; [A]")
    assert str(caught.value.span).endswith(".cat:2:15")
    model_of("let A = LOCK\nacyclic po ; [A]")
    model_of("let f(A) = [A]\nacyclic po ; f(R)")
    model_of("acyclic po\nshow A")
