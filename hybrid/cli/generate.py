"""`hybrid generate`: litmus tests from critical cycles, one by one or by families."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from hybrid.batch.known_answers import write_answers
from hybrid.cli import options
from hybrid.errors import InputError
from hybrid.generate.bundle import bundle
from hybrid.generate.cycle import Cycle, parse_cycles
from hybrid.generate.family import Family, numbered, read_units
from hybrid.generate.litmus import GeneratedTest, litmus_test
from hybrid.generate.names import name_of
from hybrid.generate.vocabularies import VOCABULARIES, vocabulary_of
from hybrid.generate.vocabulary import Vocabulary
from hybrid.printable import number_of
from hybrid.report.output import write_file

SIZES = range(2, 7)
THREADS = range(1, 5)

EXAMPLES = """examples:
  hybrid generate --arch PPC "Rfe DpAddrdR Fre SyncdWW"          one test, MP+sync+addr
  hybrid generate --arch AArch64 "PodWW L Rfe A Pod** Fre"       annotations and wildcards
  hybrid generate --arch X86 "[Rfi,PodRR] Fre PodWR Fre" -o DIR  into DIR/SB+po+rfi-po.litmus
  hybrid generate --arch RISCV --size 4 --edges "Pod** Fence.rw.rwd** Rfe Fre Wse" -o DIR
  hybrid generate --arch C --size 4..6 --edges "Pod** PodWWRlxRel Rfe Fre" --limit 9 --seed 1 --list
  hybrid generate --arch PPC --bundle -o DIR --expected   the bundled tests, with DIR/expected.csv

A cycle is a sequence of edges in diy's vocabulary; docs/generate.md lists them. Its test asks
whether the cycle can happen.

exit codes: 0 written, 2 input errors, 3 not everything could be answered,
4 engines disagree (--expected)
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Writes litmus tests: programs whose final condition tells whether a cycle of accesses can "
        "happen."
    )
    parser.epilog = EXAMPLES
    parser.add_argument(
        "cycles",
        metavar="CYCLE",
        nargs="*",
        help='edges with blanks between them, as "PodWR Fre PodWR Fre"',
    )
    parser.add_argument("--arch", metavar="NAME", required=True, help=f"{', '.join(VOCABULARIES)}")
    _add_families(parser.add_argument_group("families").add_argument)
    _add_output(parser.add_argument_group("output").add_argument)


def _add_families(add: Callable[..., object]) -> None:
    add("--edges", metavar="LIST", help="all cycles that can be built from these edges")
    add(
        "--size",
        metavar="N..M",
        type=_range,
        help=f"how many edges a cycle has, a composed one counted once; default {_show(SIZES)}",
    )
    add(
        "--threads", metavar="N..M", type=_range, help=f"how many threads; default {_show(THREADS)}"
    )
    add(
        "--free",
        action="store_true",
        help="also cycles that are not critical: with several steps in a thread, with "
        "communications that one could replace",
    )
    add("--limit", metavar="N", type=options.positive, help="at most so many tests")
    add(
        "--seed",
        metavar="N",
        type=options.natural,
        help="with --limit: a random sample, not the first ones",
    )
    add("--bundle", action="store_true", help="the tests of this architecture in litmus/")


def _add_output(add: Callable[..., object]) -> None:
    add(
        "-o",
        "--output",
        metavar="DIR",
        type=options.file_or_output,
        help="one file per test there, not standard output",
    )
    add("--list", action="store_true", help="names and cycles only")
    add(
        "--expected",
        action="store_true",
        help="answer the tests with enumerate, rsmc and bmc and write DIR/expected.csv: a row for "
        "each on which they agree",
    )
    add(
        "--timeout",
        metavar="SECONDS",
        type=options.seconds,
        help="for each engine and test, with --expected",
    )
    options.add_jobs_option(add, ", with --expected")


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """What the user asks for."""

    vocabulary: Vocabulary
    cycles: tuple[str, ...]  # spelled out
    bundle: bool
    edges: str | None  # of a family; the next five are for families alone
    sizes: range | None
    threads: range | None
    free: bool  # also cycles that are not critical
    limit: int | None
    seed: int | None  # of a sample; None: the first ones
    output: str | None
    listed: bool
    expected: bool
    timeout: float | None
    jobs: int


