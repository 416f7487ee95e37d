"""One exploration by a configuration, from its engine to a Result."""

from __future__ import annotations

from hybrid.catalogue.engines import entry_of, make
from hybrid.engine.api import WITNESS, Engine, Limits
from hybrid.engine.configuration import Configuration
from hybrid.model.core import Model
from hybrid.program.program import Program
from hybrid.report.result import Result
from hybrid.report.summary import summarise
from hybrid.report.watch import Watch


def explore_with(
    engine: Engine,
    configuration: Configuration,
    program: Program,
    model: Model,
    limits: Limits,
    *,
    first: bool = False,
    max_traces: int | None = None,
    watch: Watch | None = None,
) -> Result:
    """What `engine`, made for the completed `configuration`, says; see `summarise`. Witnesses are
    few and all of them are needed: `first` and `max_traces` do not stop at one of them."""
    whole = configuration.equivalence == WITNESS
    return summarise(
        program,
        model,
        engine,
        limits,
        oracle=configuration.oracle,
        equivalence=configuration.equivalence,
        first=first and not whole,
        max_traces=None if whole else max_traces,
        races=configuration.races,
        liveness=configuration.claims_liveness(program),
        watch=watch,
    )


def explore(
    configuration: Configuration,
    program: Program,
    model: Model,
    limits: Limits | None = None,
    *,
    first: bool = False,
) -> Result:
    """The same with a new engine; with `first` the verdict alone is wanted, by witnesses if the
    engine can do that. The caller has asked whether the engine takes the program and the model."""
    entry = entry_of(configuration.engine)
    configuration = entry.completed(configuration)
    if first:
        configuration = entry.answering(configuration)
    limits = configuration.limits() if limits is None else limits
    return explore_with(make(configuration), configuration, program, model, limits, first=first)
