"""Names that tell classes apart: a reader who meets one knows which class is meant."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "hybrid"


def public_classes(text: str) -> list[str]:
    """The public classes at the top of a module."""
    return [
        node.name
        for node in ast.parse(text).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]


def shared_names(modules: dict[str, str]) -> dict[str, list[str]]:
    """Class names that several modules use, with those modules; the texts are given by module."""
    owners: dict[str, list[str]] = defaultdict(list)
    for module, text in modules.items():
        for name in public_classes(text):
            owners[name].append(module)
    return {name: found for name, found in owners.items() if len(found) > 1}


@pytest.mark.skipif(not PACKAGE.exists(), reason="a part of the tree: make test-compiled")
def test_no_two_public_classes_share_a_name() -> None:
    modules = {
        str(path.relative_to(PACKAGE)): path.read_text(encoding="utf-8")
        for path in sorted(PACKAGE.rglob("*.py"))
    }
    assert len(modules) > 200
    assert shared_names(modules) == {}


@pytest.mark.parametrize(
    ("second", "shared"),
    [
        ("class Step: ...", {"Step": ["a.py", "b.py"]}),
        ("class _Step: ...", {}),
        ("class Other:\n    class Step: ...", {}),
        ("def Step() -> None: ...", {}),
    ],
)
def test_shared_names(second: str, shared: dict[str, list[str]]) -> None:
    assert shared_names({"a.py": "class Step: ...", "b.py": second}) == shared
