"""The kernel as native code: what is listed for compilation, and whether this run uses it."""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path

import pytest

from hybrid import compiled
from hybrid.compiled import how_to_compile, is_compiled, manner, manner_and_why, why_not

ROOT = Path(__file__).parent.parent
BUILD = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]
KERNEL = BUILD["build"]["targets"]["wheel"]["hooks"]["custom"]["include"]


@pytest.mark.parametrize("path", KERNEL)
def test_each_file_of_the_kernel_is_there_and_as_it_should_be(path: str) -> None:
    """All of them are compiled, or none; a name that fits no file would be left out without a
    word."""
    module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    assert module.__file__ is not None
    assert module.__file__.endswith(".py") != is_compiled()


def test_manner() -> None:
    assert manner() == ("compiled" if is_compiled() else "interpreted")


def test_why_it_was_not_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "is_compiled", lambda: False)
    monkeypatch.setattr(compiled, "_INSIDE", tmp_path)
    monkeypatch.setattr(compiled, "_NOTE", tmp_path / "kernel.txt")
    assert why_not() == ""
    assert manner_and_why() == "interpreted"
    assert how_to_compile() == "hybrid has one when it is installed with HYBRID_COMPILE=always"
    (tmp_path / "kernel.txt").write_text("there is no C compiler\n")
    assert manner_and_why() == "interpreted: there is no C compiler"
    assert how_to_compile().endswith(" (this one was not compiled: there is no C compiler)")
    monkeypatch.setattr(compiled, "is_compiled", lambda: True)
    assert manner_and_why() == "compiled"


def test_how_to_compile_in_a_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_INSIDE", tmp_path / "none")
    assert how_to_compile() == "`make compiled` builds one, build/compiled/bin/hybrid"
