"""What the page offers, and that there is nothing else to be had by these names."""

from __future__ import annotations

import pytest

from hybrid.data import builtin_models
from hybrid.serve.bundle import bundled_tests, model_text, program_folders, text_of_test


def test_tests() -> None:
    names = list(bundled_tests())
    assert "classic/MP.prog" in names and "ppc/MP+syncs.litmus" in names
    assert "programs/textbook/treiber.c" in names and names == sorted(names)
    assert "thread P" in (text_of_test("classic/MP.prog") or "")
    assert {"classic", "ppc", "programs/trust"} <= program_folders()


def test_models() -> None:
    for name in builtin_models():
        assert "acyclic" in (model_text(name) or "")


@pytest.mark.parametrize(
    "name", ["", "..", "../pyproject.toml", "/etc/passwd", "classic", "classic/../classic/MP.prog"]
)
def test_nothing_else(name: str) -> None:
    assert text_of_test(name) is None
    assert model_text(name) is None


def test_included_files_are_no_models() -> None:
    assert model_text("stdlib") is None and model_text("include/cos") is None
