"""The options that say how programs are explored."""

from __future__ import annotations

import argparse

from hybrid.catalogue.choice import (
    AUTO,
    known_memories,
    known_policies,
    with_memories,
)
from hybrid.catalogue.engines import ENGINES, ENTRIES, listed, with_role
from hybrid.cli.options import (
    add_loops_option,
    add_max_steps,
    add_memory_option,
    natural,
    seconds,
)
from hybrid.engine.api import DEFAULT_UNROLL, FAA, RF, TRACE
from hybrid.engine.entry import EngineEntry, Role
from hybrid.engine.races import Races


def add_engine_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("exploration")
    fastest, usual, few, many = (with_role(role).name for role in Role)
    *names, last = ENGINES
    group.add_argument(
        "--engine",
        metavar="NAME",
        default=AUTO,
        help=f"{', '.join(names)}, {last} or {AUTO}; default {AUTO}: {fastest} where it takes "
        f"the model and the program, else {usual} where it does, else {few} or, for a program with "
        f"many candidate executions, {many}; one of these, too, if {usual} gets stuck",
    )
    group.add_argument("--oracle", metavar="NAME", help=f"what decides {_oracles()}")
    usual_sat, many_sat = (with_role(role).sat_oracle for role in (Role.USUAL, Role.MANY))
    group.add_argument(
        "--sat-solver",
        metavar="NAME",
        help=f"which solver --oracle {usual_sat} (of {many}: {many_sat}) asks, as cadical195, "
        "glucose4, minisat22; default: the fastest measured",
    )
    policies = known_policies()
    group.add_argument(
        "--policy",
        metavar="NAME",
        help=f"which event comes next: {', '.join(policies)}; default {policies[0]}",
    )
    group.add_argument(
        "--equivalence",
        metavar="NAME",
        help=_equivalences(),
    )
    memories = known_memories()
    group.add_argument(
        "--memory",
        metavar="NAME",
        help=f"what --engine {with_memories().name} keeps: {', '.join(memories)}; "
        f"default {memories[0]}; linear: one graph and nothing else",
    )
    group.add_argument(
        "--seed", metavar="N", type=natural, help="for --policy random and estimates; default 0"
    )
    group.add_argument(
        "--unroll",
        metavar="N",
        type=natural,
        help="how often a thread takes each backward jump of a loop whose end depends on memory, "
        f"before the run is cut; default {DEFAULT_UNROLL}, or what a C file says; loops on "
        "constants run to their end",
    )
    add_loops_option(group.add_argument)
    add_max_steps(group.add_argument)
    group.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=seconds,
        help="stop each exploration after that time; the result says that it is partial",
    )
    add_memory_option(group.add_argument)


def add_race_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--races",
        metavar="WORD",
        choices=[each.value for each in Races],
        help="what a data race, as the model's `flag … as race` finds it, does to the answer: "
        "error (a claim, or a FORBIDDEN, becomes VIOLATED; default for C and for .prog "
        "files with C11 orders), note (it is reported; default elsewhere), ignore",
    )


def _distinct() -> list[EngineEntry]:
    """The engines without those that are another one with another memory."""
    forms = {name for entry in ENTRIES for _, name in entry.memories if name != entry.name}
    return [entry for entry in ENTRIES if entry.name not in forms]


def _equivalences() -> str:
    by_class, by_adds = (
        listed([entry for entry in _distinct() if word in entry.equivalences], families=False)
        for word in (RF, FAA)
    )
    return (
        f"what is counted: {TRACE} (default; {RF} where --quiet or --first need no numbers "
        f"and it takes far fewer runs); {RF}, of {by_class}: one run for all traces in which "
        "every load reads the same and, for locations in the condition, the last store is the "
        f"same; {FAA}, of {by_adds}: one run for all traces that differ in the order of "
        "fetch-and-adds whose results are not used"
    )


def _oracles() -> str:
    """`for rsmc and the engines on graphs: graph, z3, pysat, default graph; for bmc: …`"""
    offers: dict[tuple[str, ...], list[EngineEntry]] = {}
    for entry in ENTRIES:
        if entry.oracles:
            offers.setdefault(entry.oracles, []).append(entry)
    return "; ".join(
        f"for {listed(entries)}: {', '.join(oracles)}, default {oracles[0]}"
        for oracles, entries in offers.items()
    )
