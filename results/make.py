"""Runs the commands behind the tables in this folder and writes each output to its file, headed by
the command. Tables of time say themselves whether the kernel was interpreted or compiled."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# (file, whether with the compiled kernel, arguments)
TABLES = [
    ("rsmc.txt", False, ["bench", "rsmc", "--repeat", "3"]),
    ("oracles.txt", False, ["bench", "oracles"]),
    ("trust.txt", False, ["bench", "trust", "--repeat", "2"]),
    ("parallel.txt", False, ["bench", "parallel"]),
    ("rsmc-compiled.txt", True, ["bench", "rsmc", "--repeat", "3"]),
    ("trust-compiled.txt", True, ["bench", "trust", "--repeat", "2"]),
    ("bundle.txt", False, ["verify"]),
]


def main(interpreted: str, compiled: str) -> int:
    here = Path(__file__).resolve().parent
    for name, native, arguments in TABLES:
        command = ["hybrid", *arguments]
        print(" ".join(command), flush=True)
        hybrid = compiled if native else interpreted
        done = subprocess.run([hybrid, *arguments], capture_output=True, text=True, check=False)
        text = f"$ {' '.join(command)}\n{done.stdout}"
        if done.returncode:
            print(done.stderr, file=sys.stderr)
            return done.returncode
        (here / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
