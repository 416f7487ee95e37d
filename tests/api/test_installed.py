"""The package as it is installed: a wheel has the types, and clients check against it."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CLIENT = Path(__file__).with_name("client.py")

pytestmark = [
    pytest.mark.large,
    pytest.mark.skipif(
        not (ROOT / "pyproject.toml").exists(), reason="a part of the tree: make test-compiled"
    ),
]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package and nothing else of hybrid, from a wheel that is made here."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("installed")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    around = {**os.environ, "HYBRID_COMPILE": "never"}  # types are the same, and it is faster
    made = subprocess.run(
        command, cwd=ROOT, env=around, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stdout + made.stderr
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv", with_pip=False)
    (site,) = (folder / "venv").glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
    return site


def run(*command: str, path: Path | None, folder: Path) -> subprocess.CompletedProcess[str]:
    around = {**os.environ, "PYTHONPATH": "" if path is None else str(path)}
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=around,
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_is_in_the_wheel(installed: Path) -> None:
    assert (installed / "hybrid" / "py.typed").is_file()
    assert (installed / "hybrid" / "_data" / "encodings" / "power.cat").is_file()
    assert not (installed / "tests").exists()


def test_a_client_runs(installed: Path, tmp_path: Path) -> None:
    code = f"""
import sys; sys.path.insert(0, {str(CLIENT.parent)!r})
import client, hybrid
assert hybrid.__file__.startswith({str(installed)!r}), hybrid.__file__
sys.exit(client.main())
"""
    found = run("-c", code, path=installed, folder=tmp_path)
    assert found.returncode == 0, found.stderr
    assert found.stdout.splitlines()[-1].startswith("FORBIDDEN {'Q:r0': 1, 'Q:r1': 1")
    assert found.stdout.endswith("['sc'] True\n")


def test_a_client_has_types(installed: Path, tmp_path: Path) -> None:
    """mypy reads an installed package only if it has `py.typed`."""
    wrong = tmp_path / "wrong.py"
    lines = CLIENT.read_text(encoding="utf-8").replace("from __future__ import annotations", "")
    mistakes = (
        'hybrid.verify("x.prog", tiemout=3)',
        'hybrid.verify("x.prog", engine=3)',
        'number: int = hybrid.verify("x.prog").verdict',
        'hybrid.verify("x.prog").count = 3',
        'hybrid.explain("x.prog").witness.svg()',
    )
    wrong.write_text("\n".join([lines, *mistakes, ""]), encoding="utf-8")
    python = installed.parents[2] / "bin" / "python"
    options = ["-m", "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path / 'cache'}"]
    options.append(f"--python-executable={python}")
    good = run(*options, str(CLIENT), path=None, folder=tmp_path)
    assert good.stdout == "Success: no issues found in 1 source file\n", good.stdout + good.stderr
    bad = run(*options, str(wrong), path=None, folder=tmp_path)
    first = len(lines.split("\n")) + 1
    told = [line for line in bad.stdout.splitlines() if ": error: " in line]
    assert {int(line.split(":")[1]) for line in told} == set(range(first, first + len(mistakes)))
