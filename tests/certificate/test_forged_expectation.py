"""Certificates by a forger, who chooses what is expected and which traces are listed, and has the
formulas made and proved anew."""

from __future__ import annotations

import pytest
from certificates import explored

from hybrid.bmc.expected import ADDRESS, READ, WRITTEN, Expected
from hybrid.certificate import expectation
from hybrid.certificate import make as making
from hybrid.certificate.claim import Subject
from hybrid.certificate.make import CertificateOptions, make_certificate
from hybrid.certificate.traces import ListedTraces, collect
from hybrid.engine.configuration import Configuration
from hybrid.errors import InternalError
from hybrid.verdict import Verdict

X, Y = 4096, 4224
CONDITIONAL = """x = 0
thread P: L0: r := lr(x); L1: s := sc(x, 1);
exists (x = 1)
"""
SUCCEEDS = CONDITIONAL.replace("(x = 1)", "(x = 0)")
WEAK = """x = 0
thread P: L0: r := cas_weak(x, 0, 1) @rlx;
exists (x = 1)
"""
CHAIN = """x = 0; y = 0
thread P: L0: x := 1 @rlx; L1: x := 2 @rlx; L2: y := 1 @rlx;
thread Q: L3: r := await(y = 1) @rlx; L4: s := await(x = 1) @rlx;
exists (Q:s = 1)
"""
AWAIT = """x = 5
thread P: L0: x := 6 @rlx;
thread Q: L1: r := await(x = 5) @rlx; L2: assert r = 0;
"""
Visits = dict[tuple[int, int, int], dict[str, int]]
# The program; what is expected; how many reads the listed waiting runs have; the false claim.
FORGED: list[tuple[str, Visits, int, Verdict]] = [
    # the store-conditional that is listed, which fails, cannot be told from one that succeeds
    (
        CONDITIONAL,
        {(0, 0, 0): {ADDRESS: X, READ: 0}, (0, 1, 0): {ADDRESS: X}},
        1,
        Verdict.FORBIDDEN,
    ),
    # nor, as its store is not expected, one that succeeds from one that fails
    (SUCCEEDS, {(0, 0, 0): {ADDRESS: X, READ: 0}, (0, 1, 0): {ADDRESS: X}}, 1, Verdict.FORBIDDEN),
    # nor the weak cas that fails without a reason from the one that writes what nobody expects
    (WEAK, {(0, 0, 0): {ADDRESS: X, READ: 0}}, 1, Verdict.FORBIDDEN),
    # nor a run in which Q waits from one in which it comes where nobody expects it
    (
        CHAIN,
        {
            (0, 0, 0): {ADDRESS: X, WRITTEN: 1},
            (0, 1, 0): {ADDRESS: X, WRITTEN: 2},
            (0, 2, 0): {ADDRESS: Y, WRITTEN: 1},
            (1, 0, 0): {ADDRESS: Y, READ: 1},
        },
        1,
        Verdict.FORBIDDEN,
    ),
    # where nothing is expected, a listed run would be everything
    (AWAIT, {}, 0, Verdict.HOLDS),
]


def expectation_of(visits: Visits) -> Expected:
    expected = Expected()
    for visit, aspects in visits.items():
        expected.add(visit)
        for aspect, value in aspects.items():
            expected.add(visit, aspect, value)
    return expected


@pytest.mark.parametrize(
    ("text", "visits", "reads", "claim"),
    FORGED,
    ids=["fails", "succeeds", "weak", "chain", "await"],
)
def test_a_listed_trace_hides_no_other(
    text: str,
    visits: Visits,
    reads: int,
    claim: Verdict,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = expectation_of(visits)

    def some(subject: Subject, how: Configuration) -> ListedTraces | None:
        listed = collect(subject, how)
        assert listed is not None
        if text in (CONDITIONAL, SUCCEEDS, WEAK):
            stores = text == SUCCEEDS
            return ListedTraces(tuple(k for k in listed.complete if bool(k[1]) is stores), ())
        return ListedTraces((), tuple(key for key in listed.waiting if len(key[0]) == reads))

    result = explored(text, "rc11")
    assert result.answer is not claim
    result.answer = result.verdict = claim
    result.satisfying = 0
    monkeypatch.setattr(expectation, "MANY_EVENTS", 0)
    monkeypatch.setattr(making, "expected_runs", lambda *_: expected)
    monkeypatch.setattr(making, "collect", some)
    with pytest.raises(InternalError, match="the formula has a run that"):
        make_certificate(result, CertificateOptions())
