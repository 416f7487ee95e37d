"""The options that say how programs are explored, by the names that they have on the command line,
and the configuration that they make."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypedDict

from hybrid.catalogue.choice import AUTO, check, known_memories, known_oracles, unknown_oracle
from hybrid.catalogue.engines import ENGINES
from hybrid.engine.api import TRACE
from hybrid.engine.configuration import Configuration
from hybrid.engine.races import Races
from hybrid.errors import InputError
from hybrid.parsing import did_you_mean
from hybrid.program.loops import DEFAULT_MAX_STEPS
from hybrid.program.passes.setting import LOOPS
from hybrid.program.program import Expectation
from hybrid.verdict import EXPECTABLE, Verdict

_OPTION = re.compile(  # as messages spell those that are keywords too
    r"--(engine|oracle|sat-solver|policy|equivalence|memory|seed|unroll|max-steps|loops|liveness|"
    r"races|map|timeout|max-memory|first|limit|expect|jobs|cluster|checkpoint|certificate|clang|"
    r"link)(?![\w-])"
)
EXPECTED = (*EXPECTABLE, Expectation.RACE)  # the answers that a caller may demand


class EngineOptions(TypedDict, total=False):
    """What may be said of an exploration; `hybrid verify --help` says what each means."""

    engine: str
    oracle: str | None
    sat_solver: str | None
    policy: str | None
    equivalence: str
    memory: str | None
    seed: int | None
    unroll: int | None
    max_steps: int
    loops: str | None
    liveness: bool | None
    races: str | None
    map: bool | None


def checked(given: Mapping[str, object]) -> Mapping[str, object]:
    """The options that a Python program gives. An option that there is not is a mistake of the
    program's own; a value that cannot be is bad input, as on the command line."""
    for name in given:
        if name not in EngineOptions.__annotations__:
            guess = did_you_mean(name, EngineOptions.__annotations__)
            raise TypeError(f"there is no option '{name}'" + (f": {guess}" if guess else ""))
    for name, least in (("seed", 0), ("unroll", 0), ("max_steps", 1)):
        whole_number(name, given.get(name), least)
    for name, words in (("loops", LOOPS), ("races", [each.value for each in Races])):
        word = given.get(name)
        if word is not None and word not in words:
            raise InputError(f"{name}: no '{word}'", hint=f"known: {', '.join(words)}")
    return given


@contextmanager
def by_keyword() -> Iterator[None]:
    """For what Python programs call: complaints of options name the keywords."""
    try:
        yield
    except InputError as error:
        error.message, error.hint = (
            _OPTION.sub(lambda found: found[1].replace("-", "_"), text)
            for text in (error.message, error.hint)
        )
        raise


def whole_number(name: str, value: object, least: int) -> None:
    """Complains of an option that is given and is not a whole number from `least`."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(f"{name}: {value!r} is not a whole number from {least}")


def time_above_zero(name: str, value: object) -> None:
    """The same for a number of seconds."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1e9:
        raise InputError(f"{name}: {value!r} is not a number of seconds above 0 and up to 1e9")


def configuration_of(given: Mapping[str, Any]) -> Configuration:
    """What the options ask for, by their names. Complains, before any program is read, of names
    that are not known and of options that do not go together."""
    engine, oracle, memory = given.get("engine", AUTO), given.get("oracle"), given.get("memory")
    if oracle == "" and engine in (*ENGINES, AUTO):
        raise unknown_oracle(oracle, engine, known_oracles(engine))
    if memory == "":
        raise InputError("no memory is called ''", hint=f"known: {', '.join(known_memories())}")
    races = given.get("races")  # not every verb has the options about claims
    return check(
        Configuration(
            engine=engine,
            equivalence=given.get("equivalence") or TRACE,
            oracle=oracle or "",
            policy=given.get("policy") or "",
            seed=given.get("seed"),
            sat_solver=given.get("sat_solver") or "",
            memory=memory or "",
            unroll=given.get("unroll"),
            max_steps=given.get("max_steps", DEFAULT_MAX_STEPS),
            loops=given.get("loops") or "",
            liveness=given.get("liveness"),
            races=None if races is None else Races(races),
            mapping=given.get("map"),
        )
    )


def demanded_verdict(asked: str | Verdict | None, option: str) -> str | None:
    """The verdict that a caller demands, as a word in whatever case; `option` is where it was
    written."""
    if asked is None:
        return None
    text = asked.value if isinstance(asked, Verdict) else asked
    if not isinstance(text, str):
        raise InputError(f"{option}: {text!r} is not a verdict")
    if text.upper() in EXPECTED:
        return text.upper()
    guess = did_you_mean(text.upper(), EXPECTED)
    known = f"known: {', '.join(EXPECTED)}"
    raise InputError(f"{option}: no verdict is called '{text}'", hint=f"{guess} {known}".lstrip())
