"""Programs and models from text, for tests of any room."""

from __future__ import annotations

from functools import cache

from hybrid.catalogue.choice import AUTO, choose
from hybrid.catalogue.engines import make
from hybrid.catalogue.spelling import parse_configuration, spelled
from hybrid.engine.api import Counters, Engine, Limits
from hybrid.engine.configuration import Configuration
from hybrid.execution.trace import Key, Status
from hybrid.frontend.prog import parse_program
from hybrid.model.core import Model
from hybrid.model.load import load_model, parse_model
from hybrid.program.program import Program
from hybrid.report.explored import explore
from hybrid.report.result import Result
from hybrid.source import Source

MODELS = ("sc", "tso", "pso", "ra", "rc11", "power")


def program(text: str) -> Program:
    return parse_program(Source("<test>", text))


@cache
def model(name: str) -> Model:
    return load_model(name)


@cache
def model_of(text: str) -> Model:
    """A model from cat text, whose includes are looked up among the built-in ones."""
    return parse_model(Source("<test>.cat", f'"test"\n{text}'), "test", [])


def keys_of(engine: Engine, text: str, under: Model, unroll: int = 5) -> tuple[list[Key], Counters]:
    """The keys of the complete traces, in the order in which they were found."""
    traces = engine.explore(program(text), under, Limits(unroll))
    keys = [trace.key() for trace in traces if trace.status is Status.COMPLETE]
    return keys, engine.counters


def make_engine(configuration: str) -> Engine:
    """The engine that a configuration's word names: `rsmc+rf:z3`."""
    return make(parse_configuration(configuration))


def choose_engine(
    asked: str | None, under: Model, source: Program | None = None
) -> tuple[str, str]:
    """The configuration that answers, and what is said of the choice; None: any engine."""
    choice = choose(Configuration(asked or AUTO), source, under)
    return spelled(choice.configuration), "\n".join(choice.notes)


def answer(source: Program, under: Model, limits: Limits, solver: str = "z3") -> Result:
    """The verdict by the few runs of bmc that decide it."""
    return explore(Configuration("bmc", oracle=solver), source, under, limits, first=True)
