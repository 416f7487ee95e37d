"""What several verbs share: options, finding and loading programs and models, the output stream."""

from __future__ import annotations

import argparse
import errno
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

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
from hybrid.files import DATA_BYTES, is_file, is_folder, real, size, unreadable
from hybrid.frontend import load
from hybrid.frontend.load import LOADERS, load_program
from hybrid.model.core import Model
from hybrid.parsing import did_you_mean, read_source
from hybrid.printable import escaped
from hybrid.program.loops import DEFAULT_MAX_STEPS
from hybrid.program.program import Program
from hybrid.report.screen import screen

DEFAULT_MODEL = "power"
WHICH_MODEL = (  # for help texts: the default of --model
    f"that of the test's architecture, rc11 for a .prog with C11 orders, {DEFAULT_MODEL} for others"
)
BMC = "bmc"  # no explorer of hybrid.engine, so not among ENGINES
SOLVERS = ("z3", "sat")  # what it asks
FASTER_SOLVER = "sat"  # for going through all traces
LONGEST = 1e9  # seconds; timers take no more than their integers hold
MOST_PROCESSES = 1000
UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
LEAST_MEMORY = 10**6  # bytes
MOST_NESTED = 20  # lists within each other
MOST_LISTS = 10_000  # read for one argument
LOCK = ".#"  # how the names of Emacs's locks begin, which are links to nowhere


def natural(text: str) -> int:
    """An argument that is a number from 0."""
    return _number(text, 0)


def positive(text: str) -> int:
    """An argument that is a number from 1."""
    return _number(text, 1)


def seconds(text: str) -> float:
    """An argument that is a time above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= LONGEST:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a number of seconds above 0 and up to {LONGEST:.0e}"
        )
    return value


def processes(text: str) -> int:
    """An argument that is a number of processes."""
    value = positive(text)
    if value > MOST_PROCESSES:
        raise argparse.ArgumentTypeError(f"{text} processes are more than {MOST_PROCESSES}")
    return value


def memory(text: str) -> int:
    """An argument that is a number of bytes: `500M`, `2G`, `1.5GB`."""
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)([kKmMgGtT]?)[bB]?", text, re.ASCII)
    value = 0 if match is None else int(float(match[1]) * UNITS[match[2].upper()])
    if value < LEAST_MEMORY:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a size of at least {size(LEAST_MEMORY)}, such as 500M or 2G"
        )
    return value


def _number(text: str, least: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 19 and int(text) >= least):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a whole number from {least} with at most 18 digits"
        )
    return int(text)


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


def add_max_steps(add: Callable[..., object]) -> None:
    add(
        "--max-steps",
        metavar="N",
        type=positive,
        default=DEFAULT_MAX_STEPS,
        help="how many instructions a thread executes before the run is cut, for loops without end; default %(default)s",
    )


def add_memory_option(add: Callable[..., object]) -> None:
    add(
        "--max-memory",
        metavar="SIZE",
        type=memory,
        help="stop when a process has more, as 500M or 2G; the result says that it is partial",
    )


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


def program_at(path: Path) -> Program:
    """The program in a file, read as its extension says."""
    return load_program(path)


def default_model(program: Program) -> str:
    """The model of the program's architecture; DEFAULT_MODEL for a program of no machine."""
    return load.default_model(program) or DEFAULT_MODEL


def model_names(given: list[str]) -> list[str]:
    """The models that the options --model name, each once."""
    names = [name.strip() for text in given for name in text.split(",")]
    if not all(names):
        raise InputError("--model: a name is empty", hint="as in --model sc,tso")
    return list(dict.fromkeys(names))


def program_paths(arguments: list[str]) -> list[Path]:
    """The files that the arguments name; a folder stands for all programs below it, sorted, and
    `@FILE` for those that the file lists."""
    found: list[Path] = []
    for argument in arguments:
        path = Path(argument)
        if not argument:
            raise InputError("the name of a file is empty", hint="`.` is this folder")
        if argument.startswith("@"):
            found += program_paths(_Lists().read(Path(argument[1:])))
        elif is_folder(path):
            below = _below(path)
            if not below:
                raise InputError(
                    f"no programs in the folder {path}",
                    hint=f"looked for: {', '.join('*' + s for s in sorted(LOADERS))}",
                )
            found += below
        else:
            found.append(path)
    return found


