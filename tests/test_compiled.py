"""The kernel as native code: what is listed for compilation, and whether this run uses it."""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path

import pytest

from hybrid.compiled import is_compiled, manner

ROOT = Path(__file__).parent.parent
BUILD = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]
KERNEL = BUILD["build"]["targets"]["wheel"]["hooks"]["mypyc"]["include"]


@pytest.mark.parametrize("path", KERNEL)
def test_each_file_of_the_kernel_is_there_and_as_it_should_be(path: str) -> None:
    """All of them are compiled, or none; a name that fits no file would be left out without a
    word."""
    module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    assert module.__file__ is not None
    assert module.__file__.endswith(".py") != is_compiled()


def test_manner() -> None:
    assert manner() == ("compiled" if is_compiled() else "interpreted")
