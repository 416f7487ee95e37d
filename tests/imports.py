"""Which module of hybrid imports which, read from the syntax trees; late imports count."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import networkx as nx

import hybrid

PACKAGE = Path(hybrid.__file__).parent


@cache
def modules() -> dict[str, Path]:
    """The modules of hybrid by their dotted names; a package's is that of its __init__.py."""
    return {_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def _name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path) -> set[str]:
    """The modules of hybrid that a file imports, wherever the import stands."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module is not None, f"{path}: a relative import"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in modules() else node.module)
    return found & modules().keys()


@cache
def import_graph() -> nx.DiGraph[str]:
    """An edge from each module to each one that it imports."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(modules())
    for name, path in modules().items():
        graph.add_edges_from((name, other) for other in imported(path))
    return graph


def reachable(roots: tuple[str, ...]) -> set[str]:
    """The modules that are loaded with these, packages' own (empty) files left out."""
    graph = import_graph()
    found = set(roots).union(*(nx.descendants(graph, root) for root in roots))
    return {name for name in found if modules()[name].name != "__init__.py"}