def _below(folder: Path) -> list[Path]:
    """The programs below a folder, sorted. Links to other folders are not followed; one that leads
    nowhere is told when it is read."""
    found: list[Path] = []

    def complain(error: OSError) -> None:
        raise unreadable(error.filename, error)

    for place, _, names in os.walk(folder, onerror=complain):
        found += [Path(place, n) for n in names if Path(n).suffix in LOADERS and n[:2] != LOCK]
    return sorted(found)


class _Lists:
    """Reads a list of paths, and the lists within it."""

    def __init__(self) -> None:
        self._read = 0  # lists so far

    def read(self, path: Path, within: tuple[Path, ...] = ()) -> list[str]:
        """What a list names, one path per line, as seen from the list; `#` begins a comment,
        `@FILE` is a list in it."""
        self._read += 1
        if real(path) in within:
            raise InputError(f"the list {path} lists itself")
        if len(within) >= MOST_NESTED or self._read > MOST_LISTS:
            most = f"{MOST_NESTED} levels" if self._read <= MOST_LISTS else f"{MOST_LISTS} of them"
            raise InputError(
                f"the list {path} is one list within others too many: more than {most}"
            )
        found: list[str] = []
        text = read_source(path, most=DATA_BYTES, pipes=True).text
        for number, line in enumerate(text.split("\n"), 1):
            name = line.split("#", 1)[0].strip()
            if name.startswith("@"):
                found += self.read(path.parent / name[1:], (*within, real(path)))
            elif name:
                place = path.parent / name
                if place.suffix not in LOADERS and not is_folder(place):
                    # The line is not shown: the file may be no list at all.
                    raise InputError(
                        f"{path}: line {number} names neither a program nor a folder",
                        hint=f"expected one path per line, to {', '.join(sorted(LOADERS))} or a folder",
                    )
                found.append(str(place))
        if not found:
            raise InputError(f"the list {path} names no program", hint="expected one path per line")
        return found


@contextmanager
def output(path: str | None) -> Iterator[TextIO]:
    """The stream that the verb writes to: the file, or standard output."""
    if path is None:
        yield sys.stdout
        return
    try:
        stream = open(path, "w", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115 (closed below)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None
    with stream:
        yield screen(stream)


def check_outputs(outputs: Mapping[str, str | None], inputs: Iterable[Path] = ()) -> None:
    """Complains of an output, by its option, that would overwrite an input or another output."""
    taken = {real(path): "an input" for path in inputs}
    for option, name in outputs.items():
        if name is None or (os.path.exists(name) and not is_file(name)):  # as /dev/stdout
            continue
        place = real(name)
        if place in taken:
            raise InputError(f"{option} {name} would overwrite {taken[place]}")
        taken[place] = f"what {option} writes"


def check_writable(path: str) -> None:
    """Complains of a file that cannot be written, before the work whose result is to stand there.
    Makes no file."""
    parent = Path(path).parent
    if is_folder(path):
        raise InputError(f"cannot write {path}: it is a folder")
    if not is_folder(parent):
        raise InputError(f"cannot write {path}: there is no folder {parent}")
    if not os.access(path if os.path.exists(path) else parent, os.W_OK):
        raise InputError(f"cannot write {path}: {os.strerror(errno.EACCES)}")


def write_file(path: str, text: str) -> None:
    try:
        Path(path).write_text(escaped(text), encoding="utf-8", errors="backslashreplace")
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def go_on(args: argparse.Namespace, file: str) -> str:
    """How a run that was stopped is taken up again."""
    return f"what was done is saved in {file}; to go on from there: {args.command_line}"


def _unwritable(path: str, error: Exception) -> InputError:
    return InputError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}")
