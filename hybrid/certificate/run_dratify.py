"""Has a proof checked by dratify, of PyPI. Also a program of its own, so that it can be stopped:

    python -m hybrid.certificate.run_dratify CNF PROOF ENGINE

prints a line: empty if the proof is right, else what is wrong with it.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from pathlib import Path
from typing import Any


def dratify() -> Any:
    """The module, with its fast engine if that is installed (`cdclkit[native]`, which registers
    it)."""
    with contextlib.suppress(ImportError):
        importlib.import_module("cdclkit.native")
    return importlib.import_module("dratify")


def check(cnf: str, proof: str, engine: str) -> str:
    """Empty if the proof is right, else what is wrong with it."""
    checker = dratify()
    try:
        formula = checker.parse_dimacs(cnf, strict=True)
        found = checker.check_proof(formula, proof, engine=engine)
    except (ValueError, OverflowError, MemoryError) as error:
        return f"{type(error).__name__}: {error}"
    return "" if found.ok else f"{found.reason} (step {found.failed_step} of the proof)"


def main(arguments: list[str]) -> int:
    cnf, proof, engine = arguments
    print(check(Path(cnf).read_text("ascii"), Path(proof).read_text("ascii"), engine))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
