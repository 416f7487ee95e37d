"""The documents name every engine, model and architecture, and the verbs and exit codes that there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from hybrid.cli.main import VERBS
from hybrid.crosscheck.configuration import BMC
from hybrid.engine.registry import ENGINES, ORACLES
from hybrid.frontend.load import ARCHITECTURES
from hybrid.model.load import builtin_models

ROOT = Path(__file__).parent.parent


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["README.md", "docs/engines.md", "docs/crosscheck.md"])
def test_engines(page: str) -> None:
    for name in (*ENGINES, BMC):
        assert name in text(page)


@pytest.mark.parametrize("page", ["README.md", "docs/engines.md", "docs/crosscheck.md"])
def test_oracles(page: str) -> None:
    for name in ORACLES:
        assert name in text(page)


@pytest.mark.parametrize("page", ["README.md", "encodings/README.md"])
def test_models(page: str) -> None:
    for name in builtin_models():
        assert f"`{name}`" in text(page)


def test_architectures() -> None:
    for arch, known in ARCHITECTURES.items():
        rows = [line for line in text("docs/litmus.md").splitlines() if line.startswith("| `")]
        assert any(f"`{arch}`" in row and f"`{known.model}`" in row for row in rows)
        rows = [line for line in text("docs/batch.md").splitlines() if line.startswith("| ")]
        assert any(arch in row and row.endswith(f"| {known.model} |") for row in rows)


def test_verbs() -> None:
    for verb in VERBS:
        assert f"| `hybrid {verb.name}" in text("README.md")


def test_pages() -> None:
    """Each page of the documents can be reached from the README."""
    for page in sorted((ROOT / "docs").glob("*.md")):
        assert f"(docs/{page.name})" in text("README.md")
