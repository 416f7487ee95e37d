"""`hybrid bench kernel`: what an execution costs on programs of the literature at growing sizes,
under several models, as a multiple of what it costs under sc and of a yardstick, lastzero(12) under
sc in the same run."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from hybrid.catalogue.engines import refusal
from hybrid.catalogue.spelling import parse_configuration, parse_configurations, spelled
from hybrid.cli import options
from hybrid.cli.bench_case import C_PROGRAMS, C, KernelCase, KernelRow, measure_apart, program_of
from hybrid.cli.bench_files import csv_text, plot_text
from hybrid.engine.rsmc.entry import RSMC
from hybrid.engine.trust.entry import TRUST
from hybrid.errors import InputError
from hybrid.frontend.generated_counts import stated_traces
from hybrid.frontend.generated_text import ORDERED, PLAIN, RELAXED
from hybrid.frontend.generators import FAMILIES
from hybrid.model.load import load_model
from hybrid.report.output import check_outputs, check_writable, write_file
from hybrid.verdict import Verdict

DEFAULT_MODELS = "sc,tso,rc11,rc20,power"
DEFAULT_SIZES = {
    "lastzero": (8, 10, 12, 15),
    "fib": (3, 4),
    "fib-bench": (3, 4, 5),
    "exp-mem": (5, 6, 7, 8),
    "exp-mem2": (3, 4),
    "casrot": (5, 7, 9),
    "readers": (6, 8, 10),
    "sigma": (4, 5, 6),
    "indexer": (12, 13, 15),
    "mutex": (2, 3),
    "ttaslock": (2, 3, 4),
    "twalock": (2, 3),
    "mcs": (2, 3),
    "seqlock": (2, 3, 4),
    "mpmc-queue": (2, 3),
    "fig11": (2, 4, 6, 8),
}
# Families whose cost should grow by little between the two sizes, with the engines for them.
GROWTH = {"private": (10, 80), "cells": (0, 800)}
GROWTH_MODELS = ("sc", "rc11", "power")
GROWTH_ENGINES = (TRUST.name, RSMC.name)
YARDSTICK = ("lastzero", 12, "sc")
LIMIT = 1.5
LANGUAGES = ("prog", C)
_C_MODELS = ("sc", "rc11", "rc20")
_COLUMNS = (
    f"{'program':<24} {'model':<6} {'engine':<7} {'executions':>10} {'blocked':>8} {'µs/exec':>9} "
    f"{'×':>6} {'checks':>7} {'refused':>8} {'peak MB':>8}"
)


@dataclass(frozen=True, slots=True)
class Series:
    """A case with its sizes."""

    case: KernelCase
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line asks for."""

    generated: str | None
    models: str | None
    engines: str | None
    language: str
    repeat: int
    limit: float
    csv: str | None
    plot: str | None


