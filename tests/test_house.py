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
