"""Which estimator goes with an exploration."""

from __future__ import annotations

from hybrid.engine.api import RF, TRACE, Limits
from hybrid.engine.probes.estimator import Estimator
from hybrid.errors import InputError
from hybrid.model.core import Model
from hybrid.program.program import Program


def make_estimator(
    program: Program, model: Model, limits: Limits, equivalence: str, seed: int = 0
) -> Estimator | None:
    """An estimator of the number of executions that any engine finds; None where there is none: for
    other equivalences, and for what RSMC does not take."""
    from hybrid.engine.probes.commit_tree import CommitTree
    from hybrid.engine.rsmc.engine import Rsmc, check_supported

    if equivalence not in (TRACE, RF):
        return None
    unlimited = Limits(limits.unroll, None, limits.max_steps)
    try:
        check_supported(program, model)
        exploration = Rsmc(equivalence=equivalence).exploration(program, model, unlimited)
    except InputError:
        return None
    return Estimator(CommitTree(exploration, program), seed)