def run(args: argparse.Namespace) -> int:
    asked = GenerateRequest(
        vocabulary=vocabulary_of(args.arch),
        cycles=tuple(args.cycles),
        bundle=args.bundle,
        edges=args.edges,
        sizes=args.size,
        threads=args.threads,
        free=args.free,
        limit=args.limit,
        seed=args.seed,
        output=args.output,
        listed=args.list,
        expected=args.expected,
        timeout=args.timeout,
        jobs=args.jobs,
    )
    _check(asked)
    written = _show_or_write(_tests(asked), asked.output, asked.listed)
    if not asked.expected or asked.output is None:
        return 0
    return write_answers(Path(asked.output), written, asked.timeout, asked.jobs)


def _check(asked: GenerateRequest) -> None:
    """Complains of options that do not go together."""
    ways = [bool(asked.cycles), asked.edges is not None, asked.bundle]
    if sum(ways) != 1:
        raise InputError(
            "one thing at a time: cycles, --edges or --bundle"
            if any(ways)
            else "no cycle is given",
            hint='as in hybrid generate --arch PPC "Rfe DpAddrdR Fre SyncdWW"',
        )
    for option, value in (
        ("--size", asked.sizes),
        ("--threads", asked.threads),
        ("--limit", asked.limit),
        ("--seed", asked.seed),
        ("--free", asked.free or None),
    ):
        if value is not None and asked.edges is None:
            raise InputError(f"{option} is for families", hint='give --edges "…"')
    if asked.seed is not None and asked.limit is None:
        raise InputError("--seed needs --limit: how large the sample is to be")
    if asked.expected and asked.output is None:
        raise InputError("--expected needs a folder", hint="-o DIR")
    for option, is_given in (("--timeout", asked.timeout is not None), ("-j", asked.jobs > 1)):
        if is_given and not asked.expected:
            raise InputError(f"{option} has no effect without --expected")


def _show_or_write(tests: list[GeneratedTest], output: str | None, listed: bool) -> list[Path]:
    """Lists the tests, writes them into the folder `output`, or shows them; gives the files."""
    if not tests:
        raise InputError(
            "no cycle can be built from these edges within these sizes and threads",
            hint="a cycle needs an edge to another thread and program order; --free allows more",
        )
    if listed:
        width = max(len(test.name) for test in tests)
        for test in tests:
            print(f"{test.name:<{width}}  {test.cycle}")
    if output is None:
        if not listed:
            sys.stdout.write("\n".join(test.text for test in tests))
        return []
    paths = _write(tests, Path(output))
    if not listed:
        print(f"{number_of(len(tests), 'test')} written to {output}")
    return paths


def _tests(asked: GenerateRequest) -> list[GeneratedTest]:
    """The tests, each cycle once, with names that tell them apart."""
    if asked.bundle:
        return bundle(asked.vocabulary.arch)
    cycles = list(dict.fromkeys(_cycles(asked)))
    names = numbered([name_of(cycle) for cycle in cycles])
    return [litmus_test(cycle, name) for cycle, name in zip(cycles, names, strict=True)]


def _cycles(asked: GenerateRequest) -> Iterator[Cycle]:
    if asked.edges is None:
        texts = asked.cycles
        if len(texts) > 1 and not any(" " in text for text in texts):
            texts = (" ".join(texts),)  # a cycle without quotes
        for text in texts:
            yield from parse_cycles(text, asked.vocabulary)
        return
    units = read_units(asked.edges, asked.vocabulary)
    sizes, threads = asked.sizes or SIZES, asked.threads or THREADS
    family = Family(asked.vocabulary, units, sizes, threads, asked.free)
    if asked.seed is not None and asked.limit is not None:
        yield from family.sample(asked.limit, asked.seed)
    else:
        yield from islice(family.cycles(), asked.limit)


def _write(tests: list[GeneratedTest], folder: Path) -> list[Path]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {folder}: {error.strerror}") from None
    paths = [folder / f"{test.name}.litmus" for test in tests]
    for test, path in zip(tests, paths, strict=True):
        write_file(str(path), test.text)
    return paths


def _range(text: str) -> range:
    """`4` or `4..6`, both ends included."""
    low, dots, high = text.partition("..")
    first = options.positive(low)
    last = options.positive(high) if dots else first
    if last < first:
        raise argparse.ArgumentTypeError(f"'{text}' is empty: {last} is less than {first}")
    return range(first, last + 1)


def _show(numbers: range) -> str:
    return f"{numbers.start}..{numbers.stop - 1}"
