"""Runs the commands behind the tables in this folder and writes each output to its file, headed by
the command, the machine, the kernel and the date.

    python results/make.py HYBRID COMPILED-HYBRID [FOLDER [TABLE…]]

FOLDER is where the tables go, by default this one; TABLE is one of these files, by default all are
made. Nothing else should run meanwhile.
"""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

# (file, whether with the compiled kernel, arguments)
TABLES = [
    ("rsmc.txt", False, ["bench", "rsmc", "--repeat", "3"]),
    ("oracles.txt", False, ["bench", "oracles"]),
    ("trust.txt", False, ["bench", "trust"]),
    ("odpor.txt", False, ["bench", "odpor"]),
    ("parallel.txt", False, ["bench", "parallel"]),
    ("oracles-compiled.txt", True, ["bench", "oracles"]),
    ("rsmc-compiled.txt", True, ["bench", "rsmc", "--repeat", "3"]),
    ("trust-compiled.txt", True, ["bench", "trust"]),
    ("odpor-compiled.txt", True, ["bench", "odpor"]),
    ("bundle.txt", False, ["verify"]),
]

ROOT = Path(__file__).resolve().parent.parent


def processor() -> str:
    """The processor's name, as far as the system tells."""
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def head(command: list[str], native: bool, date: datetime.date) -> str:
    """The lines above a table."""
    kernel = "compiled" if native else "interpreted"
    machine = f"{processor()}, {os.cpu_count()} cores, {platform.system()}"
    return (
        f"$ {' '.join(command)}\n"
        f"machine: {machine}, Python {platform.python_version()}\n"
        f"kernel: {kernel}\n"
        f"date: {date.isoformat()}\n\n"
    )


def is_compiled(hybrid: str) -> bool:
    """Which kernel a hybrid has, by its own word."""
    done = subprocess.run([hybrid, "--version"], capture_output=True, text=True, check=False)
    return "(compiled)" in done.stdout


def main(interpreted: str, compiled: str, folder: Path, only: Sequence[str] = ()) -> int:
    for name, native, arguments in TABLES:
        if only and name not in only:
            continue
        command = ["hybrid", *arguments]
        print(" ".join(command), flush=True)
        hybrid = compiled if native else interpreted
        done = subprocess.run(
            [hybrid, *arguments], capture_output=True, text=True, check=False, cwd=ROOT
        )
        if done.returncode:
            print(done.stderr, file=sys.stderr)
            return done.returncode
        text = head(command, native, datetime.date.today()) + done.stdout
        (folder / name).write_text(text.replace(f"{ROOT}/", ""), encoding="utf-8")
    return 0


if __name__ == "__main__":
    target = Path(sys.argv[3]) if len(sys.argv) > 3 else Path(__file__).resolve().parent
    kernels = [os.path.abspath(path) for path in sys.argv[1:3]]
    sys.exit(main(kernels[0], kernels[1], target, sys.argv[4:]))
