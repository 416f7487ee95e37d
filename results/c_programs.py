"""Compares the engines on the bundled C programs and writes c-programs.txt: for each program and
each model that it has expectations for, the number of traces by each engine, its time, and whether
all that finished agree.

    python results/c_programs.py HYBRID [-o FILE] [--timeout SECONDS] [PROGRAM …]
    python results/c_programs.py HYBRID --restate [--engines NAME,…] [PROGRAM …]
    python results/c_programs.py HYBRID --readme

Without PROGRAM all that are in litmus/programs. Nothing else should run meanwhile. With --restate
the expectations in the programs become what was found, wherever two engines at least have finished
and all agree; what is left as it was is told. The columns `found` in litmus/programs/README.md are
then made from the expectations; --readme does that alone.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parent
ROOT = RESULTS.parent
PROGRAMS = Path("litmus") / "programs"
SUFFIXES = (".c", ".cpp")
ENGINES = ("rsmc", "trust", "stateful", "enumerate", "bmc:sat")
LATE, REFUSED = "late", "-"  # in place of a number: not finished, not for this program
WIDTHS = (32, 6, *(15 for _ in ENGINES), 5)
EXPECT = "//@ expect "
LINE = 100  # characters


def programs() -> list[str]:
    """All bundled C programs, from the root."""
    found = (path for path in (ROOT / PROGRAMS).rglob("*") if path.suffix in SUFFIXES)
    return sorted(str(path.relative_to(ROOT)) for path in found)


def models_of(path: str) -> list[str]:
    """Those that the program has expectations for, in their order."""
    text = (ROOT / path).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith(EXPECT)]
    return re.findall(r"(\w+):", " ".join(lines))


def line(*cells: str) -> str:
    padded = (f"{cell:<{width}}" for cell, width in zip(cells, WIDTHS, strict=True))
    return " ".join(padded).rstrip()


def cell(found: dict[str, Any] | None) -> str:
    """What one engine found, and in how many seconds."""
    if found is None:
        return REFUSED
    number = found["traces"]
    text = LATE if found["unfinished"] else f"{number:,}" + ("+" if found["cut"] else "")
    return f"{text} {found['seconds']:.1f} s"


def finished(answer: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for each in answer["configurations"] if not each["unfinished"]]


def agree(answer: dict[str, Any]) -> str:
    """Whether they do, if there is anything to compare."""
    if answer["differences"]:
        return "NO"
    number = len(finished(answer))
    return "yes" if number > 1 else "alone" if number else "none"


def row(path: str, model: str, answer: dict[str, Any]) -> str:
    configurations = {each["name"]: each for each in answer["configurations"]}
    return line(
        "/".join(Path(path).parts[-2:]),
        model,
        *(cell(configurations.get(name)) for name in ENGINES),
        agree(answer),
    )


def asked(hybrid: str, verb: str, path: str, model: str, *more: str) -> tuple[Any, str]:
    """What hybrid answers of a program under a model, None if it does not; and what it says
    then."""
    command = [hybrid, verb, path, "--model", model, "--json", *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    answers = [json.loads(text) for text in done.stdout.splitlines()]
    if len(answers) == 1 and ("configurations" in answers[0] or verb == "verify"):
        return answers[0], ""
    said = done.stderr.strip() or f"exit code {done.returncode}"
    return None, said.splitlines()[-1]


def compared(hybrid: str, path: str, model: str, seconds: float, engines: str) -> tuple[Any, str]:
    options = ("--engines", engines, "--no-shrink", "--timeout", str(seconds))
    return asked(hybrid, "crosscheck", path, model, *options)


def rows(hybrid: str, paths: list[str], seconds: float) -> Iterator[str]:
    """The lines of the table, as they are made."""
    yield line("program", "model", *ENGINES, "agree")
    for path in paths:
        for model in models_of(path):
            answer, said = compared(hybrid, path, model, seconds, ",".join(ENGINES))
            yield f"{path} {model}: {said}" if answer is None else row(path, model, answer)


def table(hybrid: str, paths: list[str], seconds: float, output: str) -> int:
    make = runpy.run_path(str(RESULTS / "make.py"))
    command = ["python", "results/c_programs.py", "hybrid", "--timeout", f"{seconds:g}"]
    wrong = False
    with open(output, "w", encoding="utf-8") as file:
        file.write(make["head"](command, make["is_compiled"](hybrid), datetime.date.today()))
        for text in rows(hybrid, paths, seconds):
            wrong = wrong or text.endswith(" NO")
            print(text, flush=True)
            file.write(f"{text}\n")
            file.flush()
    return int(wrong)


# ---- expectations


def stated(expectations: dict[str, str]) -> list[str]:
    """The lines that say them."""
    lines: list[str] = []
    for model, what in expectations.items():
        more = f"{model}: {what}"
        if lines and len(lines[-1]) + len(more) + 2 <= LINE:
            lines[-1] += f", {more}"
        else:
            lines.append(EXPECT + more)
    return lines


def expectations_in(text: str) -> dict[str, str]:
    lines = [each[len(EXPECT) :] for each in text.splitlines() if each.startswith(EXPECT)]
    parts = [part.partition(": ") for part in ", ".join(lines).split(", ") if part]
    return {model: what for model, _, what in parts}


def with_expectations(text: str, expectations: dict[str, str]) -> str:
    """The program with these in place of its own, where the first of them stood."""
    lines = text.splitlines()
    places = [at for at, each in enumerate(lines) if each.startswith(EXPECT)]
    kept = [each for each in lines if not each.startswith(EXPECT)]
    kept[places[0] : places[0]] = stated(expectations)
    return "\n".join(kept) + "\n"


def restate(hybrid: str, paths: list[str], seconds: float, engines: str) -> int:
    """Tells what changes, and what cannot be said; 1 if something cannot."""
    open_ = False
    for path in paths:
        text = (ROOT / path).read_text(encoding="utf-8")
        before = expectations_in(text)
        after = dict(before)
        for model in before:
            answer, said = compared(hybrid, path, model, seconds, engines)
            if answer is None or agree(answer) != "yes":
                open_ = True
                print(f"{path} {model}: {said or agree(answer)}", flush=True)
                continue
            engine = finished(answer)[0]
            by = engine["name"].partition(":")[0]
            result, _ = asked(hybrid, "verify", path, model, "--engine", by)
            after[model] = f"{result['answer']} {engine['traces']} traces"
        if after != before:
            (ROOT / path).write_text(with_expectations(text, after), encoding="utf-8")
            print(f"{path}: {'; '.join(stated(after))}", flush=True)
    refresh()
    return int(open_)


# ---- the README

MARKS = {"BOUNDED": "+", "VIOLATED": "*"}
FOUND = "found"  # the heading of a column
FIRST_MODELS = ("sc", "rc20", "power")


def numbers(path: Path) -> str:
    """What a program expects: numbers of traces, each with its models unless it is that of all."""
    expectations = expectations_in(path.read_text(encoding="utf-8"))
    order = [each for each in FIRST_MODELS if each in expectations]
    order += [each for each in expectations if each not in order]
    models: dict[str, list[str]] = {}
    for model in order:
        verdict, number, _ = expectations[model].split()
        models.setdefault(f"{int(number):,}{MARKS.get(verdict, '')}", []).append(model)
    if len(models) == 1:
        return next(iter(models))
    return ", ".join(f"{' '.join(each)} {number}" for number, each in models.items())


def family(folder: Path, name: str) -> str:
    """The same of the programs NAME.c, NAME-SIZE.c and NAME-fences.c."""
    bare = name.partition("(")[0].strip()
    pattern = re.compile(rf"{re.escape(bare)}(?:-([0-9]+))?(-fences)?\.c")
    parts = []
    for path in sorted(folder.glob("*.c"), key=lambda each: (len(each.name), each.name)):
        match = pattern.fullmatch(path.name)
        if match:
            label = " ".join(filter(None, (match[1], match[2] and "fences")))
            parts.append(f"{label}: {numbers(path)}" if label else numbers(path))
    return "; ".join(parts)


def refreshed(text: str, root: Path) -> str:
    """The README with the columns `found` as the programs below `root` have it. A table belongs to
    the folder that its section is named after; a row is that of the program in its first cell."""
    lines: list[str] = []
    folder, column = root, -1
    for each in text.splitlines():
        cells = [cell.strip() for cell in each.split("|")]
        heading = re.match(r"## (\w+)/", each)
        if heading:
            folder = root / heading[1]
        if not each.startswith("|"):
            column = -1
        elif FOUND in cells:
            column = cells.index(FOUND)
        elif column > 0 and not cells[1].startswith("---"):
            cells[column] = family(folder, cells[1])
            each = " | ".join(cells).strip()
        lines.append(each)
    return "\n".join(lines) + "\n"


def refresh() -> int:
    path = ROOT / PROGRAMS / "README.md"
    text = refreshed(path.read_text(encoding="utf-8"), path.parent)
    path.write_text(text, encoding="utf-8")
    return 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("hybrid")
    parser.add_argument("programs", nargs="*")
    parser.add_argument("-o", dest="output", default=str(RESULTS / "c-programs.txt"))
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--restate", action="store_true")
    parser.add_argument("--readme", action="store_true")
    parser.add_argument("--engines", default=",".join(ENGINES))
    given = parser.parse_intermixed_args(arguments)
    hybrid, paths = os.path.abspath(given.hybrid), given.programs or programs()
    if given.readme:
        return refresh()
    if given.restate:
        return restate(hybrid, paths, given.timeout, given.engines)
    return table(hybrid, paths, given.timeout, given.output)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
