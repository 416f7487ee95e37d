"""When the kernel is compiled, and what becomes of a build where that cannot be done."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
pytest.importorskip("hatchling")
pytestmark = pytest.mark.skipif(
    not (ROOT / "hatch_build.py").exists(), reason="a part of the tree: make test-compiled"
)


@pytest.fixture
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_the_variable_may_say(hook: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(hook.VARIABLE, raising=False)
    assert hook.wish() == hook.AUTO
    for word in (hook.AUTO, hook.ALWAYS, hook.NEVER):
        monkeypatch.setenv(hook.VARIABLE, word)
        assert hook.wish() == word
    monkeypatch.setenv(hook.VARIABLE, "sometimes")
    with pytest.raises(ValueError, match="'sometimes', not one of auto, always, never"):
        hook.wish()


def test_no_compiler(hook: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler -O3")
    with pytest.raises(hook.CannotCompile, match="no command is called no-such-compiler"):
        hook.find_compiler()


def test_what_a_build_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that has to be downloaded where nothing is to be compiled."""
    from hatchling.build import get_requires_for_build_wheel

    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("CC", sys.executable)  # something that is there
    monkeypatch.setenv("HYBRID_COMPILE", "always")
    assert any(word.startswith("mypy") for word in get_requires_for_build_wheel())
    monkeypatch.setenv("HYBRID_COMPILE", "never")
    assert get_requires_for_build_wheel() == []
    monkeypatch.setenv("HYBRID_COMPILE", "auto")
    monkeypatch.setenv("CC", "no-such-compiler")
    assert get_requires_for_build_wheel() == []


def test_no_headers(hook: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CC", sys.executable)
    monkeypatch.setattr(hook.sysconfig, "get_path", lambda _: str(tmp_path))
    with pytest.raises(hook.CannotCompile, match=r"headers of Python .*Python\.h"):
        hook.find_compiler()


def test_a_file_of_the_kernel_that_is_not_there(hook: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"not there: hybrid/nothing\.py"):
        hook.compile_kernel(ROOT, ["hybrid/verdict.py", "hybrid/nothing.py"], tmp_path)


@pytest.mark.large
def test_code_that_does_not_compile(hook: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "root" / "hybrid").mkdir(parents=True)
    (tmp_path / "root" / "hybrid" / "wrong.py").write_text("x: int = 'text'\n")
    with pytest.raises(hook.CannotCompile, match="compiling failed: "):
        hook.compile_kernel(tmp_path / "root", ["hybrid/wrong.py"], tmp_path / "work")


@pytest.mark.large
def test_the_kernel_has_types_where_nothing_else_is_installed(hook: ModuleType) -> None:
    """A build has a folder of its own, without lark and the solvers."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    files = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["include"]
    command = [sys.executable, "-m", "mypy", *hook.MYPY, "--no-site-packages", *files]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def build(target: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
    )


@pytest.mark.large
def test_a_wheel_of_pure_python(tmp_path: Path) -> None:
    run = build(tmp_path, HYBRID_COMPILE="never")
    assert run.returncode == 0, run.stderr
    (wheel,) = tmp_path.iterdir()
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "hybrid/_data/kernel.txt" not in names
    assert {"hybrid/oracle/graph.py", "hybrid/_data/encodings/sc.cat"} <= set(names)
    assert not [name for name in names if name.endswith(".so")]


@pytest.mark.large
def test_a_wheel_where_there_is_no_compiler_says_why(tmp_path: Path) -> None:
    run = build(tmp_path, HYBRID_COMPILE="auto", CC="no-such-compiler")
    assert run.returncode == 0, run.stderr
    why = "there is no C compiler: no command is called no-such-compiler"
    assert f"The kernel is not compiled: {why}." in run.stdout + run.stderr
    (wheel,) = tmp_path.iterdir()
    assert wheel.name.endswith("-py3-none-any.whl")
    assert zipfile.ZipFile(wheel).read("hybrid/_data/kernel.txt").decode() == f"{why}\n"


@pytest.mark.large
def test_a_build_that_must_compile_fails_without_a_compiler(tmp_path: Path) -> None:
    run = build(tmp_path, HYBRID_COMPILE="always", CC="no-such-compiler")
    assert run.returncode != 0
    assert "no command is called no-such-compiler" in run.stdout + run.stderr
    assert not list(tmp_path.glob("*.whl"))
