"""What a batch comes to: how its tests ended, each difference from a known answer by name, and what
was not compared."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hybrid.batch.done import BUG, FAULTY, TIMED_OUT, UNFINISHED, UNSUPPORTED, Done
from hybrid.batch.expected import ExpectedTable
from hybrid.files import real
from hybrid.printable import joined, number_of
from hybrid.report.groups import group_table
from hybrid.report.row import batch_line
from hybrid.verdict import Verdict, worst_code

# How a test without an answer is counted, and the word for it.
WITHOUT_ANSWER = {
    TIMED_OUT: "timed out",
    UNFINISHED: "not finished",
    UNSUPPORTED: "unsupported",
    FAULTY: "errors",
    BUG: "internal errors",
}
ALWAYS = (TIMED_OUT, UNSUPPORTED, FAULTY)  # told even when there are none
MISSING = Verdict.INCONCLUSIVE.exit_code  # a row without a file, or a test not run: no answer


def summary_text(
    results: list[Done], tables: tuple[ExpectedTable, ...], paths: list[Path], seconds: float
) -> str:
    """The last lines of a batch: one paragraph per table of known answers, then one for tests that
    no table speaks of."""
    lines: list[str] = []
    for table in tables:
        own = [done for done in results if done.table == str(table.path)]
        lines += _against(table, own, paths if table.whole else None, sum_of(own))
    others = [done for done in results if not done.table]
    alone = len(others) == len(results)  # their time is that of the batch
    if others or not tables:
        taken = seconds if alone else sum_of(others)
        lines.append(batch_line((done.row for done in others), taken).rstrip("\n"))
        refused = [done for done in others if done.end == UNSUPPORTED]
        if refused:
            lines.append(f"  unsupported: {_names(refused)}")
    lines += _unused(results, tables)
    if tables and not (others and alone):
        noun = "run" if others else "test"  # a program may run under several models
        lines.append(f"{number_of(len(results), noun)} in {seconds:.2f} s")
    return joined(lines)


def _unused(results: list[Done], tables: tuple[ExpectedTable, ...]) -> list[str]:
    """The tables that no test was compared with, though they speak of some that were run."""
    used = {done.table for done in results}
    folders = {real(Path(done.path).parent) for done in results}
    return [
        f"  {table.path} is not used: it speaks of the architectures' own models "
        "(--expected takes it for others)"
        for table in tables
        if str(table.path) not in used
        and (real(table.path.parent) in folders or (table.asked and results))
    ]


def groups_text(
    results: list[Done], tables: tuple[ExpectedTable, ...], paths: list[Path], seconds: float
) -> str:
    """The same with one line per folder, and nothing more about tests that are as expected."""
    lines = group_table([(done.path, done.row) for done in results])
    for table in tables:
        own = [done for done in results if done.table == str(table.path)]
        lines += _troubles(table, own, paths if table.whole and own else None)
    others = [done for done in results if not done.table and done.row.exit_code]
    lines += [f"  not as expected: {_wrong(done)}" for done in others]
    expected = sum(done.row.as_expected is True for done in results)
    total = f"{number_of(len(results), 'test')}, {expected} as expected"
    return joined([*lines, f"{total}, in {seconds:.2f} s"])


def sum_of(results: Iterable[Done]) -> float:
    return sum(done.row.seconds or 0.0 for done in results)


def _against(
    table: ExpectedTable, results: list[Done], paths: list[Path] | None, seconds: float
) -> list[str]:
    """`ppc/expected.csv: 584 tests, 584 agree, 0 disagree, …`, then every difference and everything
    that was not compared."""
    if not results:
        return []
    tally = {end: [d for d in results if d.end == end and d.listed] for end in WITHOUT_ANSWER}
    agree = [done for done in results if done.agrees]
    disagree = [done for done in results if done.agrees is False]
    parts = [number_of(len(results), "test"), f"{len(agree)} agree", f"{len(disagree)} disagree"]
    for end, word in WITHOUT_ANSWER.items():
        if tally[end] or end in ALWAYS:
            parts.append(f"{len(tally[end])} {word}")
    unlisted = [done for done in results if not done.listed]
    if unlisted:
        parts.append(f"{len(unlisted)} without a row")
    missing = table.without_file(paths) if paths is not None else []
    if missing:
        parts.append(f"{number_of(len(missing), 'row')} without a file")
    return [f"{table.path}: {', '.join(parts)}; {seconds:.2f} s", *_troubles(table, results, paths)]


def _troubles(table: ExpectedTable, results: list[Done], paths: list[Path] | None) -> list[str]:
    """Every difference from a table, and everything that was not compared."""
    disagree = [done for done in results if done.agrees is False]
    lines = [f"  disagrees: {done.path}: {'; '.join(done.differences)}" for done in disagree]
    for end, word in WITHOUT_ANSWER.items():
        ended = [done for done in results if done.end == end and done.listed]
        lines += [f"  {word.removesuffix('s')}: {_what(done)}" for done in ended]
    lines += [f"  no row: {_what(done)}" for done in results if not done.listed]
    missing = table.without_file(paths) if paths is not None else []
    lines += [f"  no file: {row.file} (line {row.line})" for row in missing]
    return lines


def _what(done: Done) -> str:
    """The test and why it has no answer."""
    first = done.complaint.split("\n", 1)[0]
    first = first.removeprefix("error: ")
    if first.startswith(f"{done.path}:"):  # it names the place in the file
        return first
    why = done.row.partial or first
    return f"{done.path}: {why}" if why else done.path


def _wrong(done: Done) -> str:
    """The test, its verdict and what speaks against it."""
    why = [*done.row.differences, *filter(None, [done.row.partial])]
    told = f": {'; '.join(why)}" if why else ""
    return f"{done.path} under {done.row.model}: {done.row.word}{told}"


def _names(results: list[Done]) -> str:
    return ", ".join(done.path for done in results)


def exit_code(
    results: list[Done], tables: tuple[ExpectedTable, ...], paths: list[Path], interrupted: bool
) -> int:
    """The worst of all tests; a row without a file and a test that was not run are not answers."""
    codes = [done.row.exit_code for done in results]
    used = {done.table for done in results}
    whole = [table for table in tables if table.whole and str(table.path) in used]
    if interrupted or any(table.without_file(paths) for table in whole):
        codes.append(MISSING)
    return worst_code(codes)
