"""Programs and models from text, and what `enumerate` says of them."""

from __future__ import annotations

import random
from functools import cache

from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.enumerate.check import Refusal, check_key
from hybrid.execution.trace import Status, Trace
from hybrid.frontend.prog import parse_program
from hybrid.model.core import Model
from hybrid.model.load import load_model, parse_model
from hybrid.program.program import Program
from hybrid.source import Source


def program(text: str) -> Program:
    return parse_program(Source("<test>", text))


@cache
def model(name: str) -> Model:
    return load_model(name)


@cache
def model_of(text: str) -> Model:
    """A model from its axioms in cat."""
    return parse_model(Source("<test>.cat", f'"test"\n{text}'), "test", [])


FREE = "empty 0 as nothing"  # allows everything
COHERENT = "acyclic (po & loc) | rf | co | (rf^-1; co) as coherent"


def explore(text: str, under: Model, unroll: int = 5) -> tuple[list[Trace], Enumerate]:
    """The traces, each found once and confirmed by the checker from its key alone."""
    engine, source = Enumerate(), program(text)
    traces = list(engine.explore(source, under, Limits(unroll)))
    keys = [trace.key() for trace in traces]
    assert len(set(keys)) == len(keys)
    for trace in traces:
        data = check_key(source, under, trace.key(), Limits(unroll))
        assert not isinstance(data, Refusal), data.reason
        assert data == trace.data()
        for term in source.terms:
            register = getattr(term, "register", None)
            if register is None:
                assert trace.value_of(term) == data.memory[term.address]  # type: ignore[union-attr]
            else:
                found = data.registers[term.thread].get(register, 0)  # type: ignore[union-attr]
                assert trace.value_of(term) == found
    by_status = [sum(t.status is s for t in traces) for s in Status]
    counters = engine.counters
    waiting = counters.deadlocks + counters.livelocks
    blocked = by_status.pop(1)
    assert by_status == [counters.complete, waiting, counters.cut, counters.errors]
    assert blocked == sum(t.status is Status.BLOCKED and bool(t.failed) for t in traces)
    return traces, engine


def count(text: str, under: Model, unroll: int = 5) -> int:
    """How many complete traces; besides there are only runs that wait for ever."""
    traces, engine = explore(text, under, unroll)
    assert engine.counters.thin_air == 0
    assert all(trace.status in (Status.COMPLETE, Status.WAITING) for trace in traces)
    return engine.counters.complete


def outcomes(text: str, under: Model, unroll: int = 5) -> set[tuple[int, ...]]:
    """The final values of what the condition speaks of, over the complete traces."""
    terms = program(text).terms
    return {
        trace.outcome(terms)
        for trace in explore(text, under, unroll)[0]
        if trace.status is Status.COMPLETE
    }


def random_program(seed: int, threads: int = 3, length: int = 3) -> str:
    """A small program with any instructions: dependencies of all kinds, fences, read-modify-writes,
    branches."""
    pick = random.Random(seed)
    places = "xyz"[: pick.randint(2, 3)]
    text = "; ".join(f"{place} at {i + 1} = 0" for i, place in enumerate(places)) + "\n"
    for t in range(pick.randint(2, threads)):
        text += f"thread T{t}: "
        registers: list[str] = []
        for i in range(pick.randint(1, length)):
            place, value, kind = pick.choice(places), str(pick.randint(1, 2)), pick.random()
            if registers and pick.random() < 0.5:
                register = pick.choice(registers)
                value = pick.choice([f"{register} + 1", f"({register} ^ {register}) + 1"])
            if registers and pick.random() < 0.3:
                register = pick.choice(registers)
                place = pick.choice([f"[1 + ({register} & 1)]", f"[{register} + 1]"])
            if kind < 0.35:
                text += f"r{i} := {place}; "
                registers.append(f"r{i}")
            elif kind < 0.7:
                text += f"{place} := {value}; "
            elif kind < 0.78:
                text += pick.choice(["sync; ", "lwsync; ", "isync; ", "mfence; "])
            elif kind < 0.86:
                call = pick.choice([f"faa(X, {value})", f"xchg(X, {value})", f"cas(X, 0, {value})"])
                text += f"r{i} := {call.replace('X', place)}; "
                registers.append(f"r{i}")
            elif kind < 0.9:
                text += f"r{i} := lr({place}); s{i} := sc({place}, {value}); "
                registers += [f"r{i}", f"s{i}"]
            elif kind < 0.93:
                text += f"r{i} := await({place} = 1); "
                registers.append(f"r{i}")
            elif registers:
                register = pick.choice(registers)
                text += pick.choice(
                    [
                        f"if {register} = 1 goto T{t}E; ",
                        f"if {register} = 2 goto T{t}S; ",
                        f"assume {register} != 2; ",
                        f"assert {register} = 0; ",
                    ]
                )
        start, rest = text.rsplit(f"thread T{t}: ", 1)
        text = f"{start}thread T{t}: T{t}S: skip; {rest}T{t}E: skip;\n"
    return text
