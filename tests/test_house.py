"""The limits of the house: long files, long functions, long lines, tangled functions; and that the
tests of a module are found by its name."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.skipif(
    not (ROOT / "hybrid").exists(), reason="a part of the tree: make test-compiled"
)

FILE, FUNCTION, COMPLEXITY, LINE = 450, 60, 15, 100

CODE = ("hybrid", "results")
FOLDERS = (*CODE, "tests")
TEXTS = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/*.md",
    "*/README.md",
    "hybrid/**/*.md",
    "encodings/*.cat",
    "Makefile",
)


def sources(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_no_file_is_too_long() -> None:
    lengths = {shown(path): len(path.read_text().splitlines()) for path in sources(*CODE)}
    assert len(lengths) > 250
    assert {path: count for path, count in lengths.items() if count > FILE} == {}


def test_no_function_is_too_long() -> None:
    lengths = {
        f"{shown(path)}: {function.name}": (function.end_lineno or 0) - function.lineno + 1
        for path in sources(*CODE)
        for function in functions(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert len(lengths) > 2_000
    assert {name: count for name, count in lengths.items() if count > FUNCTION} == {}


def test_no_function_is_too_complex() -> None:
    """As ruff measures it (McCabe)."""
    limit = f"lint.mccabe.max-complexity={COMPLEXITY}"
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format=concise"]
    found = subprocess.run(
        [*command, "--select=C901", "--config", limit, *CODE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.stdout.strip() == "All checks passed!", found.stdout


def too_long(suffix: str, text: str) -> list[int]:
    """The numbers of the lines that are too long. In a document a row of a table or a line with a
    link may be."""
    return [
        number
        for number, line in enumerate(text.splitlines(), 1)
        if len(line) > LINE and not (suffix == ".md" and (line.startswith("|") or "](" in line))
    ]


def test_no_line_is_too_long() -> None:
    paths = [*sources(*FOLDERS), *(path for text in TEXTS for path in sorted(ROOT.glob(text)))]
    assert len(paths) > 330
    found = {shown(path): too_long(path.suffix, path.read_text(encoding="utf-8")) for path in paths}
    assert {path: numbers for path, numbers in found.items() if numbers} == {}


@pytest.mark.parametrize(
    ("suffix", "text", "long"),
    [
        (".py", "é" * 100, []),
        (".py", "ok\n" + "x" * 101, [2]),
        (".py", "| " + "x" * 101, [1]),
        (".md", "| " + "x" * 101, []),
        (".md", "see [" + "x" * 101 + "](y)", []),
        (".md", "x" * 101, [1]),
        ("", "x" * 101, [1]),
    ],
)
def test_lines(suffix: str, text: str, long: list[int]) -> None:
    assert too_long(suffix, text) == long


# Where the tests of a module are


def own_files(module: Path) -> list[Path]:
    """The files that are named for a module, given by its path in hybrid/: test_MODULE.py or
    test_PACKAGE_MODULE.py, in the folder of its package or one above; of an `engine.py` also
    test_PACKAGE.py."""
    *packages, name = module.with_suffix("").parts
    names = {"_".join([*packages[start:], name]) for start in range(len(packages) + 1)}
    if name == "engine" and packages:
        names.add(packages[-1])
    folders = [Path(*packages[:depth]) for depth in range(len(packages) + 1)]
    return [folder / f"test_{each}.py" for folder in folders for each in sorted(names)]


def where_tested() -> dict[str, str]:
    lines = (ROOT / "tests" / "tested_in.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    assert len({name for name, _ in rows}) == len(rows), "a name twice"
    return {row[0]: row[1] for row in rows}


def row_of(module: str, table: dict[str, str]) -> str | None:
    """The longest name in the table that fits."""
    parts = module.split(".")
    names = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((name for name in names if name in table), None)


def test_the_tests_of_a_module_are_found_by_its_name() -> None:
    table, used, missing = where_tested(), set(), []
    for path in sources("hybrid"):
        module = path.relative_to(ROOT / "hybrid")
        if module.stem.startswith("__"):
            continue
        if any((ROOT / "tests" / file).exists() for file in own_files(module)):
            continue
        row = row_of(".".join(module.with_suffix("").parts), table)
        used.add(row)
        if row is None:
            missing.append(module.as_posix())
    assert missing == []
    assert [file for file in table.values() if not (ROOT / "tests" / file).exists()] == []
    assert sorted(table.keys() - used) == [], "rows that no module needs"


def test_names_of_test_files() -> None:
    names = {file.as_posix() for file in own_files(Path("engine/rsmc/engine.py"))}
    assert {"engine/test_rsmc.py", "engine/rsmc/test_engine.py"} <= names
    assert "engine/test_engine_rsmc_engine.py" in names
    assert "test_trust.py" not in names
    assert row_of("a.b.c", {"a": "x", "a.b": "y"}) == "a.b"
    assert row_of("ab", {"a": "x"}) is None
