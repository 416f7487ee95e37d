"""The examples of docs/python.md run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import hybrid

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "python.md"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="a part of the tree: make test-compiled")


@pytest.mark.large
def test_the_examples_run(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ziglang")
    monkeypatch.chdir(ROOT)
    found = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert found.attempted > 25 and found.failed == 0


def test_every_name_is_described() -> None:
    text = PAGE.read_text(encoding="utf-8")
    results = {
        "CheckedCertificate",
        "Crosschecked",
        "Explained",
        "FinalState",
        "TraceView",
        "Verified",
    }
    results |= {"HybridError", "ThreadBuilder", "__version__"}  # what calls give, and roots
    for name in set(hybrid.__all__) - results:
        assert re.search(rf"hybrid\.{name}\b", text), name
