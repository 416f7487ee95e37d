"""Checkers of proofs that others have written: dratify, of PyPI, or drat-trim, if it is there.

dratify         with the engine in Rust of `cdclkit[native]` if that is there
dratify-python  its engine in Python
drat-trim       M. Heule's, in C: a program on the PATH
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hybrid.certificate import run_dratify
from hybrid.errors import InputError, Stopped
from hybrid.time_limit import time_left

DRATIFY, DRATIFY_PYTHON, DRAT_TRIM = "dratify", "dratify-python", "drat-trim"
CHECKERS: Final = (DRATIFY, DRATIFY_PYTHON, DRAT_TRIM)  # the first that is there is taken
INSTALL: Final = "pip install 'hybrid-mc[proofs]' brings one; or put drat-trim on the PATH"
_PROOF: Final = re.compile(r"[0-9 d\n-]*")  # what a proof in text is made of
_FOREVER: Final = 10**7  # seconds, for a checker with a limit of its own


class NoChecker(InputError):
    """There is no checker of proofs here."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class ProofChecker:
    name: str
    version: str  # with its engine, where it has several
    # (CNF, proof, deadline) to what is wrong with the proof; empty: nothing. Stopped: no time.
    _check: Callable[[str, str, float | None], str]

    def __str__(self) -> str:
        return f"{self.name.removesuffix('-python')} {self.version}".rstrip()

    def check(self, cnf: str, proof: str, deadline: float | None) -> str:
        """What is wrong with the proof that the clauses have no solution; empty: nothing is."""
        if not _PROOF.fullmatch(proof):
            return "it has signs that no proof is written with"
        return self._check(cnf, proof, deadline)


def find_checker(name: str = "") -> ProofChecker:
    """The checker of that name, else the first that is there; NoChecker where there is none."""
    for each in (name,) if name else CHECKERS:
        found = _drat_trim() if each == DRAT_TRIM else _dratify(each)
        if found is not None:
            return found
    what = f"the checker {name} is not installed" if name else "there is no checker of proofs here"
    raise NoChecker(what, hint=INSTALL)


def _dratify(name: str) -> ProofChecker | None:
    if importlib.util.find_spec("dratify") is None:
        return None
    module = run_dratify.dratify()
    engine = "native" if name == DRATIFY and module.native_available() else "python"
    version = importlib.metadata.version("dratify")
    if engine == "native":
        version += f" with cdclkit-native {importlib.metadata.version('cdclkit-native')}"

    def check(cnf: str, proof: str, deadline: float | None) -> str:
        if deadline is None:
            return run_dratify.check(cnf, proof, engine)
        command = [sys.executable, "-P", "-m", "hybrid.certificate.run_dratify"]
        ran = _apart(lambda files: [*command, *files, engine], cnf, proof, deadline)
        if ran.returncode:
            return f"the checker fails: {_last_line(ran.stderr)}"
        return ran.stdout.strip()

    return ProofChecker(name, version, check)


def _drat_trim() -> ProofChecker | None:
    program = shutil.which(DRAT_TRIM)
    if program is None:
        return None

    def check(cnf: str, proof: str, deadline: float | None) -> str:
        seconds = str(int(time_left(deadline) or _FOREVER) + 1)
        ran = _apart(lambda files: [program, *files, "-t", seconds], cnf, proof, deadline)
        lines = ran.stdout.split("\n")
        if "s VERIFIED" in lines:
            return ""
        if "s TIMEOUT" in lines:
            raise Stopped
        return f"drat-trim does not verify it: {_last_line(ran.stdout)}"

    return ProofChecker(DRAT_TRIM, "", check)


def _apart(
    command: Callable[[list[str]], list[str]], cnf: str, proof: str, deadline: float | None
) -> subprocess.CompletedProcess[str]:
    """Runs a checker as a process of its own, on files; Stopped when the time is over."""
    with tempfile.TemporaryDirectory(prefix="hybrid-") as folder:
        names = [str(Path(folder, "formula.cnf")), str(Path(folder, "proof.drat"))]
        for name, text in zip(names, (cnf, proof), strict=True):
            Path(name).write_text(text, "ascii")
        try:
            return subprocess.run(
                command(names),
                capture_output=True,
                text=True,
                errors="replace",
                timeout=time_left(deadline),
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise Stopped from None
        except OSError as error:
            raise NoChecker(f"cannot run the checker: {error.strerror}", hint=INSTALL) from None


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return lines[-1] if lines else "it says nothing"
