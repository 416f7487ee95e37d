"""Runs programs of litmus/programs whose numbers of executions are known, also in sizes too
large for the bundle, and writes c-counts.txt: what the literature or a formula says, and what each
of two engines finds, and in which time.

    python results/c_counts.py HYBRID [-o FILE] [--timeout SECONDS]

Nothing else should run meanwhile.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import runpy
import subprocess
import sys
from collections.abc import Iterator
from math import comb, factorial
from pathlib import Path

RESULTS = Path(__file__).resolve().parent
ROOT = RESULTS.parent
SC, RC20, POWER = "sc", "rc20", "power"
ENGINES = {SC: ("rsmc", "trust"), RC20: ("rsmc", "trust"), POWER: ("rsmc", "bmc:sat")}
BOTH = (SC, RC20)

# (program, N, models, executions)
COUNTS = [
    ("trust/lastzero-5.c", 5, BOTH, 64),
    ("trust/lastzero-5.c", 10, BOTH, 3_328),
    ("trust/exp-mem-4.c", 7, BOTH, 10_080),
    ("trust/exp-mem2-3.c", 4, BOTH, 20_736),
    ("dpor/readers-8.c", 10, BOTH, 2**10),
    ("dpor/writers-5.c", 6, BOTH, 7 * factorial(6)),
    ("dpor/counter-5.c", 6, BOTH, factorial(6)),
    ("dpor/counters-4.c", 4, BOTH, factorial(4) ** 2),
    ("dpor/sigma-5.c", 6, BOTH, 10_395),
    ("dpor/indexer-12.c", 12, (*BOTH, POWER), 8),
    ("dpor/indexer-12.c", 13, (*BOTH, POWER), 64),
    ("dpor/fib_bench-3.c", 4, BOTH, 19_605),
    ("power/fib_true_join-3.c", 5, (POWER,), comb(10, 5) ** 2 - comb(10, 6) ** 2),
    ("power/sb-w-5.c", 7, (POWER,), comb(14, 7) + 3),
    ("power/sb-w-10-fences.c", 10, (POWER,), 3),
]
WIDTHS = (26, 3, 6, 10, 24, 24)


def line(*cells: str) -> str:
    padded = (f"{cell:<{width}}" for cell, width in zip(cells, WIDTHS, strict=True))
    return " ".join(padded).rstrip()


def found(hybrid: str, path: str, size: int, model: str, engine: str, seconds: float) -> str:
    """What an engine finds."""
    name, _, oracle = engine.partition(":")
    command = [hybrid, "verify", f"litmus/programs/{path}", "--model", model, "--json"]
    command += ["--engine", name, *(["--oracle", oracle] if oracle else [])]
    command += ["--timeout", str(seconds), "--", f"-DN={size}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if not done.stdout:
        return f"{engine}: {done.stderr.strip().splitlines()[-1]}"
    answer = json.loads(done.stdout)
    number = f"more than {answer['traces']:,}" if answer["partial"] else f"{answer['traces']:,}"
    cut = "+" if answer["cut"] else ""
    return f"{engine} {number}{cut}, {answer['seconds']:.1f} s"


def rows(hybrid: str, seconds: float) -> Iterator[str]:
    yield line("program", "N", "model", "stated", "", "")
    for path, size, models, number in COUNTS:
        for model in models:
            cells = [found(hybrid, path, size, model, each, seconds) for each in ENGINES[model]]
            yield line(path, str(size), model, f"{number:,}", *cells)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("hybrid")
    parser.add_argument("-o", dest="output", default=str(RESULTS / "c-counts.txt"))
    parser.add_argument("--timeout", type=float, default=300.0)
    given = parser.parse_args(arguments)
    make = runpy.run_path(str(RESULTS / "make.py"))
    command = ["python", "results/c_counts.py", "hybrid", "--timeout", f"{given.timeout:g}"]
    with open(given.output, "w", encoding="utf-8") as file:
        file.write(make["head"](command, make["is_compiled"](given.hybrid), datetime.date.today()))
        for text in rows(os.path.abspath(given.hybrid), given.timeout):
            print(text, flush=True)
            file.write(f"{text}\n")
            file.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
