"""A trace that the formula cannot place: the verdict is certified, and not the number."""

from __future__ import annotations

import pytest
from certificates import SB, checked, explored, manifest_of

from hybrid.certificate import formulas
from hybrid.certificate.make import CertificateOptions, make_certificate


def test_a_trace_without_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formulas, "literals_of", lambda *_: None)
    made = make_certificate(explored(SB, "sc"), CertificateOptions())
    assert "no place in the formula" in made.notes[0]
    assert not manifest_of(made.files).traces
    assert checked(made.files).valid
