"""What explorers take for granted of read-modify-writes: that no other store comes between what one
reads and what it stores, so that its place in coherence is directly after its source."""

from __future__ import annotations

from hybrid.errors import InputError
from hybrid.model import core
from hybrid.oracle.coherence import atomic, coherent_after_loads


def check_atomic_updates(engine: str, model: core.Model) -> None:
    """Raise an InputError where the model may have it otherwise."""
    if not atomic(model):
        raise InputError(
            f"{engine} takes read-modify-writes to be atomic, and the model {model.name} has no "
            "axiom that says so",
            hint="Add `empty rmw & (fre ; coe)` to the model, or use --engine enumerate.",
        )
    if not coherent_after_loads(model):
        raise InputError(
            f"{engine} takes read-modify-writes to store after what they have read, and the model "
            f"{model.name} has no axiom that says so",
            hint="Add `acyclic (po & loc) | rf | co | fr` to the model, or use --engine enumerate.",
        )
