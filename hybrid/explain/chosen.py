"""One program, its model and an engine that suits them, as `explain` and `trace` need them."""

from __future__ import annotations

import sys
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
from hybrid.report.output import check_writable


@dataclass(frozen=True, slots=True)
class Chosen:
    program: Program  # as it is to run under the model
    model: Model
    engine: Engine
    configuration: Configuration  # completed


def read_and_choose(
    file: Path,
    model_name: str | None,
    asked: Configuration,
    output: str | None,
    compiling: CompilerOptions = NO_OPTIONS,
) -> Chosen:
    """Reads the program and its model and chooses the engine; says on standard error what there is
    to say of that. Complains of an `output` that cannot be written."""
    program = load_program(file, compiling)
    asked = asked.suiting(program)
    model = load_model(model_of(program) if model_name is None else model_name)
    if output is not None:
        check_writable(output)
    program, mapping = orders.mapped(asked.mapping, program, model)
    program = prepared(program, model, asked.loops)
    choice = choose(asked, program, model)
    ignored = orders.note(program, model)
    for message in (*choice.notes, *mapping, *([ignored] if ignored else [])):
        print(f"note: {message}", file=sys.stderr)
    return Chosen(program, model, make(choice.configuration), choice.configuration)
