"""One program, its model and an engine that suits them, as `explain` and `trace` need them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hybrid.catalogue.choice import choose
from hybrid.catalogue.engines import make
from hybrid.engine.api import Engine
from hybrid.engine.configuration import Configuration
from hybrid.engine.prepare import prepared
from hybrid.frontend.compiler_options import NO_OPTIONS, CompilerOptions
from hybrid.frontend.load import load_program, model_of
from hybrid.model import orders
from hybrid.model.core import Model
from hybrid.model.load import load_model
from hybrid.program.program import Program


@dataclass(frozen=True, slots=True)
class Chosen:
    program: Program  # as it is to run under the model
    model: Model
    engine: Engine
    configuration: Configuration  # completed
    notes: tuple[str, ...]  # what there is to say of the choice


def read_and_choose(
    file: Path,
    model_name: str | None,
    asked: Configuration,
    compiling: CompilerOptions = NO_OPTIONS,
) -> Chosen:
    """Reads the program and its model and chooses the engine."""
    program = load_program(file, compiling)
    model = load_model(model_of(program) if model_name is None else model_name)
    return choose_for(program, model, asked)


def choose_for(program: Program, model: Model, asked: Configuration) -> Chosen:
    """The same for a program and a model that are there."""
    asked = asked.suiting(program)
    program, mapping = orders.mapped(asked.mapping, program, model)
    program = prepared(program, model, asked.loops)
    choice = choose(asked, program, model)
    ignored = orders.note(program, model)
    notes = (*choice.notes, *mapping, *([ignored] if ignored else []))
    return Chosen(program, model, make(choice.configuration), choice.configuration, notes)
