"""A trace that the formula cannot place: the verdict is certified, and not the number."""

from __future__ import annotations

import pytest
from certificates import SB, checked, explored, made, manifest_of

from hybrid.certificate import formulas
from hybrid.certificate.make import CertificateOptions, make_certificate


def test_a_trace_without_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formulas, "literals_of", lambda *_: None)
    found = make_certificate(explored(SB, "sc"), CertificateOptions())
    assert "no place in the formula" in found.notes[0]
    assert not manifest_of(found.files).traces
    assert checked(found.files).valid


@pytest.mark.large
def test_addresses_that_need_what_the_other_thread_stores() -> None:
    """Each store's address is made of what the other thread stores, for the dependency alone. The
    store-conditional has no load-reserve, and fails."""
    text = """x = 0; y = 0; z = 0
thread P: L0: r0 := x; L1: [&y + (r0 ^ r0)] := 1;
thread Q: L2: r0 := y; L3: r1 := sc([&z + (r0 ^ r0)], 1); L4: x := 1;
exists (P:r0 = 1 /\\ Q:r0 = 1)
"""
    for same in ("r0 ^ r0", "r0 - r0", "(r0 == r0) - 1", "r0 != r0", "r0 & 0", "r0 * 0"):
        done = checked(made(text.replace("r0 ^ r0", same), "riscv"))
        assert done.valid, done.refused
        assert done.counts is not None
        assert done.counts.traces == 4
