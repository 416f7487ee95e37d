"""Maximal extensions: the questions of engine/trust/maximality.py against the paper's lines, read
literally over sets."""

from __future__ import annotations

import pytest
from support import model

from hybrid.crosscheck.random_programs import random_program
from hybrid.crosscheck.shape import Shape
from hybrid.engine.api import Counters, Limits
from hybrid.engine.trust.explorer import TrustExploration
from hybrid.engine.trust.graph import ExecutionGraph
from hybrid.engine.trust.maximality import co_last, is_maximal_extension
from hybrid.execution.bits import members
from hybrid.execution.step import LOAD
from hybrid.program import instructions as ins

PLAIN = (ins.Load, ins.Store, ins.Assign, ins.Fence, ins.Branch, ins.Goto)


def is_load(graph: ExecutionGraph, event: int) -> bool:
    step = graph.steps[event]
    return step is not None and step.kind == LOAD


def is_maximally_added(graph: ExecutionGraph, event: int, past: set[int]) -> bool:
    """Lines 23 to 27 of Algorithm 1."""
    initial = set(members(graph.numbering.initial_writes))
    there = set(members(graph.present)) | initial
    previous = {e for e in there if e == event or graph.before[event] >> e & 1}
    previous |= (past & there) | initial
    if any(is_load(graph, r) and graph.source[r] == event for r in previous):
        return False
    store = graph.source[event] if is_load(graph, event) else event
    order = graph.co[graph.location[event]]
    later = order[order.index(store) + 1 :]
    return store in previous and not previous & set(later)


def naively(graph: ExecutionGraph, load: int, past: int) -> bool:
    """Lines 16 and 17."""
    kept = set(members(past))
    deleted = {
        e for e in members(graph.present) if not graph.before[load] >> e & 1 and e not in kept
    }
    assert load in deleted
    return all(is_maximally_added(graph, e, kept) for e in deleted)


class Compared(TrustExploration):
    """Asks both ways."""

    answers: dict[bool, int]

    def _may_revisit(self, load: int, past: int) -> bool:
        answer = super()._may_revisit(load, past)
        assert answer == is_maximal_extension(self.graph, load, past)
        assert answer == naively(self.graph, load, past)
        self.answers[answer] += 1
        return answer


@pytest.mark.parametrize("name", ["sc", "ra"])
def test_revisits_are_those_of_the_paper(name: str) -> None:
    answers = {False: 0, True: 0}
    for number in range(150):
        source = random_program(81, number, Shape(candidates=300))
        if not all(isinstance(i, PLAIN) for thread in source.threads for i in thread.code):
            continue
        threads = range(len(source.threads))
        exploration = Compared(source, model(name), Limits(2), Counters(), threads, "graph", "")
        exploration.answers = answers
        for _ in exploration.run():
            pass
    assert min(answers.values()) > 50, answers


def test_the_last_store_of_some() -> None:
    assert co_last([4, 2, 7], 1 << 4 | 1 << 2 | 1 << 7) == 7
    assert co_last([4, 2, 7], 1 << 4 | 1 << 2) == 2
    assert co_last([4, 2, 7], 1 << 4 | 1 << 9) == 4
