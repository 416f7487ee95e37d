"""Makes an `expected.csv`: every test is run by every engine under the model of its architecture,
and gets a row when all find the same traces."""

from __future__ import annotations

import csv
import io
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from hybrid.batch.expected import COLUMNS, NAME
from hybrid.batch.pool import Pool
from hybrid.bmc.entry import BMC
from hybrid.catalogue.engines import make
from hybrid.catalogue.spelling import parse_configuration, parse_configurations
from hybrid.crosscheck.compare import crosscheck
from hybrid.engine.api import Limits
from hybrid.engine.enumerate.entry import ENUMERATE
from hybrid.engine.rsmc.entry import RSMC
from hybrid.errors import InputError
from hybrid.frontend.load import default_model, load_program
from hybrid.model.load import load_model
from hybrid.report.herd import KINDS
from hybrid.report.output import write_file
from hybrid.report.summary import summarise
from hybrid.verdict import Verdict, worst

# those of them that take the model; the first writes the row
ENGINES = ",".join([ENUMERATE.name, RSMC.name, *(f"{BMC.name}:{solver}" for solver in BMC.oracles)])
LEAST = 3  # of them must: bmc takes every model


@dataclass(frozen=True, slots=True)
class Answer:
    file: str
    cells: tuple[str, ...] = ()  # of COLUMNS; empty: there is no answer
    complaint: str = ""
    verdict: Verdict = Verdict.HOLDS
    engines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asker:
    """Answers one test; the same in this process and in a worker."""

    seconds: float | None

    def __call__(self, path: Path) -> Answer:
        try:
            return self._ask(path)
        except InputError as error:
            return Answer(path.name, (), error.render(), Verdict.ERROR)

    def _ask(self, path: Path) -> Answer:
        program = load_program(path)
        name = default_model(program)
        if name is None or program.condition is None:
            raise InputError(
                f"{path}: no architecture, or no final condition, that could be answered"
            )
        model = load_model(name)
        found = crosscheck(
            program, model, parse_configurations(ENGINES), Limits(), seconds=self.seconds
        )
        engines = tuple(finding.name for finding in found.findings)
        if found.differences:
            text = "; ".join(map(str, found.differences))
            return Answer(path.name, (), f"{path.name}: {text}", Verdict.DISAGREE, engines)
        if found.open or len(engines) < LEAST:
            text = "; ".join(found.open) or f"only {' and '.join(engines)} ran"
            return Answer(path.name, (), f"{path.name}: {text}", Verdict.INCONCLUSIVE, engines)
        result = summarise(program, model, make(parse_configuration(engines[0])), Limits())
        cells = (
            KINDS[program.condition.quantifier],
            result.observation or "",
            str(result.satisfying),
            str(result.negative),
            str(len(result.outcomes)),
        )
        return Answer(path.name, cells, "", Verdict.HOLDS, engines)


def write_answers(folder: Path, paths: list[Path], seconds: float | None, jobs: int) -> int:
    """Writes the table of the tests in a folder. A test on which engines disagree, or which not all
    of them finished, has no row, and the exit code tells."""
    start = time.monotonic()
    asker = Asker(seconds)
    answers: list[Answer] = []
    if jobs == 1:
        answers = [_told(asker(path)) for path in paths]
    else:
        pool = Pool(
            paths,
            asker,
            lambda path, why: Answer(path.name, (), f"{path.name}: {why}", Verdict.INCONCLUSIVE),
            jobs,
        )
        answers = [_told(answer) for _, answer in pool.results()]
        if pool.interrupted:
            raise KeyboardInterrupt
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["file", *COLUMNS])
    rows = [answer for answer in answers if answer.cells]
    writer.writerows([answer.file, *answer.cells] for answer in sorted(rows, key=lambda a: a.file))
    write_file(str(folder / NAME), text.getvalue())
    engines = ", ".join(dict.fromkeys(name for answer in answers for name in answer.engines))
    print(
        f"{len(rows)} of {len(answers)} tests answered alike by {engines} "
        f"in {time.monotonic() - start:.1f} s: {folder / NAME}"
    )
    return worst([answer.verdict for answer in answers])


def _told(answer: Answer) -> Answer:
    if answer.complaint:
        print(answer.complaint, file=sys.stderr)
    return answer