def configure(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("bench kernel")
    group.add_argument(
        "--limit",
        type=options.seconds,
        default=LIMIT,
        metavar="SECONDS",
        help="give an exploration up after that much processor time, and take the cost of what it "
        "has found; larger sizes of it are left out; default %(default)s",
    )
    group.add_argument(
        "--language",
        choices=LANGUAGES,
        default=LANGUAGES[0],
        help="c: the same programs in C, from litmus/programs, which needs a compiler; "
        "default %(default)s",
    )
    group.add_argument(
        "--csv", metavar="FILE", type=options.file_name, help="write all numbers to FILE too"
    )
    group.add_argument(
        "--plot",
        metavar="FILE",
        type=options.file_name,
        help="draw the cost of an execution against the size, as SVG",
    )


def _sizes(text: str | None, language: str) -> dict[str, tuple[int, ...]]:
    """Families with the sizes asked for."""
    known = [family for family in DEFAULT_SIZES if language != C or family in C_PROGRAMS]
    if text is None:
        return {family: DEFAULT_SIZES[family] for family in known}
    found: dict[str, set[int]] = defaultdict(set)
    for word in text.split(","):
        family, bracket, number = word.strip().partition("(")
        digits = number.removesuffix(")")
        if family not in known or not bracket or not digits.isdecimal():
            raise InputError(
                f"'{word.strip()}' is not a program of bench kernel",
                hint=f"expected NAME(N), NAME one of {', '.join(known)}",
            )
        FAMILIES[family](int(digits[:19]), PLAIN)  # complains of a size that it does not have
        found[family].add(int(digits))
    return {family: tuple(sorted(sizes)) for family, sizes in found.items()}


def _variants(models: str, language: str) -> list[tuple[str, str]]:
    """(annotations, model): without any for machines, with both kinds for models that find
    races."""
    found: list[tuple[str, str]] = []
    for word in models.split(","):
        model = load_model(word.strip())
        if language == C:
            found += [(C, model.name)] if model.name in _C_MODELS else []
        elif model.races:
            found += [(ORDERED.name, model.name), (RELAXED.name, model.name)]
        else:
            found.append((PLAIN.name, model.name))
    if not found:
        raise InputError(f"bench kernel has no program in C for {models}")
    return found


def series(asked: Asked) -> Iterator[Series]:
    """What is to be measured, family by family; with the engines asked for that take it, or the
    first of trust and rsmc that does."""
    variants = _variants(asked.models or DEFAULT_MODELS, asked.language)
    wanted = parse_configurations(asked.engines) if asked.engines else ()
    names = [spelled(each) for each in wanted] or list(GROWTH_ENGINES)
    for family, sizes in _sizes(asked.generated, asked.language).items():
        for orders, model in variants:
            case = KernelCase(family, orders, model, "")
            taken = _taking(case, sizes[0], names)
            for engine in taken if wanted else taken[:1]:
                yield Series(KernelCase(family, orders, model, engine), sizes)


def _taking(case: KernelCase, size: int, engines: list[str]) -> list[str]:
    program, model = program_of(case, size), load_model(case.model)
    return [
        name
        for name in engines
        if refusal(parse_configuration(name).engine, model, program) is None
    ]


def _growing() -> Iterator[Series]:
    for family, sizes in GROWTH.items():
        for model in GROWTH_MODELS:
            races = bool(load_model(model).races)
            orders = ORDERED.name if races and family in FAMILIES else PLAIN.name
            case = KernelCase(family, orders, model, "")
            for engine in _taking(case, sizes[0], list(GROWTH_ENGINES)):
                yield Series(KernelCase(family, orders, model, engine), sizes)


def bench(asked: Asked) -> int:
    """Prints the tables and writes the files; an execution more or less than stated is an error."""
    family, size, under = YARDSTICK
    todo = list(series(asked))
    check_outputs({"--csv": asked.csv, "--plot": asked.plot})
    for path in filter(None, (asked.csv, asked.plot)):
        check_writable(path)
    first = Series(KernelCase(family, PLAIN.name, under, TRUST.name), (size,))
    [yard] = measure_apart(first.case, [size], max(3, asked.repeat), max(asked.limit, 60.0))
    print(f"yardstick: {family}({size}) under {under}, {yard.microseconds:.1f} µs an execution")
    print(f"limit: {asked.limit:g} s for each size; + where it was reached\n")
    print(_COLUMNS)
    rows = _measured(todo, asked, yard)
    for line in _ratios(rows):
        print(line)
    grown: list[KernelRow] = []
    if asked.generated is None and asked.language != C:
        print(f"\n{_COLUMNS}")
        grown = _measured(list(_growing()), asked, yard)
        for line in _growth(grown):
            print(line)
    if asked.csv:
        write_file(asked.csv, csv_text([yard, *rows, *grown]))
    if asked.plot:
        write_file(asked.plot, plot_text(rows))
    return _compared([*rows, *grown])


def _measured(todo: list[Series], asked: Asked, yard: KernelRow) -> list[KernelRow]:
    rows: list[KernelRow] = []
    for each in todo:
        for row in measure_apart(each.case, list(each.sizes), asked.repeat, asked.limit):
            print(_line(row, yard), flush=True)
            rows.append(row)
    return rows


def _line(row: KernelRow, yard: KernelRow) -> str:
    executions = f"{row.executions}{'' if row.finished else '+'}"
    each = max(1, row.executions)
    return (
        f"{row.case.name(row.size):<24} {row.case.model:<6} {row.case.engine:<7} {executions:>10} "
        f"{row.blocked:>8} {row.microseconds:>9.1f} {row.microseconds / yard.microseconds:>6.2f} "
        f"{row.checks / each:>7.2f} {row.refused / each:>8.2f} {row.kilobytes / 1024:>8.1f}"
    )


def _ratios(rows: list[KernelRow]) -> Iterator[str]:
    """Of each program at its largest size that was measured under sc and under another model: that
    model's cost as a multiple of sc's."""
    base = {
        (row.case.program, row.size, row.case.engine): row
        for row in rows
        if row.case.model == YARDSTICK[2]
    }
    found: dict[tuple[str, str], dict[tuple[str, str], str]] = {}
    for row in rows:  # larger sizes later
        sc = base.get((row.case.program, row.size, row.case.engine))
        if sc is None or sc is row:
            continue
        ratio = row.microseconds / sc.microseconds
        sign = "" if row.finished and sc.finished else "+"
        place = found.setdefault((row.case.program, row.case.engine), {})
        place[row.case.model, row.case.orders] = f"({row.size}) {ratio:.2f}{sign}"
    if not found:
        return
    columns = list(dict.fromkeys(column for ratios in found.values() for column in ratios))
    heads = [f"{model} {orders}" if orders != PLAIN.name else model for model, orders in columns]
    yield f"\ncost of an execution as a multiple of that under {YARDSTICK[2]}, by the same engine"
    yield f"{'program':<11} {'engine':<7}" + "".join(f" {head:>14}" for head in heads)
    for (program, engine), ratios in found.items():
        cells = "".join(f" {ratios.get(column, ''):>14}" for column in columns)
        yield f"{program:<11} {engine:<7}{cells}".rstrip()


def _growth(rows: list[KernelRow]) -> Iterator[str]:
    for few, many in zip(rows[::2], rows[1::2], strict=True):
        if few.case != many.case:
            raise InputError("--limit is too short for the families of private accesses and cells")
        ratio = many.microseconds / few.microseconds
        yield (
            f"{few.case.name(few.size)} to {many.case.name(many.size)}, {few.case.model}, "
            f"{few.case.engine}: the cost is × {ratio:.2f}"
        )


def _compared(rows: list[KernelRow]) -> int:
    """Exit code 4 where a number of executions is not the one that is stated."""
    code = 0
    for row in rows:
        stated = stated_traces(row.case.program, row.case.orders, row.size, row.case.model)
        if row.finished and stated is not None and stated != row.executions:
            print(
                f"{row.case.name(row.size)} under {row.case.model}: {row.executions} executions, "
                f"and {stated} are stated"
            )
            code = Verdict.DISAGREE.exit_code
    return code
