"""Runs the commands behind the tables in this folder and writes each output to its file, headed by the command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TABLES = {
    "rsmc.txt": ["bench", "rsmc", "--repeat", "3"],
    "oracles.txt": ["bench", "oracles"],
    "trust.txt": ["bench", "trust"],
    "parallel.txt": ["bench", "parallel"],
    "bundle.txt": ["verify"],
}


def main(hybrid: str) -> int:
    here = Path(__file__).resolve().parent
    for name, arguments in TABLES.items():
        command = ["hybrid", *arguments]
        print(" ".join(command), flush=True)
        done = subprocess.run([hybrid, *arguments], capture_output=True, text=True, check=False)
        text = f"$ {' '.join(command)}\n{done.stdout}"
        if done.returncode:
            print(done.stderr, file=sys.stderr)
            return done.returncode
        (here / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
