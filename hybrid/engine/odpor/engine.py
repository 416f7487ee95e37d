"""The engines on interleavings: which machine runs the program, and what they take.

They ask no oracle: the model's text says that the runs of a machine are the executions that its
axioms allow (machines.py). Traces number 1, 2, 4, 8, … of an exploration are judged by the axioms
all the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from hybrid.engine.api import FAA, POLICIES, Counters, Limits, check_word
from hybrid.engine.atomic_updates import check_atomic_updates
from hybrid.engine.odpor.explorer import OdporExploration
from hybrid.engine.odpor.independent_adds import independent_adds
from hybrid.engine.odpor.machines import operational, start
from hybrid.engine.odpor.source_sets import SourceExploration
from hybrid.errors import InputError
from hybrid.execution.trace import Trace
from hybrid.model import core
from hybrid.oracle.of_trace import explain_trace
from hybrid.program import instructions as ins
from hybrid.program.program import Program


class Odpor:
    """Explores one execution of each happens-before order. With `wakeup` no other is ever
    begun."""

    def __init__(
        self,
        policy: str = "first",
        seed: int = 0,
        equivalence: str = "trace",
        wakeup: bool = True,
    ) -> None:
        check_word("policy", policy, POLICIES)
        self.name = "odpor" if wakeup else "odpor-source"
        self.wakeup = wakeup
        self.policy = policy
        self.seed = seed
        self.equivalence = equivalence
        self.counters = Counters()

    def explore(self, program: Program, model: core.Model, limits: Limits) -> Iterator[Trace]:
        self.counters = Counters()
        adds = independent_adds(program) if self.equivalence == FAA else frozenset[str]()
        order = start(program, model, limits, adds)
        made = OdporExploration if self.wakeup else SourceExploration
        exploration = made(order, limits, self.counters, self.policy, self.seed)
        return _judged(exploration.run(), model)


def _judged(traces: Iterator[Trace], model: core.Model) -> Iterator[Trace]:
    """The same traces, some of them judged by the model's axioms."""
    for number, trace in enumerate(traces, 1):
        if not number & (number - 1):
            reason = explain_trace(trace.data(), model)
            if reason is not None:
                raise InputError(
                    f"a run of the machine {operational(model)} is refused by the axiom "
                    f"{reason.axiom} of {model.name}, whose text says that it is one of the model"
                )
        yield trace


def check_supported(program: Program | None, model: core.Model, engine: str) -> None:
    """Raises an InputError when an engine on interleavings cannot explore `program` (None: any
    program) under `model`."""
    machine = operational(model)
    if not machine:
        raise InputError(
            f"{engine} runs programs step by step, and no machine is known whose runs are the "
            f"executions that {model.name} allows",
            hint="A comment `(*% operational sc *)` in the model's text names one: "
            f"{', '.join(core.OPERATIONALS)}.",
        )
    for flag in model.flags:
        raise InputError(
            f"{engine} does not judge executions, and the model {model.name} has a flag: "
            f"{flag.name}",
            flag.span,
        )
    for thread in () if program is None else program.threads:
        for instruction in thread.code:
            if isinstance(instruction, ins.StoreConditional) and machine != core.SEQUENTIAL:
                raise InputError(
                    f"{engine} does not take store-conditionals on the machine {machine}",
                    instruction.span,
                )
            if instruction.writes and not isinstance(instruction, ins.Store):
                check_atomic_updates(engine, model)
