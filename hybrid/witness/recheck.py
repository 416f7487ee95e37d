"""A run as its witness would tell it: written as JSON, read again and replayed."""

from __future__ import annotations

import json

from hybrid.engine.api import Limits
from hybrid.errors import InputError
from hybrid.execution.trace import TraceData
from hybrid.frontend.prog_print import print_program
from hybrid.model.core import Model
from hybrid.witness.as_json import from_json, to_json
from hybrid.witness.replay import replay


def recheck(data: TraceData, model: Model, engine: str, limits: Limits) -> tuple[str, ...]:
    """What `hybrid replay` would not confirm of the run's witness, in words; empty when it confirms
    all."""
    text = print_program(data.program)
    witness = to_json(data, model.name, engine, text, limits.unroll, limits.max_steps)
    # The text is a .prog, whatever the program was before.
    witness["program"] = {"name": data.program.name, "text": text}
    try:
        return replay(from_json(json.dumps(witness)), model).differences
    except InputError as error:
        return (f"the witness cannot be read: {error.message}",)
