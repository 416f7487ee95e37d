"""What `odpor` and `odpor-source` are."""

from __future__ import annotations

from collections.abc import Callable

from hybrid.engine.api import FAA, POLICIES, TRACE, Engine
from hybrid.engine.configuration import Configuration
from hybrid.engine.entry import EngineEntry
from hybrid.errors import InputError
from hybrid.model.core import Model
from hybrid.program.program import Program

ON_INTERLEAVINGS = "the engines on interleavings"
_ODPOR, _ODPOR_SOURCE = "odpor", "odpor-source"


def _refusal(engine: str) -> Callable[[Program | None, Model], InputError | None]:
    def refuses(program: Program | None, model: Model) -> InputError | None:
        from hybrid.engine.odpor.engine import check_supported

        try:
            check_supported(program, model, engine)
        except InputError as error:
            return error
        return None

    return refuses


def _maker(wakeup: bool) -> Callable[[Configuration], Engine]:
    def make(configuration: Configuration) -> Engine:
        from hybrid.engine.odpor.engine import Odpor

        seed = configuration.seed or 0
        return Odpor(configuration.policy, seed, configuration.equivalence, wakeup)

    return make


ODPOR = EngineEntry(
    _ODPOR,
    "interleavings with wakeup trees, one of each happens-before order",
    _maker(True),
    (TRACE, FAA),
    policies=POLICIES,
    refuses=_refusal(_ODPOR),
    family=ON_INTERLEAVINGS,
)

ODPOR_SOURCE = EngineEntry(
    _ODPOR_SOURCE,
    "the same without wakeup trees: sleep sets and source sets",
    _maker(False),
    (TRACE, FAA),
    policies=POLICIES,
    refuses=_refusal(_ODPOR_SOURCE),
    family=ON_INTERLEAVINGS,
)
