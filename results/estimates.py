"""Runs programs whose numbers of executions are known up to 1 % of these, as `--limit` allows, and
writes estimates.txt: what was estimated by then, beside the known number.

    python results/estimates.py HYBRID [-o FILE] [--timeout SECONDS] [--seed N] [-j N]

The numbers are those of formulas, proved or seen to hold for smaller sizes, which were explored to
their end. Sizes are such that 1 % of the run takes some seconds with the interpreted kernel:
shorter runs make no estimate. An estimate is good if it is within a factor of 3.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import runpy
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb, factorial, prod
from pathlib import Path

from hybrid.frontend.generators import generate

RESULTS = Path(__file__).resolve().parent
ROOT = RESULTS.parent
PROGRAMS = "litmus/programs/"
FACTOR = 3.0
WIDTHS = (26, 3, 6, 6, 12, 12, 28, 7, 8, 8)


@dataclass(frozen=True, slots=True)
class Known:
    """A program with a known number of executions; `name` is a generator's or a file's."""

    name: str
    size: int
    model: str
    number: int
    engine: str = ""  # empty: as hybrid chooses


KNOWN = [
    Known("lastzero", 20, "sc", 23 * 2**18),
    Known("lastzero-ordered", 18, "rc11", 21 * 2**16),
    Known("exp-mem", 9, "sc", 2 * factorial(9)),
    Known("lastzero", 17, "power", 18 * 2**16),
    Known("fib", 7, "rc11", comb(14, 7) ** 2 - comb(14, 8) ** 2),
    Known("fib-bench", 6, "sc", 2_364_418),
    Known("fig11", 12, "power", comb(24, 12) + 3),
    Known("trust/lastzero-5.c", 18, "rc20", 21 * 2**16),
    Known("trust/exp-mem-4.c", 9, "rc20", 2 * factorial(9), "rsmc"),
    Known("trust/exp-mem2-3.c", 5, "rc20", (7 * factorial(5)) ** 2, "rsmc"),
    Known("awaits/ttaslock-3.c", 6, "sc", factorial(6) ** 2),
    Known("dpor/readers-8.c", 21, "rc20", 2**21),
    Known("dpor/writers-5.c", 10, "sc", 11 * factorial(10)),
    Known("dpor/writers-5.c", 9, "rc20", 10 * factorial(9)),
    Known("dpor/counter-5.c", 10, "sc", factorial(10)),
    Known("dpor/counters-4.c", 6, "rc20", factorial(6) ** 2),
    Known("dpor/sigma-5.c", 8, "sc", prod(range(1, 16, 2))),
    Known("dpor/indexer-12.c", 17, "rc20", 8**6),
    Known("power/fib_true_join-3.c", 6, "power", comb(12, 6) ** 2 - comb(12, 7) ** 2),
    Known("power/sb-w-5.c", 12, "power", comb(24, 12) + 3),
]


def line(*cells: str) -> str:
    padded = (f"{cell:<{width}}" for cell, width in zip(cells, WIDTHS, strict=True))
    return " ".join(padded).rstrip()


def explored(hybrid: str, known: Known, seconds: float, seed: int) -> dict[str, object]:
    """What hybrid says after 1 % of the executions."""
    limit = max(known.number // 100, 1)
    command = [hybrid, "verify", "--model", known.model, "--json", "--limit", str(limit)]
    command += ["--timeout", str(seconds), "--seed", str(seed)]
    command += ["--engine", known.engine] if known.engine else []
    with tempfile.TemporaryDirectory() as folder:
        if known.name.endswith(".c"):
            command += [PROGRAMS + known.name, "--", f"-DN={known.size}"]
        else:
            path = Path(folder) / "program.prog"
            path.write_text(generate(known.name, known.size), encoding="utf-8")
            command.append(str(path))
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if not done.stdout:
        return {"error": done.stderr.strip().splitlines()[-1]}
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def row(known: Known, answer: dict[str, object]) -> tuple[str, bool, bool]:
    """A line of the table; whether the estimate is within the factor, and the interval right."""
    engine, stated = str(answer.get("engine", "-")), f"{known.number:,}"
    first = (known.name, str(known.size), known.model, engine, stated)
    estimate = answer.get("estimate")
    if not isinstance(estimate, dict):
        why = str(answer.get("error") or "no estimate")
        return line(*first, why, "", "", "", ""), False, False
    number, low, high = estimate["executions"], estimate["low"], estimate["high"]
    ratio = number / known.number
    good = 1 / FACTOR <= ratio <= FACTOR
    inside = low <= known.number <= high
    seconds = answer["seconds"]
    assert isinstance(seconds, float)
    cells = (
        f"{number:,}",
        f"{low:,} to {high:,}",
        f"{ratio:.2f}",
        f"{100 * estimate['explored'] / known.number:.2f} %",
        f"{seconds:.1f} s",
    )
    return line(*first, *cells), good, inside


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("hybrid")
    parser.add_argument("-o", dest="output", default=str(RESULTS / "estimates.txt"))
    parser.add_argument("--timeout", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-j", dest="jobs", type=int, default=1)
    given = parser.parse_args(arguments)
    hybrid = os.path.abspath(given.hybrid)
    make = runpy.run_path(str(RESULTS / "make.py"))
    command = ["python", "results/estimates.py", "hybrid", "--seed", str(given.seed)]
    command += ["-j", str(given.jobs)] if given.jobs > 1 else []
    titles = ("program", "N", "model", "engine", "executions", "estimate", "90 % interval")
    good = inside = 0
    with open(given.output, "w", encoding="utf-8") as file:
        file.write(make["head"](command, make["is_compiled"](hybrid), datetime.date.today()))

        def write(text: str) -> None:
            print(text, flush=True)
            file.write(f"{text}\n")
            file.flush()

        write(line(*titles, "ratio", "explored", "time"))
        with ThreadPoolExecutor(given.jobs) as pool:
            work = [pool.submit(explored, hybrid, k, given.timeout, given.seed) for k in KNOWN]
            for known, answer in zip(KNOWN, work, strict=True):
                text, within, right = row(known, answer.result())
                good += within
                inside += right
                write(text)
        write(f"\nwithin a factor of {FACTOR:g}: {good} of {len(KNOWN)}")
        write(f"known number in the 90 % interval: {inside} of {len(KNOWN)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
