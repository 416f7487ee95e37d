"""The protocol of trying, committing and undoing: whatever was tried and taken back on the way, an
oracle answers as a new one does that is told the commits alone."""

from __future__ import annotations

import pytest
from support import model, program
from walks import Walk

from hybrid.crosscheck.random_programs import random_program
from hybrid.errors import InternalError
from hybrid.execution.execution import FAIL, Execution
from hybrid.execution.step import CHOICE, Step
from hybrid.execution.unfolding import Unfolding
from hybrid.model.core import Model
from hybrid.oracle.api import Oracle
from hybrid.oracle.make import make_oracle, make_rf_oracle
from hybrid.program.program import Program

pytestmark = pytest.mark.large

CASES = [
    ("graph", "sc"),
    ("graph", "power"),
    ("graph", "rc11"),
    ("graph", "armv7"),  # looks ahead: coherence is partly open
    ("pysat", "sc"),
    ("pysat", "power"),
    ("pysat", "armv7"),
    ("z3", "tso"),
]


def made(name: str, under: Model, execution: Execution, classes: bool) -> Oracle:
    if classes:
        return make_rf_oracle(name, under, execution)
    return make_oracle(name, under, execution)


class Troubled(Walk):
    """A walk that also asks for what it does not want, in between."""

    def __init__(self, source: Program, under: Model, name: str, classes: bool, seed: int) -> None:
        super().__init__(source, under, seed)
        self.model = under
        self.name = name
        self.classes = classes
        self.oracle = made(name, under, self.execution, classes)  # type: ignore[assignment]

    def again(self) -> tuple[Execution, Oracle]:
        """A new execution and a new oracle that are told the same commits and nothing else."""
        execution = Execution(self.execution.unfolding)
        oracle = made(self.name, self.model, execution, self.classes)
        for event, parameter in self.execution.run:
            oracle.recommit(execution, event, parameter)
            execution.commit(event, parameter)
        return execution, oracle

    def trouble(self, step: Step) -> None:
        """Calls that must leave no trace."""
        real = [c for c in self.candidates(step) if c != FAIL] if step.kind != CHOICE else []
        for _ in range(self.rng.randrange(3)):
            self.rng.shuffle(real)
            self.oracle.allowed(self.execution, step.event, real)
            if self.rng.random() < 0.3:
                self.oracle.settled(self.execution)
            if self.execution.run and self.rng.random() < 0.3:  # the last commit back and again
                event, parameter = self.execution.run[-1]
                self.oracle.rollback()
                self.execution.rollback()
                self.oracle.recommit(self.execution, event, parameter)
                self.execution.commit(event, parameter)
            self._lift(self.rng.randrange(3))

    def _lift(self, count: int) -> None:
        """Takes some commits away, does something else meanwhile, and puts them back."""
        run = self.execution.run[-count:] if count else []
        lifted = []
        for _ in run:
            self.execution.rollback()
            lifted.append(self.oracle.lift())
        if run:
            self.oracle.settled(self.execution)
            event, parameter = run[0]
            self.oracle.recommit(self.execution, event, parameter)
            self.oracle.rollback()
        for (event, parameter), frame in zip(run, reversed(lifted), strict=True):
            if frame is None:
                self.oracle.recommit(self.execution, event, parameter)
            self.execution.commit(event, parameter)
            if frame is not None:
                self.oracle.put_back(self.execution, frame)


def answers(oracle: Oracle, execution: Execution, step: Step, real: list[int]) -> object:
    allowed = oracle.allowed(execution, step.event, real)
    return sorted(allowed), oracle.settled(execution)


@pytest.mark.parametrize("classes", [False, True], ids=["traces", "classes"])
@pytest.mark.parametrize(("name", "under"), CASES)
def test_answers_depend_on_the_commits_alone(name: str, under: str, classes: bool) -> None:
    compared = refused = 0
    for number in range(4 if name == "z3" else 5):
        source = random_program(21, number)
        walk = Troubled(source, model(under), name, classes, number)
        for _ in walk.steps(14):
            walk.before.take_in(0)
            pending = [
                step
                for step in dict.fromkeys(walk.execution.steps)
                if step is not None
                and walk.execution.pending >> step.event & 1
                and walk.before.enabled(step)
                and step.kind != CHOICE
            ]
            execution, oracle = walk.again()
            assert execution.fetched == walk.execution.fetched
            for step in pending:
                walk.trouble(step)
                real = [c for c in walk.candidates(step) if c != FAIL]
                expected = answers(oracle, execution, step, real)
                assert answers(walk.oracle, walk.execution, step, real) == expected
                compared += 1
                refused += len(real) - len(expected[0])  # type: ignore[index]
    assert compared > 20
    assert refused or classes


@pytest.mark.parametrize("name", ["graph", "pysat"])
def test_no_reason_without_a_refusal(name: str) -> None:
    execution = Execution(Unfolding(program("x = 0 thread P: x := 1; r := x;"), 2, True))
    oracle = make_oracle(name, model("sc"), execution)
    first = next(step for step in execution.steps if step is not None)
    assert oracle.allowed(execution, first.event, [1]) == [1]
    oracle.commit(first.event, 1)
    execution.commit(first.event, 1)
    with pytest.raises(InternalError, match="no candidate was refused"):
        oracle.reason()


@pytest.mark.parametrize("name", ["graph", "pysat"])
def test_the_frame_on_top_has_what_was_fetched_since(name: str) -> None:
    """A commit that lets the execution fetch more must be followed by a question."""
    text = "x = 0 y = 0 thread P: r := x; if r goto A; y := 1; A: y := 2;"
    execution = Execution(Unfolding(program(text), 2, True))
    oracle = make_oracle(name, model("sc"), execution)
    load = next(step for step in execution.steps if step is not None)
    source = execution.co[execution.location[load.event]][0]
    assert oracle.allowed(execution, load.event, [source]) == [source]
    fetched = execution.fetched
    oracle.commit(load.event, source)
    execution.commit(load.event, source)
    assert execution.fetched != fetched
    later = next(s for s in execution.steps if s is not None and execution.pending >> s.event & 1)
    with pytest.raises(InternalError, match="without asking"):
        oracle.commit(later.event, 1)
    assert oracle.settled(execution)
    oracle.rollback()
    execution.rollback()
    assert execution.fetched == fetched
    assert oracle.allowed(execution, load.event, [source]) == [source]
