"""Random walks of an execution with an oracle: commits and rollbacks in any allowed order."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hybrid.engine.commit_before import CommitBefore
from hybrid.execution.execution import FAIL, Execution
from hybrid.execution.step import CHOICE, CONDITIONAL, LOAD, RMW, Step
from hybrid.execution.unfolding import Unfolding
from hybrid.model.core import Model
from hybrid.oracle.graph import GraphOracle
from hybrid.program.program import Program


class Walk:
    """Commits events that commit-before enables, with parameters that the oracle allows, and takes
    some back."""

    def __init__(self, program: Program, model: Model, seed: int) -> None:
        self.rng = random.Random(seed)
        guess = not CommitBefore.holds_po(model)
        self.execution = Execution(Unfolding(program, 2, guess))
        self.before = CommitBefore(model, self.execution)
        self.oracle = GraphOracle(model, self.execution)
        self.before.take_in(0)

    def candidates(self, step: Step) -> list[int]:
        execution = self.execution
        if step.kind == CHOICE:
            return [0, 1]
        order = execution.co[execution.location[step.event]]
        if step.kind in (LOAD, RMW):
            return [w for w in order if execution.satisfies(step, execution.stored[w])]
        places = list(range(1, len(order) + 1))
        if step.kind == CONDITIONAL:
            reserve = step.reserve
            assert reserve is not None
            same = execution.location[reserve.event] == execution.location[step.event]
            places = places if same else []
            return [*places, FAIL] if step.decides else places
        return places

    def steps(self, count: int) -> Iterator[tuple[Step, int]]:
        """Yields after each commit: the step and the length of the run."""
        execution, oracle, rng = self.execution, self.oracle, self.rng
        for _ in range(count):
            if execution.run and rng.random() < 0.3:
                oracle.rollback()
                execution.rollback()
            self.before.take_in(0)
            pending = [
                step
                for step in execution.steps
                if step is not None
                and execution.pending >> step.event & 1
                and execution.steps[step.event] is step
                and self.before.enabled(step)
            ]
            if not pending:
                continue
            step = rng.choice(sorted(set(pending), key=lambda s: s.event))
            choices = self.candidates(step)
            if step.kind != CHOICE:
                real = [c for c in choices if c != FAIL]
                allowed = oracle.allowed(execution, step.event, real)
                choices = allowed + [c for c in choices if c == FAIL]
            if not oracle.settled(execution) or not choices:
                continue
            choice = rng.choice(choices)
            if step.kind != CHOICE and choice != FAIL:
                assert oracle.allowed(execution, step.event, [choice]) == [choice]
            oracle.commit(step.event, choice)
            execution.commit(step.event, choice)
            yield step, len(execution.run)


class TwoOracles(GraphOracle):
    """With another at its side that judges the same in another way."""

    def follow(self, other: GraphOracle) -> None:
        self.other = other

    def commit(self, event: int, candidate: int) -> None:
        super().commit(event, candidate)
        self.other.recommit(self.execution, event, candidate)

    def rollback(self) -> None:
        super().rollback()
        self.other.rollback()

    def compare(self, walk: Walk, count: int) -> tuple[int, int]:
        """Asks both along a walk, of every event and candidate; gives the numbers of questions and
        of refusals."""
        walk.oracle = self
        execution = walk.execution
        compared = refused = 0
        for _ in walk.steps(count):
            walk.before.take_in(0)
            for step in dict.fromkeys(execution.steps):
                if step is None or step.kind == CHOICE:
                    continue
                if not execution.pending >> step.event & 1 or not walk.before.enabled(step):
                    continue
                for candidate in walk.candidates(step):
                    if candidate != FAIL:
                        found = self.allows(execution, step.event, candidate)
                        assert self.other.allows(execution, step.event, candidate) is found
                        compared += 1
                        refused += not found
            assert self.flags() == self.other.flags()
        return compared, refused
