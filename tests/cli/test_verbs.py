"""cli/ holds verbs: what the command line parses ends in the `run` of a verb, as plain values."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from cli_helpers import Hybrid, write

import hybrid
from hybrid.cli.main import VERBS, parser_of

HOUSE = Path(hybrid.__file__).parent
MODULES = sorted(HOUSE.rglob("*.py"))
VERB_FILES = {HOUSE / "cli" / f"{verb.name}.py" for verb in VERBS}
# What is in cli/ and is not a verb: it parses options, runs verbs, or is a part of a verb's output.
OTHERS = {"__init__", "main", "options", "engine_options"}
OTHERS |= {"bench_case", "bench_files", "bench_kernel"}
OTHERS |= {"bench_oracles", "bench_parallel", "bench_trust"}
OTHERS |= {"verify_certificate", "verify_files", "shell_scripts"}


def mentions(node: ast.AST) -> bool:
    """Whether argparse's Namespace is named somewhere below."""
    return any(
        "Namespace" in (getattr(each, "id", ""), getattr(each, "attr", ""))
        or "Namespace" in str(getattr(each, "value", ""))
        for each in ast.walk(node)
        if isinstance(each, ast.Name | ast.Attribute | ast.Constant)
    )


def strays(tree: ast.Module, verb: bool) -> list[int]:
    """The lines of statements that name it, other than the signature of a verb's `run(args)`."""
    found = []
    for statement in tree.body:
        runs = isinstance(statement, ast.FunctionDef) and statement.name == "run" and verb
        if isinstance(statement, ast.FunctionDef) and runs:
            found += [inner.lineno for inner in statement.body if mentions(inner)]
        elif mentions(statement):
            found.append(statement.lineno)
    return found


@pytest.mark.large
@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_a_namespace_ends_in_its_verb(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert strays(tree, path in VERB_FILES) == []
    if HOUSE / "cli" not in path.parents:
        imported = [
            name
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in (getattr(node, "module", None), *(alias.name for alias in node.names))
        ]
        assert "argparse" not in imported


def test_the_check_finds_what_it_looks_for() -> None:
    bad = ["def f(args: argparse.Namespace) -> int: ...", "class C:\n    a: Namespace"]
    bad += ["def f(args: 'argparse.Namespace') -> int: ..."]
    assert all(strays(ast.parse(text), verb=True) for text in bad)
    run = "def run(args: argparse.Namespace) -> int:\n    return 0"
    assert strays(ast.parse(run), verb=True) == [] != strays(ast.parse(run), verb=False)


def test_cli_holds_verbs() -> None:
    held = {path.stem for path in (HOUSE / "cli").glob("*.py")}
    assert held == {verb.name for verb in VERBS} | OTHERS


def test_a_witness_is_not_left_out_silently(hybrid: Hybrid) -> None:
    """A summary of known answers is about a batch, which has no witness."""
    write(hybrid.folder, "sb")
    (hybrid.folder / "known.csv").write_text("file,states\nsb.prog,4\n")
    table, witness = str(hybrid.folder / "known.csv"), str(hybrid.folder / "w.svg")
    run = hybrid.on("verify", "sb", "--expected", table, "--witness", witness)
    assert run.code == 2 and "--witness is for one program alone" in run.err


@pytest.mark.parametrize("verb", [verb.name for verb in VERBS])
def test_lines_of_help_are_not_too_long(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, parser_of(verb).format_help().split("\n"))) <= 100
