"""`hybrid explain` of a program with a data race: the two accesses and an execution in which
nothing orders them."""

from __future__ import annotations

from hybrid.engine.api import Engine, Limits
from hybrid.engine.configuration import Configuration
from hybrid.engine.races import Races, default_races
from hybrid.model.core import RACE, Model
from hybrid.program.program import Program
from hybrid.report.explored import explore_with
from hybrid.report.progress import Progress
from hybrid.report.result import Result
from hybrid.report.screen import terminal
from hybrid.report.witness_lines import calls_of
from hybrid.time_limit import time_left, time_limit
from hybrid.verdict import Verdict
from hybrid.witness.races import races_of


def find_race(
    program: Program,
    model: Model,
    engine: Engine,
    configuration: Configuration,
    limits: Limits,
) -> Result | None:
    """What an exploration to the first answer finds, where a race is an error; else None. `engine`
    was made for the completed `configuration`."""
    races = configuration.races or default_races(program)
    if races is not Races.ERROR or not model.races:
        return None
    with time_limit(time_left(limits.deadline)), Progress(engine, program.name, terminal()):
        return explore_with(engine, configuration, program, model, limits, first=True)


def is_race(result: Result) -> bool:
    """Whether the answer is VIOLATED because of a race."""
    return result.race is not None and result.answer is Verdict.VIOLATED


def race_text(result: Result) -> list[str]:
    """What there is to say of the race, before the execution that has it."""
    data = result.race
    assert data is not None
    head = [f"{result.program.name} under {result.model.name}: {result.answer.value}, a data race"]
    for race in races_of(data):
        head += [f"Race: {race}", *calls_of(race)]
    head.append(
        f"Neither access happens before the other: the execution raises the flag {RACE} of "
        f"{result.model.name}."
    )
    return head
