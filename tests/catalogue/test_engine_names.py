"""Engines are called by name in their own folders alone: all others go by the entries."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from hybrid.catalogue.engines import ENGINES
from hybrid.catalogue.spelling import ALL, parse_configurations
from hybrid.errors import InputError

PACKAGE = Path(__file__).resolve().parents[2] / "hybrid"


def own_folder(engine: str) -> str:
    """The folder in which an engine's entry stands, as a part of module names."""
    return ENGINES[engine].make.__module__.rpartition(".")[0]


def named(text: str) -> list[str]:
    """The engines that a text names, when it is a list of configurations and nothing else."""
    try:
        return [] if text == ALL else [c.engine for c in parse_configurations(text)]
    except InputError:
        return []


def names_elsewhere(module: str, source: str) -> list[str]:
    """Literals in a module that name an engine of another folder."""
    return [
        f"{module}, line {node.lineno}: {node.value!r}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if any(not module.startswith(f"{own_folder(engine)}.") for engine in named(node.value))
    ]


@pytest.mark.skipif(not PACKAGE.exists(), reason="a part of the tree: make test-compiled")
def test_no_literal_names_an_engine_outside_its_folder() -> None:
    found: list[str] = []
    paths = sorted(PACKAGE.rglob("*.py"))
    assert len(paths) > 200
    for path in paths:
        module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        found += names_elsewhere(module, path.read_text(encoding="utf-8"))
    assert found == []


@pytest.mark.parametrize(
    ("module", "source", "count"),
    [
        ("hybrid.cli.bench", 'OPTIONS = {"rsmc": 1}', 1),
        ("hybrid.cli.fuzz", 'add("--engines", default="enumerate,rsmc:z3")', 1),
        ("hybrid.engine.rsmc.engine", 'name = "rsmc"', 0),
        ("hybrid.engine.rsmc.engine", 'other = "trust-linear"', 1),
        ("hybrid.engine.trust.entry", 'other = "trust-linear"', 0),
        ("hybrid.bmc.engine", 'name = "bmc"', 0),
        ("hybrid.bmcs.engine", 'name = "bmc"', 1),
        ("hybrid.cli.verify", '"""rsmc is an engine."""\ntext = "all"', 0),
    ],
)
def test_what_counts_as_a_name(module: str, source: str, count: int) -> None:
    assert len(names_elsewhere(module, source)) == count
