"""The engines of TruSt: which exploration goes with which equivalence and memory, and what they
take."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from hybrid.engine.api import POLICIES, RF, TRACE, Counters, Limits, check_word
from hybrid.engine.atomic_updates import check_atomic_updates
from hybrid.engine.commit_before import CommitBefore
from hybrid.engine.end_of_run import check_classes
from hybrid.engine.subtrees import Subtrees
from hybrid.engine.trust.explorer import TrustExploration
from hybrid.engine.trust.linear import LinearExploration, LinearRfExploration
from hybrid.engine.trust.reads_from import RfExploration
from hybrid.errors import InputError
from hybrid.execution.trace import Trace
from hybrid.model import core
from hybrid.oracle.columns import FREE
from hybrid.oracle.make import check_oracle
from hybrid.oracle.plan import Plan
from hybrid.program.program import Program

MEMORIES: Final = ("stack", "linear")

_EXPLORATIONS: Final[dict[tuple[str, str], type[TrustExploration]]] = {
    ("trace", "stack"): TrustExploration,
    ("rf", "stack"): RfExploration,
    ("trace", "linear"): LinearExploration,
    ("rf", "linear"): LinearRfExploration,
}


class Trust:
    """Explores all traces, or all reads-from classes, of models in which po ∪ rf is acyclic."""

    def __init__(
        self,
        oracle: str = "graph",
        policy: str = "first",
        seed: int = 0,
        equivalence: str = "trace",
        sat_solver: str = "",
        memory: str = "stack",
    ) -> None:
        check_oracle(oracle, sat_solver)
        check_word("policy", policy, POLICIES)
        check_word("equivalence", equivalence, (TRACE, RF))
        check_word("memory", memory, MEMORIES)
        self.name = "trust" if memory == "stack" else "trust-linear"
        self.oracle = oracle
        self.policy = policy
        self.seed = seed
        self.equivalence = equivalence
        self.sat_solver = sat_solver  # of the pysat oracle; empty: the default one
        self.memory = memory
        self.counters = Counters()

    def explore(self, program: Program, model: core.Model, limits: Limits) -> Iterator[Trace]:
        return self.exploration(program, model, limits).run()

    def exploration(self, program: Program, model: core.Model, limits: Limits) -> TrustExploration:
        """A new exploration, for callers that start elsewhere than at the empty graph."""
        if self.equivalence == "rf":
            check_classes(program, model)
        self.counters = Counters()
        made = _EXPLORATIONS[self.equivalence, self.memory]
        threads = self.threads(program)
        return made(program, model, limits, self.counters, threads, self.oracle, self.sat_solver)

    def subtrees(self, program: Program, model: core.Model, limits: Limits) -> Subtrees:
        """For parallel exploration."""
        from hybrid.engine.trust.subtrees import TrustSubtrees

        if self.memory == "linear":
            raise InputError(
                "trust-linear explores with one process only",
                hint="use trust, whose memory does not grow with the number of executions either",
            )
        return TrustSubtrees(self.exploration(program, model, limits))

    def threads(self, program: Program) -> list[int]:
        """The order in which threads go on, but that threads that meet are put together."""
        threads = list(range(len(program.threads)))
        if self.policy == "last":
            threads.reverse()
        elif self.policy == "random":
            random.Random(self.seed).shuffle(threads)
        return threads


def check_supported(program: Program | None, model: core.Model, engine: str = "trust") -> None:
    """Raises an InputError when an explorer of graphs cannot explore `program` (None: any program)
    under `model`."""
    if not CommitBefore.holds_po_and_rf(model):
        raise InputError(
            (
                f"{engine} needs a model in which po | rf is acyclic: the commit-before of "
                f"{model.name} does not contain both"
            ),
            hint="Use --engine rsmc or enumerate.",
        )
    plan = Plan(model)
    for axiom in model.constraints:
        if axiom.negated or plan.node(axiom.expr).level == FREE:
            raise InputError(
                (
                    f"{engine} judges partial traces, and the axiom {axiom.name} of "
                    f"{model.name} can become true again later"
                ),
                axiom.span,
                hint="Use --engine enumerate.",
            )
    threads = () if program is None else program.threads
    has_rmw = any(i.reads and i.writes for thread in threads for i in thread.code)
    if has_rmw:
        check_atomic_updates(engine, model)
