"""The relations that a model names, on whole executions: those of the graph oracle are those of the
enumerator. (Reasons for traces are tested in test_reasons.py.)"""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import model, model_of, program

from hybrid.crosscheck.random_programs import random_program
from hybrid.data import builtin_models
from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.enumerate.check import _evaluation
from hybrid.engine.enumerate.relations import members
from hybrid.execution.trace import Pairs, TraceData
from hybrid.model import core
from hybrid.model.core import Axiom, Kind, Model, Ref
from hybrid.oracle.of_trace import own_relations

NONE = core.Test.EMPTY
MP = r"""
x = 0; y = 0
thread P: L0: x := 1; sync; L1: y := 1;
thread Q: L2: r0 := y; L3: r1 := cas(x, 0, 2);
"""


def by_enumerate(data: TraceData, under: Model) -> dict[str, Pairs]:
    """Each definition is made the expression of a flag, whose value the enumerator gives."""
    flags = [
        Axiom(each.span, NONE, True, Ref(each.span, each.kind, index), each.name, flag=True)
        for index, each in enumerate(under.definitions)
        if each.kind is Kind.RELATION and each.span.source.name == under.path
    ]
    flagged = replace(under, name=f"{under.name}-flagged", axioms=(*under.axioms, *flags))
    evaluation = _evaluation(data, flagged)
    found = {}
    for number, flag in enumerate(flags, len(under.axioms)):
        value = evaluation.value(number)
        assert isinstance(value, list)
        ids = [event.id for event in data.events]
        found[flag.name] = frozenset(
            (ids[i], ids[j]) for i, row in enumerate(value) for j in members(row)
        )
    return found


@pytest.mark.parametrize("name", builtin_models())
def test_as_the_enumerator_has_them(name: str) -> None:
    under = model(name)
    programs = [program(MP), *(random_program(1, number) for number in range(4))]
    met = 0
    for each in programs:
        for trace in list(Enumerate().explore(each, under, Limits(1)))[:6]:
            data = trace.data()
            found = {definition.name: pairs for definition, pairs in own_relations(data, under)}
            assert found == by_enumerate(data, under)
            met += bool(any(found.values()))
    assert met or name in ("sc", "ra")


def test_the_library_is_left_out() -> None:
    under = model_of("let mine = rf | co let set = W acyclic mine | po | fr as a")
    [trace, *_] = Enumerate().explore(program(MP), under, Limits())
    assert [definition.name for definition, _ in own_relations(trace.data(), under)] == ["mine"]
