"""The engine of RSMC: its settings, and what it takes."""

from __future__ import annotations

from collections.abc import Iterator

from hybrid.engine.api import POLICIES, RF, TRACE, Counters, Limits, check_word
from hybrid.engine.atomic_updates import check_atomic_updates
from hybrid.engine.commit_before import CommitBefore
from hybrid.engine.end_of_run import check_classes
from hybrid.engine.rsmc.explorer import RsmcExploration
from hybrid.engine.rsmc.programs import check_program
from hybrid.engine.subtrees import Subtrees
from hybrid.errors import InputError
from hybrid.execution.execution import Execution
from hybrid.execution.trace import Trace
from hybrid.model import core
from hybrid.oracle.api import Oracle
from hybrid.oracle.coherence import coherent_loads
from hybrid.oracle.make import check_oracle, make_oracle, make_rf_oracle, takes_new_locations
from hybrid.program.program import Program


class Rsmc:
    """Explores all Shasha–Snir traces under any model with a commit-before relation."""

    name = "rsmc"

    def __init__(
        self,
        oracle: str = "graph",
        policy: str = "first",
        seed: int = 0,
        equivalence: str = "trace",
        sat_solver: str = "",
    ) -> None:
        check_oracle(oracle, sat_solver)
        check_word("policy", policy, POLICIES)
        check_word("equivalence", equivalence, (TRACE, RF))
        self.oracle = oracle
        self.sat_solver = sat_solver  # of the pysat oracle; empty: the default one
        self.equivalence = equivalence
        self.policy = policy
        self.seed = seed
        self.counters = Counters()

    def explore(self, program: Program, model: core.Model, limits: Limits) -> Iterator[Trace]:
        self.counters = Counters()
        return self.exploration(program, model, limits).run()

    def exploration(self, program: Program, model: core.Model, limits: Limits) -> RsmcExploration:
        classes = self.equivalence == "rf"
        if classes:
            check_classes(program, model)
        return RsmcExploration(
            program,
            model,
            limits,
            self.counters,
            self.policy,
            self.seed,
            classes,
            self.rf_oracle_for if classes else self.oracle_for,
            takes_new_locations(self.oracle),
        )

    def subtrees(self, program: Program, model: core.Model, limits: Limits) -> Subtrees:
        """For parallel exploration."""
        from hybrid.engine.rsmc.subtrees import RsmcSubtrees

        return RsmcSubtrees(self.exploration(program, model, limits))

    def oracle_for(self, model: core.Model, execution: Execution) -> Oracle:
        in_order = CommitBefore.holds_po_and_rf(model)
        return make_oracle(self.oracle, model, execution, self.sat_solver, in_order=in_order)

    def rf_oracle_for(self, model: core.Model, execution: Execution) -> Oracle:
        return make_rf_oracle(self.oracle, model, execution, self.sat_solver)


def check_supported(program: Program, model: core.Model) -> None:
    """Raise an InputError when rsmc cannot explore `program` under `model`."""
    CommitBefore.check(model)
    check_program(program, model)
    for axiom in model.constraints:
        if axiom.negated:
            raise InputError(
                (
                    f"rsmc judges partial traces, and the axiom {axiom.name} of {model.name} "
                    f"can become true later"
                ),
                axiom.span,
                hint="Use --engine enumerate.",
            )
    waits = any(i.awaits is not None for thread in program.threads for i in thread.code)
    if waits and not coherent_loads(model):
        raise InputError(
            f"rsmc takes awaits not to read what their thread has overwritten, and the model "
            f"{model.name} has no axiom that says so",
            hint="Add `acyclic (po & loc) | rf | co | fr` to the model, or use --engine enumerate.",
        )
    has_rmw = any(i.reads and i.writes for thread in program.threads for i in thread.code)
    if has_rmw:
        check_atomic_updates("rsmc", model)
