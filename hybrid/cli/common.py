"""What several verbs share: options, finding and loading programs and models, the output stream."""

from __future__ import annotations

import argparse
import time

from hybrid.cli.options import add_max_steps, add_memory_option, natural, seconds
from hybrid.engine.api import DEFAULT_UNROLL, Engine, Limits
from hybrid.engine.races import Races
from hybrid.engine.registry import (
    AUTO,
    ENGINES,
    EQUIVALENCES,
    MEMORIES,
    ORACLES,
    POLICIES,
    TRUST,
    choose_engine,
    make_engine,
)
from hybrid.errors import InputError, Unsupported
from hybrid.model.core import Model
from hybrid.parsing import did_you_mean
from hybrid.program.program import Program

BMC = "bmc"  # no explorer of hybrid.engine, so not among ENGINES
SOLVERS = ("z3", "sat")  # what it asks
FASTER_SOLVER = "sat"  # for going through all traces


def add_engine_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("exploration")
    group.add_argument(
        "--engine",
        metavar="NAME",
        default=AUTO,
        help=f"{', '.join(ENGINES)}, {BMC} or {AUTO}; default {AUTO}: rsmc where it takes the model and the program, else enumerate or, "
        f"for a program with many candidate executions, {BMC}; one of these, too, if rsmc gets stuck",
    )
    group.add_argument(
        "--oracle",
        metavar="NAME",
        help=f"what decides for rsmc and the engines on graphs: {', '.join(ORACLES)}, default {ORACLES[0]}; for {BMC}: {', '.join(SOLVERS)}, "
        f"default {SOLVERS[0]}",
    )
    group.add_argument(
        "--sat-solver",
        metavar="NAME",
        help="which solver --oracle pysat (of bmc: sat) asks, as cadical195, glucose4, minisat22; default: the fastest measured",
    )
    group.add_argument(
        "--policy",
        metavar="NAME",
        help=f"which event comes next: {', '.join(POLICIES)}; default first",
    )
    group.add_argument(
        "--equivalence",
        metavar="NAME",
        default=EQUIVALENCES[0],
        help="what rsmc and trust count: trace (default), or rf: one run for all traces in which every load reads the same and, for "
        "locations in the condition, the last store is the same",
    )
    group.add_argument(
        "--memory",
        metavar="NAME",
        help=f"what --engine trust keeps: {', '.join(MEMORIES)}; default {MEMORIES[0]}; linear: one graph and nothing else",
    )
    group.add_argument("--seed", metavar="N", type=natural, help="for --policy random; default 0")
    group.add_argument(
        "--unroll",
        metavar="N",
        type=natural,
        default=DEFAULT_UNROLL,
        help="how often a thread takes each backward jump of a loop whose end depends on memory, before the run is cut; default %(default)s; "
        "loops on constants run to their end",
    )
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
        help="what a data race, as the model's `flag … as race` finds it, does to the answer: error (a claim, or a FORBIDDEN, "
        "becomes VIOLATED; default for C tests and for .prog files with C11 orders), note (it is told; default elsewhere), ignore",
    )


def races_of(args: argparse.Namespace) -> Races | None:
    """What the user says of races; None: what suits each program."""
    return None if args.races is None else Races(args.races)


def engine_for(
    args: argparse.Namespace, program: Program, model: Model, stuck: bool = False
) -> tuple[Engine, list[str]]:
    """The engine that the options ask for, or the default one, or the next if that got `stuck`; and
    what to say of the choice and of options that were given and have no effect."""
    asked = _asked(args)
    if asked == BMC:
        return _bmc_for(args, model, args.oracle or SOLVERS[0])
    able = args.oracle in (None, *SOLVERS) and args.equivalence == EQUIVALENCES[0]
    try:
        name, note = choose_engine(asked, model, program, args.unroll, BMC if able else "", stuck)
    except Unsupported as error:  # bmc, of which the registry does not know, takes everything
        raise Unsupported(error.message, error.span, f"{error.hint}, {BMC}") from None
    if name == BMC:
        engine, notes = _bmc_for(args, model, args.oracle or FASTER_SOLVER)
        return engine, [*model.notes, note] if stuck else [*notes, note]
    if args.oracle is not None and args.oracle not in ORACLES and ENGINES[name].oracle:
        raise _unknown_oracle(args.oracle, name, ORACLES)
    engine = make_engine(
        name,
        (args.oracle if args.oracle in ORACLES else None) or ORACLES[0],
        args.policy or POLICIES[0],
        args.seed or 0,
        args.equivalence,
        args.sat_solver or "",
    )
    notes = [*model.notes, *([note] if note else [])]
    if stuck:
        return engine, notes  # the options had their effect before
    if not ENGINES[name].oracle:
        notes += [
            f"--{option} has no effect: {name} has none"
            for option in ("oracle", "policy")
            if getattr(args, option) is not None
        ]
    if args.sat_solver is not None and oracle_name(args, engine) != "pysat":
        notes.append("--sat-solver has no effect without --oracle pysat")
    if args.seed is not None and args.policy != "random":
        notes.append("--seed has no effect without --policy random")
    return engine, notes


