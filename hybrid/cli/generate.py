"""`hybrid generate`: litmus tests from critical cycles, one by one or by families."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
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
from hybrid.report.output import write_file

SIZES = range(2, 7)
THREADS = range(1, 5)

EXAMPLES = """examples:
  hybrid generate --arch PPC "Rfe DpAddrdR Fre SyncdWW"          one test, MP+sync+addr
  hybrid generate --arch AArch64 "PodWW L Rfe A Pod** Fre"       annotations and wildcards
  hybrid generate --arch X86 "[Rfi,PodRR] Fre PodWR Fre" -o DIR  into DIR/SB+po+rfi-po.litmus
  hybrid generate --arch RISCV --size 4 --edges "Pod** Fence.rw.rwd** Rfe Fre Wse" -o DIR
  hybrid generate --arch C --size 4..6 --edges "Pod** PodWWRlxRel PodRRAcqRlx Rfe Fre" --limit 50 --seed 1 --list
  hybrid generate --arch PPC --bundle -o DIR --expected          the bundled tests, with DIR/expected.csv

A cycle is a sequence of edges in diy's vocabulary; docs/generate.md lists them. Its test asks whether the cycle can happen.

exit codes: 0 written, 2 input errors, 3 not everything could be answered, 4 engines disagree (--expected)
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = "Writes litmus tests: programs whose final condition tells whether a cycle of accesses can happen."
    parser.epilog = EXAMPLES
    parser.add_argument(
        "cycles",
        metavar="CYCLE",
        nargs="*",
        help='edges with blanks between them, as "PodWR Fre PodWR Fre"',
    )
    parser.add_argument("--arch", metavar="NAME", required=True, help=f"{', '.join(VOCABULARIES)}")
    family = parser.add_argument_group("families")
    family.add_argument(
        "--edges", metavar="LIST", help="all cycles that can be built from these edges"
    )
    family.add_argument(
        "--size",
        metavar="N..M",
        type=_range,
        help=f"how many edges a cycle has, a composed one counted once; default {_show(SIZES)}",
    )
    family.add_argument(
        "--threads", metavar="N..M", type=_range, help=f"how many threads; default {_show(THREADS)}"
    )
    family.add_argument(
        "--free",
        action="store_true",
        help="also cycles that are not critical: with several steps a thread, with communications that one could replace",
    )
    family.add_argument("--limit", metavar="N", type=options.positive, help="at most so many tests")
    family.add_argument(
        "--seed",
        metavar="N",
        type=options.natural,
        help="with --limit: a random sample, not the first ones",
    )
    family.add_argument(
        "--bundle", action="store_true", help="the tests of this architecture in litmus/"
    )
    out = parser.add_argument_group("output")
    out.add_argument(
        "-o", "--output", metavar="DIR", help="one file per test there, not standard output"
    )
    out.add_argument("--list", action="store_true", help="names and cycles only")
    out.add_argument(
        "--expected",
        action="store_true",
        help="answer the tests with enumerate, rsmc and bmc and write DIR/expected.csv: a row for each on which they agree",
    )
    out.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=options.seconds,
        help="for each engine and test, with --expected",
    )
    out.add_argument(
        "-j",
        "--jobs",
        metavar="N",
        type=options.processes,
        default=1,
        help="processes, with --expected; default 1",
    )


def run(args: argparse.Namespace) -> int:
    vocabulary = vocabulary_of(args.arch)
    _check(args)
    tests = bundle(vocabulary.arch) if args.bundle else _tests(args, vocabulary)
    if not tests:
        raise InputError(
            "no cycle can be built from these edges within these sizes and threads",
            hint="a cycle needs an edge to another thread and program order; --free allows more",
        )
    if args.list:
        width = max(len(test.name) for test in tests)
        for test in tests:
            print(f"{test.name:<{width}}  {test.cycle}")
    if args.output is None:
        if not args.list:
            sys.stdout.write("\n".join(test.text for test in tests))
        return 0
    paths = _write(tests, Path(args.output))
    if not args.list:
        print(f"{len(tests)} test{'s' if len(tests) > 1 else ''} written to {args.output}")
    if not args.expected:
        return 0
    return write_answers(Path(args.output), paths, args.timeout, args.jobs)


def _check(args: argparse.Namespace) -> None:
    ways = [bool(args.cycles), args.edges is not None, args.bundle]
    if sum(ways) != 1:
        raise InputError(
            "one thing at a time: cycles, --edges or --bundle"
            if any(ways)
            else "no cycle is given",
            hint='as in hybrid generate --arch PPC "Rfe DpAddrdR Fre SyncdWW"',
        )
    given = {
        "--size": args.size,
        "--threads": args.threads,
        "--limit": args.limit,
        "--seed": args.seed,
    }
    for option, value in [*given.items(), ("--free", args.free or None)]:
        if value is not None and args.edges is None:
            raise InputError(f"{option} is for families", hint='give --edges "…"')
    if args.seed is not None and args.limit is None:
        raise InputError("--seed needs --limit: how large the sample is to be")
    if args.expected and args.output is None:
        raise InputError("--expected needs a folder", hint="-o DIR")
    for option, value in (
        ("--timeout", args.timeout),
        ("-j", args.jobs if args.jobs > 1 else None),
    ):
        if value is not None and not args.expected:
            raise InputError(f"{option} has no effect without --expected")


def _tests(args: argparse.Namespace, vocabulary: Vocabulary) -> list[GeneratedTest]:
    cycles = list(dict.fromkeys(_cycles(args, vocabulary)))
    names = numbered([name_of(cycle) for cycle in cycles])
    return [litmus_test(cycle, name) for cycle, name in zip(cycles, names, strict=True)]


def _cycles(args: argparse.Namespace, vocabulary: Vocabulary) -> Iterator[Cycle]:
    if args.edges is None:
        texts: list[str] = args.cycles
        if len(texts) > 1 and not any(" " in text for text in texts):
            texts = [" ".join(texts)]  # a cycle without quotes
        for text in texts:
            yield from parse_cycles(text, vocabulary)
        return
    units = read_units(args.edges, vocabulary)
    family = Family(vocabulary, units, args.size or SIZES, args.threads or THREADS, args.free)
    if args.seed is not None:
        yield from family.sample(args.limit, args.seed)
    else:
        yield from islice(family.cycles(), args.limit)


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
