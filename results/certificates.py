"""Certifies the bundled programs, and those of a corpus with known answers, and re-checks every
certificate; writes a table to certificates.txt (or certificates-corpus.txt) beside this file.

    python results/certificates.py [--corpus FOLDER] [--only PART] [--jobs N] [--seconds S]
                                   [--journal FILE [--table]] [--output FILE]

With a journal, what was done before is not done again; with --table the table is of that alone, and
says how many programs are left.

Each program under each of its models is explored by the engine that hybrid chooses. Every answer
gets a certificate of its verdict, and where there are at most 500 traces a complete one as well.
Seconds are of CPU time, for making and re-checking together, within one process: what Python needs
to start, and the exploration itself, are not in them.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from make import head

from hybrid.api.verify import verify_loaded  # noqa: F401  (loads what explorations need, once)
from hybrid.batch.explore import Explorer, Exploring
from hybrid.batch.models import Models, Unnamed
from hybrid.catalogue.choice import AUTO
from hybrid.certificate.certify import certify
from hybrid.certificate.checkers import find_checker
from hybrid.certificate.make import CertificateOptions, make_certificate
from hybrid.compiled import manner
from hybrid.data import bundled
from hybrid.engine.api import WITNESS
from hybrid.engine.configuration import Configuration
from hybrid.errors import HybridError, Stopped
from hybrid.frontend.find_programs import program_paths
from hybrid.frontend.load import load_program
from hybrid.report.result import Result
from hybrid.time_limit import time_limit

HERE = Path(__file__).resolve().parent
MOST = 500  # traces of a complete certificate
LITMUS = (".litmus", ".prog")  # what counts as litmus-sized
VERDICT, COMPLETE = "verdict", "complete"


@dataclass(frozen=True, slots=True)
class Line:
    group: str
    name: str
    model: str
    answer: str
    kind: str  # of certificate
    seconds: float
    clauses: int
    small: bool  # litmus-sized
    wrong: str = ""


def main() -> int:
    options = _options()
    paths = program_paths([str(options.corpus or bundled("litmus"))])
    paths = [path for path in paths if options.only in str(path)]
    done = _done(options.journal)
    with get_context("spawn").Pool(options.jobs) as pool:
        left = [path for path in paths if str(path) not in done and not options.table]
        work = [(path, options.corpus, options.seconds) for path in left]
        for path, found in pool.imap_unordered(_certified, work):
            done[path] = found
            if options.journal is not None:
                with options.journal.open("a", encoding="utf-8") as journal:
                    print(json.dumps([path, [asdict(line) for line in found]]), file=journal)
    lines = [line for path in paths for line in done.get(str(path), ())]
    text = _text(lines, options)
    missing = [path for path in paths if str(path) not in done]
    if missing:
        folders = Counter(path.parent.name for path in missing)
        told = ", ".join(f"{number} of {name}" for name, number in sorted(folders.items()))
        text += f"{len(missing)} of {len(paths)} programs are not in this table: {told}\n"
    print(text)
    name = options.output or ("certificates-corpus.txt" if options.corpus else "certificates.txt")
    (HERE / name).write_text(text, encoding="utf-8")
    return int(any(line.wrong for line in lines))


def _done(journal: Path | None) -> dict[str, list[Line]]:
    if journal is None or not journal.exists():
        return {}
    read = map(json.loads, journal.read_text(encoding="utf-8").splitlines())
    return {path: [Line(**each) for each in lines] for path, lines in read}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--only", default="", help="programs whose path has this in it")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600.0, help="for each certificate")
    parser.add_argument("--journal", type=Path)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--output")
    return parser.parse_args()


def _certified(work: tuple[Path, Path | None, float]) -> tuple[str, list[Line]]:
    path, corpus, seconds = work
    try:
        return str(path), list(_lines(path, corpus, seconds))
    except HybridError as error:
        lost = Line(path.parent.name, path.stem, "-", "-", "-", 0.0, 0, True, str(error))
        return str(path), [lost]


def _lines(path: Path, corpus: Path | None, seconds: float) -> Iterator[Line]:
    folder = corpus or bundled("litmus")
    program = load_program(path)
    models = Models(None, Unnamed.OWN if corpus else Unnamed.EXPECTED)
    for name in models.names_for(program):
        explorer = Explorer(Exploring(Configuration(AUTO)))
        result = explorer.explore(program, models.load(name), None)
        group = str(path.parent.relative_to(folder))
        line = Line(
            group, path.stem, name, result.answer.value, VERDICT, 0.0, 0, path.suffix in LITMUS
        )
        yield _timed(line, replace(result, equivalence=WITNESS, asked_races=result.races), seconds)
        if result.traces + result.filtered <= MOST:
            yield _timed(replace(line, kind=COMPLETE), result, seconds)


def _timed(line: Line, result: Result, seconds: float) -> Line:
    start = time.process_time()
    clauses, wrong = 0, ""
    try:
        with time_limit(2 * seconds):
            made = make_certificate(result, CertificateOptions())
            done = certify(made.files, line.name)
        wrong = done.refused
        clauses = sum(proof.clauses for proof in done.manifest.proofs)
        if line.kind == COMPLETE and not done.manifest.traces:
            wrong = wrong or "it is not complete"
        if done.manifest.answer is not result.answer:
            wrong = wrong or "it is of another answer"
    except Stopped:
        wrong = f"no time: more than {2 * seconds:.0f} s"
    except (HybridError, MemoryError) as error:
        wrong = str(error) or "out of memory"
    return replace(line, seconds=time.process_time() - start, clauses=clauses, wrong=wrong)


# ---- the table


def _text(lines: list[Line], options: argparse.Namespace) -> str:
    words = ["python", "results/certificates.py"]
    if options.corpus:
        words += ["--corpus", options.corpus.name]
    if options.only:
        words += ["--only", options.only]
    native = "compiled" in manner()
    text = head(words, native, datetime.date.today())
    text += f"proof checker: {find_checker()}\n\n" if lines else ""
    form = "{:<21}{:<10}{:>7}{:>9}{:>9}{:>9}{:>12}{:>8}\n"
    text += form.format(
        "Group", "Kind", "Number", "By proof", "Median", "Slowest", "Clauses", "Wrong"
    )
    for group in sorted({line.group for line in lines}):
        for kind in (VERDICT, COMPLETE):
            text += _row(form, group, [x for x in lines if (x.group, x.kind) == (group, kind)])
    text += _row(form, "all", [x for x in lines if x.kind == VERDICT])
    text += _row(form, "all", [x for x in lines if x.kind == COMPLETE])
    text += "\n" + _answers(lines)
    text += "\nThe slowest:\n"
    for line in sorted(lines, key=lambda line: -line.seconds)[:12]:
        text += f"  {line.seconds:8.2f} s  {line.kind:<9} {line.answer:<10} {_named(line)}\n"
    wrong = [line for line in lines if line.wrong]
    text += f"\n{len(lines)} certificates, {len(wrong)} wrong, refused or not made\n"
    for line in wrong:
        text += f"  {_named(line)}, {line.kind}: {line.wrong}\n"
    return text


def _named(line: Line) -> str:
    return f"{line.group}/{line.name} under {line.model}, {line.clauses} clauses"


def _row(form: str, group: str, lines: list[Line]) -> str:
    if not lines:
        return ""
    times = [line.seconds for line in lines]
    return form.format(
        group,
        lines[0].kind,
        len(lines),
        sum(line.clauses > 0 for line in lines),
        f"{median(times):.2f} s",
        f"{max(times):.2f} s",
        max(line.clauses for line in lines),
        sum(bool(line.wrong) for line in lines),
    )


def _answers(lines: list[Line]) -> str:
    """FORBIDDEN and HOLDS by themselves, for they are by proof alone."""
    text = ""
    verdicts = [line for line in lines if line.kind == VERDICT]
    for answer, number in sorted(Counter(line.answer for line in verdicts).items()):
        found = [line for line in verdicts if line.answer == answer]
        times = [line.seconds for line in found]
        small = [line.seconds for line in found if line.small] or [0.0]
        valid = sum(not line.wrong for line in found)
        text += (
            f"{answer:<13}{valid:>5} of {number} valid; median {median(times):.2f} s, slowest "
            f"{max(times):.2f} s, of litmus tests {max(small):.2f} s\n"
        )
    return text


if __name__ == "__main__":
    sys.exit(main())
