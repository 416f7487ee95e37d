"""A new engine is one file and one entry: in a copy of the package with nothing else touched,
verify runs it, crosscheck and fuzz compare it, and it is listed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import hybrid
from hybrid.compiled import is_compiled
from hybrid.data import bundled

pytestmark = pytest.mark.large

PACKAGE = Path(hybrid.__file__).resolve().parent
SB = "x = 0; y = 0 thread P: x := 1; r := y; thread Q: y := 1; s := x; exists (P:r = 0 /\\ Q:s = 0)"

FILE = '''"""A toy: what enumerate finds, backwards."""

from __future__ import annotations

from collections.abc import Iterator

from hybrid.engine.api import Counters, Engine, Limits
from hybrid.engine.configuration import Configuration
from hybrid.engine.entry import EngineEntry
from hybrid.engine.enumerate import Enumerate
from hybrid.errors import InputError
from hybrid.execution.trace import Trace
from hybrid.model.core import Model
from hybrid.program.program import Program


class Toy:
    name = "toy"

    def __init__(self, faulty: bool) -> None:
        self.counters = Counters()
        self.faulty = faulty

    def explore(self, program: Program, model: Model, limits: Limits) -> Iterator[Trace]:
        inner = Enumerate()
        found = list(inner.explore(program, model, limits))
        self.counters = inner.counters
        yield from reversed(found[self.faulty :])


def make(configuration: Configuration) -> Engine:
    return Toy(configuration.oracle == "faulty")


def refuses(program: Program | None, model: Model) -> InputError | None:
    if model.name == "tso":
        return InputError(f"toy does not take {model.name}")
    return None


TOY = EngineEntry("toy", "enumerate, backwards", make, oracles=("fair", "faulty"), refuses=refuses)
'''

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs hybrid, with the toy in it."""
    if is_compiled():
        pytest.skip("copies the package, which is source text")
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(PACKAGE, root / "hybrid", ignore=shutil.ignore_patterns("__pycache__", "_data"))
    for room in ("encodings", "litmus"):
        (root / room).symlink_to(bundled(room), target_is_directory=True)
    (root / "hybrid" / "engine" / "toy.py").write_text(FILE, encoding="utf-8")
    catalogue = root / "hybrid" / "catalogue" / "engines.py"
    text = catalogue.read_text(encoding="utf-8")
    text = text.replace("\nENTRIES", "\nfrom hybrid.engine.toy import TOY  # noqa: E402\n\nENTRIES")
    text = text.replace("    ENUMERATE,\n", "    ENUMERATE,\n    TOY,\n")
    catalogue.write_text(text, encoding="utf-8")
    (root / "sb.prog").write_text(SB, encoding="utf-8")

    def hybrid_with_toy(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(root), "COLUMNS": "1000"}
        command = [sys.executable, "-m", "hybrid", *arguments]
        return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)

    return hybrid_with_toy


def test_verify(run: Run) -> None:
    found = run("verify", "sb.prog", "--model", "sc", "--engine", "toy", "--json")
    assert found.returncode == 0, found.stderr
    result = json.loads(found.stdout)
    assert (result["engine"], result["oracle"], result["traces"]) == ("toy", "fair", 3)


def test_options_follow_from_the_entry(run: Run) -> None:
    shown = run("verify", "--help").stdout
    assert "enumerate, toy, rsmc," in shown
    assert "for toy: fair, faulty, default fair" in shown
    noted = run(
        *[
            "verify",
            "sb.prog",
            "--model",
            "sc",
            "--engine",
            "toy",
            "--policy",
            "last",
            "-j",
            "2",
            "--seed",
            "3",
        ]
    )
    assert "--policy has no effect: toy has none" in noted.stdout
    assert "--seed has no effect: toy has none" in noted.stdout
    assert "-j has no effect: toy explores one program with one process" in noted.stdout
    wrong = run("verify", "sb.prog", "--engine", "toy", "--oracle", "z3")
    assert wrong.returncode == 2
    assert "is for rsmc, the engines on graphs and bmc, not for toy" in wrong.stderr
    unknown = run("verify", "sb.prog", "--engine", "tuy")
    assert "did you mean `toy`?" in unknown.stderr.replace("'", "`").lower()


def test_what_it_refuses(run: Run) -> None:
    refused = run("verify", "sb.prog", "--model", "tso", "--engine", "toy")
    assert refused.returncode == 2
    assert "toy does not take tso" in refused.stderr
    assert "engines that take it: enumerate, rsmc" in refused.stderr


def test_models(run: Run) -> None:
    assert "engines: enumerate, toy, rsmc," in run("models", "sc").stdout
    assert "toy" not in run("models", "tso").stdout


def test_crosscheck(run: Run) -> None:
    compared = run("crosscheck", "sb.prog", "--model", "sc,tso", "--json")
    assert compared.returncode == 4, compared.stderr  # toy:faulty leaves a trace out
    under_sc, under_tso = map(json.loads, compared.stdout.splitlines())
    names = [each["name"] for each in under_sc["configurations"]]
    assert {"toy", "toy:faulty"} <= set(names)
    assert {each["configuration"] for each in under_sc["differences"]} == {"toy:faulty"}
    assert under_tso["verdict"] == "EQUAL"


def test_fuzz(run: Run) -> None:
    found = run("fuzz", "--engines", "enumerate,toy", "--model", "sc", "--count", "3")
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith("enumerate, toy under sc, seed")
    faulty = ("--engines", "enumerate,toy:faulty", "--model", "sc", "--count", "3", "--no-shrink")
    assert run("fuzz", *faulty).returncode == 4
