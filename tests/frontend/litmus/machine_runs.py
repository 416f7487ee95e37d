"""Small pieces of machine code, run: what registers and memory hold at the end, which dependencies
there are."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from support import model

from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.errors import InputError, Unsupported
from hybrid.execution.trace import Status
from hybrid.frontend.load import parse_litmus
from hybrid.program.program import Program
from hybrid.source import Source

Edges = set[tuple[str, int, int]]  # name of the relation, po indices


def litmus(arch: str, code: str, initial: str, final: str = "") -> Program:
    """A test of one thread; instructions of `code` stand between semicolons."""
    return parse_litmus(
        Source("test.litmus", f"{arch} test\n{{\n{initial}\n}}\n P0 ;\n {code} ;\n{final}\n")
    )


def results(
    arch: str, code: str, initial: Mapping[str, int | str], observed: str
) -> set[tuple[int, ...]]:
    """The final values of what is observed, in every complete run. Registers are given by name,
    locations as they are written."""
    names = [f"uint64_t 0:{name}={value}" for name, value in initial.items() if " " not in name]
    places = [f"{name}={value}" for name, value in initial.items() if " " in name]
    program = litmus(arch, code, "; ".join([*places, *names]) + ";", f"locations [{observed}]")
    found = set()
    for trace in Enumerate().explore(program, model("sc"), Limits()):
        assert trace.status is Status.COMPLETE
        found.add(tuple(trace.value_of(term) for term in program.terms))
    return found


def dependencies(arch: str, code: str, initial: str) -> list[Edges]:
    """addr, data and ctrl of each run, by po index; the longest run comes last."""
    program = litmus(arch, code, initial)
    traces = Enumerate().explore(program, model("sc"), Limits())
    found = sorted((trace.data() for trace in traces), key=lambda data: len(data.events))
    return [
        {
            (name, before[1], after[1])
            for name, pairs in (("addr", data.addr), ("data", data.data), ("ctrl", data.ctrl))
            for before, after in pairs
        }
        for data in found
    ]


def refusal(arch: str, code: str, initial: str = "", unsupported: bool = True) -> str:
    """What hybrid says of code that it does not take."""
    with pytest.raises(InputError) as caught:
        litmus(arch, code, initial)
    assert isinstance(caught.value, Unsupported) is unsupported
    return caught.value.render()
