"""A small program that uses hybrid, for a type checker: tests/api/test_installed.py."""

from __future__ import annotations

from collections.abc import Iterator

import hybrid
from hybrid import InputError, Model, Program, ProgramBuilder, TraceView, Verdict, Verified


def message_passing(fence: str | None) -> Program:
    builder = ProgramBuilder("MP")
    x, y = builder.location("x"), builder.location("y", 0)
    cells = builder.array("a", 2)
    writer = builder.thread("P")
    writer.store(x, 1, "rlx")
    if fence is not None:
        writer.fence(fence)
    writer.store(y, 1, "rel")
    reader = builder.thread("Q")
    flag = reader.load(y, "acq")
    with reader.if_(flag == 1):
        reader.store(cells[flag], x.address)
    data = reader.load(x)
    builder.exists((flag == 1) & (data == 0) | (x == 7))
    return builder.build()


def outcomes(answer: Verified) -> dict[str, int]:
    found: dict[str, int] = {}
    for state in answer.states:
        for name, value in state.values.items():
            found[name] = max(found.get(name, value), value)
    traces: Iterator[TraceView] = answer.traces
    shown: list[str] = [trace.svg() for trace in traces]
    assert len(shown) == answer.count
    return found


def main() -> int:
    model: Model = Model.from_text("acyclic po | rf | co | fr as strict", name="mine")
    answer = hybrid.verify(message_passing(None), model=model, timeout=10.0, engine="rsmc")
    verdict: Verdict = answer.verdict
    witness: TraceView | None = answer.witness
    drawing: str = "" if witness is None else witness.svg()
    why = hybrid.explain(message_passing("lwsync"), "sc", outcome="Q:r0=1 /\\ Q:r1=0")
    names: list[str] = [axiom.name for axiom in why.axioms]
    check = hybrid.crosscheck(message_passing("sync"), "sc", engines="enumerate,rsmc")
    try:
        hybrid.load("nowhere.prog")
    except InputError as error:
        place: tuple[str, int, int] = (error.file, error.line, error.column)
        print(place, error.hint)
    print(verdict.value, outcomes(answer), drawing[:4], names, check.agree)
    return verdict.exit_code
