"""Measures the kernel on the programs of `hybrid bench kernel` and writes kernel.txt, kernel.csv
and kernel.svg, and table1.txt: Table 1 of Kokologiannakis, Marmanis, Gladstein, Vafeiadis, "Truly
stateless, optimal dynamic partial order reduction" (POPL 2022), beside what is found here.

    python results/kernel_tables.py COMPILED-HYBRID [--limit SECONDS] [--table-limit SECONDS]
        [--generated PROGRAMS] [--folder FOLDER]

Nothing else should run meanwhile.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from make import ROOT, head, is_compiled

# TruSt's column: executions, MB, seconds
TABLE_1 = {
    "lastzero(10)": (3_328, 47, 0),
    "lastzero(15)": (147_456, 47, 11),
    "lastzero(20)": (6_029_312, 47, 557),
    "exp-mem(7)": (10_080, 46, 1),
    "exp-mem(8)": (80_640, 46, 10),
    "exp-mem(9)": (725_760, 46, 103),
    "exp-mem2(4)": (20_736, 46, 1),
    "exp-mem2(5)": (705_600, 46, 52),
    "exp-mem2(6)": (33_177_600, 46, 2_757),
}


def run(hybrid: str, command: list[str]) -> str:
    print("hybrid", *command, flush=True)
    done = subprocess.run([hybrid, *command], capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        sys.exit(done.stderr + done.stdout)
    return done.stdout


def kernel(hybrid: str, asked: argparse.Namespace, folder: Path) -> None:
    """The table, the numbers and the drawing."""
    said = ["bench", "kernel", "--repeat", "3", "--limit", f"{asked.limit:g}"]
    said += ["--generated", asked.generated] if asked.generated else []
    files = ["--csv", str(folder / "kernel.csv"), "--plot", str(folder / "kernel.svg")]
    shown = [*said, "--csv", "results/kernel.csv", "--plot", "results/kernel.svg"]
    text = run(hybrid, [*said, *files])
    told = head(["hybrid", *shown], is_compiled(hybrid), datetime.date.today())
    (folder / "kernel.txt").write_text(told + text, encoding="utf-8")


def table_1(hybrid: str, limit: float, folder: Path) -> None:
    said = ["bench", "kernel", "--generated", ",".join(TABLE_1), "--model", "sc"]
    said += ["--limit", f"{limit:g}"]
    with tempfile.TemporaryDirectory() as place:
        numbers = Path(place) / "table1.csv"
        run(hybrid, [*said, "--csv", str(numbers)])
        with numbers.open(encoding="utf-8", newline="") as lines:
            _, *rows = csv.DictReader(lines)  # the first is the yardstick
    found = {f"{row['program']}({row['size']})": row for row in rows}
    lines = [
        f"under sc, by trust, at most {limit:g} s of processor time each; +: that was not enough",
        "",
        f"{'':<14} {'TruSt in the paper':^29} {'here':^40}",
        f"{'program':<14} {'executions':>12} {'MB':>6} {'seconds':>9} {'executions':>12} {'MB':>6} "
        f"{'seconds':>9} {'µs each':>10}",
    ]
    for program, (executions, megabytes, seconds) in TABLE_1.items():
        row = found.get(program)
        ours = f"{'not begun':>12}"
        if row is not None:
            sign = "" if row["finished"] == "yes" else "+"
            number = f"{int(row['executions']):,}{sign}"
            memory = int(row["peak_kilobytes"]) / 1024
            ours = (
                f"{number:>12} {memory:>6.1f} {float(row['seconds']):>9.2f} "
                f"{float(row['microseconds']):>10.1f}"
            )
            if not sign and int(row["executions"]) != executions:
                sys.exit(f"{program}: {row['executions']} executions, the paper has {executions}")
        lines.append(f"{program:<14} {executions:>12,} {megabytes:>6} {seconds:>9,} {ours}")
    told = head(["hybrid", *said], is_compiled(hybrid), datetime.date.today())
    (folder / "table1.txt").write_text(told + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("hybrid", metavar="COMPILED-HYBRID")
    parser.add_argument("--limit", type=float, default=10.0)
    parser.add_argument("--table-limit", type=float, default=60.0)
    parser.add_argument("--generated")
    parser.add_argument("--folder", type=Path, default=Path(__file__).resolve().parent)
    asked = parser.parse_args()
    binary = os.path.abspath(asked.hybrid)
    target = asked.folder.resolve()
    kernel(binary, asked, target)
    table_1(binary, asked.table_limit, target)
