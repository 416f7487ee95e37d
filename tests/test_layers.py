"""The order of the packages, which the README draws: imports go forward only, modules make no
cycles, and the independent executors share what is written here and nothing else."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import networkx as nx
import pytest
from imports import PACKAGE, import_graph, modules, reachable

pytestmark = pytest.mark.skipif(
    not (Path(__file__).parent.parent / "hybrid").exists(),
    reason="a part of the tree: make test-compiled",
)

README = Path(__file__).parent.parent / "README.md"
ROW = re.compile(r"^    hybrid/(\*\.py|[a-z]+) ", re.MULTILINE)
BASE = "*.py"  # the modules beside the packages


def drawn() -> list[str]:
    """The packages in the order of the README's layout."""
    layout = README.read_text(encoding="utf-8").split("\n## Layout\n", 1)[1]
    return ROW.findall(layout)


def package_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and (PACKAGE / parts[1]).is_dir() else BASE


def test_the_readme_draws_every_package() -> None:
    packages = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
    assert sorted(drawn()) == sorted([BASE, *packages])


def test_imports_go_forward() -> None:
    order = drawn()
    entry = ("hybrid.__main__", "hybrid.cli.main")  # `python -m hybrid`
    backward = [
        f"{source} imports {target}"
        for source, target in import_graph().edges
        if order.index(package_of(source)) < order.index(package_of(target))
        and (source, target) != entry
        and source != "hybrid"  # what `import hybrid` offers, for type checkers alone
    ]
    assert backward == []


def test_no_cycle_of_modules() -> None:
    components = nx.strongly_connected_components(import_graph())
    assert [sorted(component) for component in components if len(component) > 1] == []


# The executors whose answers are compared, with the modules in which each begins.
EXECUTORS = {
    "enumerate": ("hybrid.engine.enumerate.engine",),
    "rsmc": ("hybrid.engine.rsmc.engine", "hybrid.oracle.make"),
    "bmc": ("hybrid.bmc.engine",),
    "witness": ("hybrid.witness.run", "hybrid.witness.replay"),
}
# What all of them share: the program, the model's axioms, traces, the interface of engines.
SHARED_BY_ALL = {
    "engine.api",
    "engine.counters",
    "errors",
    "execution.trace",
    "model.core",
    "printable",
    "program.addresses",
    "program.answers",
    "program.blocks",
    "program.condition",
    "program.expr",
    "program.instructions",
    "program.loops",
    "program.memory",
    "program.origin",
    "program.pointers",
    "program.program",
    "program.reached",
    "program.thread",
    "program.values",
    "source",
}
# Reading files and looking at the memory that is left; the names of annotations and fences.
_FILES, _MEMORY, _TAGS, _C11 = "files", "memory", "program.tags", "program.c11"
# What two of them share beyond that. The solver oracles and the formula of a whole program put the
# model into constraints by the same modules; the evaluation of a model on a whole execution is that
# of enumerate when a witness is judged again.
SHARED_BY_TWO: dict[frozenset[str], set[str]] = {
    frozenset(("enumerate", "witness")): {
        "engine.enumerate.evaluate",
        "engine.enumerate.relations",
    },
    frozenset(("rsmc", "bmc")): {
        "encoding.acyclic",
        "encoding.alternatives",
        "encoding.base_maps",
        "encoding.clauses",
        "encoding.compose",
        "encoding.derivations",
        "encoding.folding",
        "encoding.groups",
        "encoding.implied_closure",
        "encoding.logic",
        "encoding.model",
        "encoding.sat_logic",
        "encoding.z3_home",
        "encoding.z3_logic",
        _FILES,
        _MEMORY,
        _TAGS,
    },
    frozenset(("rsmc", "witness")): {_FILES, _TAGS},
    frozenset(("bmc", "witness")): {_FILES, _TAGS, _C11},
}


@pytest.mark.parametrize(("one", "other"), list(combinations(EXECUTORS, 2)))
def test_what_executors_share(one: str, other: str) -> None:
    shared = reachable(EXECUTORS[one]) & reachable(EXECUTORS[other])
    written = SHARED_BY_ALL | SHARED_BY_TWO.get(frozenset((one, other)), set())
    assert {name.removeprefix("hybrid.") for name in shared} == written


def test_executors_are_modules() -> None:
    assert {root for roots in EXECUTORS.values() for root in roots} <= modules().keys()