def _asked(args: argparse.Namespace) -> str:
    """The engine that is asked for, with its memory."""
    engine: str = args.engine
    if args.memory is None:
        return engine
    if args.memory not in MEMORIES:
        known = ", ".join(MEMORIES)
        raise InputError(f"no memory is called '{args.memory}'", hint=f"known: {known}")
    if engine not in TRUST:
        raise InputError(f"--memory is for --engine trust, not for {engine}")
    named = next(name for name, memory in TRUST.items() if memory == args.memory)
    if engine not in (named, "trust"):
        raise InputError(f"--memory {args.memory} and --engine {engine} do not go together")
    return named


def check_engine_options(args: argparse.Namespace) -> None:
    """Complains, before any program is read, of names that are not known and of options that do not
    go together."""
    engines = (*ENGINES, BMC, AUTO)
    if args.engine not in engines:
        hint = f"known: {', '.join(engines)}"
        guess = did_you_mean(args.engine, engines)
        raise InputError(f"no engine is called '{args.engine}'", hint=f"{guess} {hint}".lstrip())
    asked = _asked(args)
    oracles: tuple[str, ...] = SOLVERS if asked == BMC else ORACLES
    if asked == AUTO:
        oracles = tuple(dict.fromkeys((*ORACLES, *SOLVERS)))
    if args.oracle is not None and args.oracle not in oracles:
        raise _unknown_oracle(args.oracle, asked, oracles)
    if asked == BMC:
        _check_bmc(args)
    which = "rsmc" if asked in (AUTO, BMC) else asked
    equivalence = EQUIVALENCES[0] if asked == BMC else args.equivalence
    policy = args.policy or POLICIES[0]
    make_engine(which, ORACLES[0], policy, 0, equivalence, args.sat_solver or "")


def _unknown_oracle(name: str, engine: str, known: tuple[str, ...]) -> InputError:
    others = dict.fromkeys(ORACLES, "rsmc and the engines on graphs")
    others |= {solver: BMC for solver in SOLVERS if solver not in ORACLES}
    hint = f"known: {', '.join(known)}"
    if name in others:
        return InputError(f"the oracle {name} is for {others[name]}, not for {engine}", hint=hint)
    return InputError(f"no oracle is called '{name}'", hint=hint)


def _bmc_for(args: argparse.Namespace, model: Model, solver: str) -> tuple[Engine, list[str]]:
    from hybrid.bmc.engine import Bmc

    _check_bmc(args)
    notes = [*model.notes]
    notes += [
        f"--{option} has no effect: {BMC} has none"
        for option in ("policy", "seed")
        if getattr(args, option) is not None
    ]
    if args.sat_solver is not None and solver != "sat":
        notes.append("--sat-solver has no effect without --oracle sat")
    return Bmc(solver, args.sat_solver or ""), notes


def _check_bmc(args: argparse.Namespace) -> None:
    if args.equivalence != EQUIVALENCES[0]:
        able = [info.name for info in ENGINES.values() if args.equivalence in info.equivalences]
        raise InputError(
            f"{BMC} does not count by the equivalence {args.equivalence}",
            hint=f"engines that do: {', '.join(able)}" if able else "",
        )


def oracle_name(args: argparse.Namespace, engine: Engine) -> str:
    if engine.name == BMC:
        from hybrid.bmc.engine import Bmc

        assert isinstance(engine, Bmc)
        return engine.solver
    return (args.oracle or ORACLES[0]) if ENGINES[engine.name].oracle else ""


def limits_for(args: argparse.Namespace) -> Limits:
    """The limits of an exploration that starts now."""
    deadline = None if args.timeout is None else time.monotonic() + args.timeout
    return Limits(args.unroll, deadline, args.max_steps)
