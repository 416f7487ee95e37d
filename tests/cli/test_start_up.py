"""What a short run does without: it is not loaded, so that a small test is answered at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hybrid.data import bundled
from hybrid.kept_files import VARIABLE

SCRIPT = """
import sys
from hybrid.cli.main import main
code = main(sys.argv[1:])
print(*sys.modules, sep="\\n", file=sys.stderr)
sys.exit(code)
"""
NEVER = ("z3", "pysat", "networkx", "distributed", "multiprocessing", "ctypes", "subprocess")
OF_OTHER_RUNS = (
    "hybrid.bmc.engine",
    "hybrid.crosscheck.shrink",
    "hybrid.encoding",
    "hybrid.engine.enumerate.engine",
    "hybrid.frontend.c.compiled",
    "hybrid.frontend.llvm",
    "hybrid.parallel.coordinator",
    "hybrid.witness.svg",
)


def loaded(folder: Path, *arguments: str) -> set[str]:
    around = {**os.environ, VARIABLE: str(folder)}
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, "verify", *arguments],
        capture_output=True,
        text=True,
        env=around,
    )
    assert run.returncode == 0, run.stderr
    return set(run.stderr.split())


@pytest.mark.large
@pytest.mark.parametrize("file", ["classic/MP.prog", "ppc/MP+syncs.litmus"])
def test_what_a_small_test_does_without(file: str, tmp_path: Path) -> None:
    path = str(bundled("litmus") / file)
    first = loaded(tmp_path, path)
    assert "hybrid.model.elaborate" in first  # the model is read once, and then kept
    again = loaded(tmp_path, path)
    assert "hybrid.engine.rsmc.engine" in again or "hybrid.engine.trust.engine" in again
    assert [name for name in (*NEVER, *OF_OTHER_RUNS) if name in again] == []
    for reader in ("hybrid.model.elaborate", "hybrid.model.parse", "hybrid.model.syntax"):
        assert reader not in again
    assert ("hybrid.frontend.prog" in again) == file.endswith(".prog")
    assert ("hybrid.frontend.litmus.reader" in again) == file.endswith(".litmus")
