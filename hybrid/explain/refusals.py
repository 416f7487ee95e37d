"""Why no execution reaches an outcome: the candidates that would, and the axioms that refuse them.

A candidate is everything that the program's text permits: paths, reads-from, coherence. A solver is
asked for those alone that reach the outcome. Those whose coherence agrees with program order
(encodings/include/coherence.cat) come first; only if there are none the others are looked at, since
every model forbids these for the same reason.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace

from hybrid.bmc.engine import Reaching
from hybrid.data import bundled
from hybrid.engine.api import Limits, Stopped
from hybrid.errors import InternalError
from hybrid.execution.trace import EventId, Trace, TraceData, key_of
from hybrid.model.core import Model
from hybrid.model.load import load_model
from hybrid.oracle.core_of_trace import explain_by_core
from hybrid.oracle.of_trace import length_of, shortest_reason
from hybrid.oracle.plan import Plan
from hybrid.oracle.reason import Reason
from hybrid.oracle.reasons import full_plan
from hybrid.printable import joined
from hybrid.program.condition import Condition, Formula, Quantifier
from hybrid.program.program import Program
from hybrid.report.progress import Progress
from hybrid.report.result import INTERRUPTED
from hybrid.report.screen import terminal
from hybrid.time_limit import time_limit
from hybrid.witness.graph import Emphasis
from hybrid.witness.steps import WitnessStep, steps_of
from hybrid.witness.text import trace_text

_PLACE = re.compile(r"(.+)\[(.+?)\]")  # a fence and its place, in the label of an edge


@dataclass(frozen=True, slots=True)
class Refused:
    """A candidate that an axiom refuses, with the shortest cycle."""

    reason: Reason
    data: TraceData

    @property
    def rank(self) -> tuple[object, ...]:
        """Orders candidates, the one to show first; in the end by its text and its key, so that it
        is always the same one."""
        return *length_of(self.reason), cycle_text(self), key_of(self.data)


@dataclass(slots=True)
class RefusalGroup:
    """The candidates that one axiom refuses."""

    count: int = 0
    shortest: Refused | None = None

    def add(self, refused: Refused) -> None:
        self.count += 1
        if self.shortest is None or refused.rank < self.shortest.rank:
            self.shortest = refused


class Refusals:
    """The candidates that reach the target, by the axiom that refuses them."""

    def __init__(self) -> None:
        self.groups: dict[str, RefusalGroup] = {}
        self.coherent = True  # the candidates looked at are; else there is no coherent one
        self.circular = False  # some are left out: their values justify themselves in a circle
        self.cut = False  # some run reaches the loop bound
        self.stopped = ""  # why not all candidates were looked at
        self.allowed: Trace | None = None  # one that no axiom refuses; the search ends there

    @property
    def total(self) -> int:
        return sum(group.count for group in self.groups.values())

    @property
    def shortest(self) -> Refused | None:
        """The candidate with the shortest cycle of all."""
        found = [group.shortest for group in self.groups.values() if group.shortest is not None]
        return min(found, key=lambda refused: refused.rank, default=None)

    def look(
        self,
        program: Program,
        model: Model,
        outcome: Formula | None,
        bounds: Limits,
        seconds: float,
        most: int,
    ) -> None:
        """Looks at the candidates that reach the outcome (None: in which an assert fails), for some
        time and at `most` so many."""
        asked = program
        if outcome is not None:
            asked = replace(program, condition=Condition(outcome.span, Quantifier.EXISTS, outcome))
        coherence = load_model(str(bundled("encodings") / "include" / "coherence.cat"))
        limits = replace(bounds, deadline=time.monotonic() + seconds)
        engine = Reaching(asserts=outcome is None)
        plan = full_plan(model)
        try:
            with time_limit(seconds), Progress(engine, f"reasons: {program.name}", terminal()):
                for free in (coherence, replace(coherence, axioms=())):
                    self.coherent = bool(free.axioms)
                    for trace in engine.explore(asked, free, limits):
                        if self.total == most:
                            self.stopped = f"only the first {most} were looked at (--candidates)"
                            break
                        if not self._refuse(replace(trace.data(), program=program), model, plan):
                            self.allowed = trace
                            break
                    self.circular |= engine.counters.thin_air > 0
                    self.cut |= engine.counters.cut > 0
                    if self.total or self.stopped or self.allowed is not None:
                        break
        except Stopped as stop:
            late = f"the time for reasons was up after {seconds:.3g} s (--timeout)"
            self.stopped = stop.told or late
        except KeyboardInterrupt:
            self.stopped = INTERRUPTED
        except MemoryError:
            self.stopped = "out of memory"

    def _refuse(self, data: TraceData, model: Model, plan: Plan) -> bool:
        """Whether some axiom refuses the candidate; it is then counted under the one with the
        shortest cycle."""
        steps = steps_of(data)
        reason = shortest_reason(data, model, plan, lambda event: fence_name(steps[event]))
        if reason is not None:
            self.groups.setdefault(reason.axiom, RefusalGroup()).add(Refused(reason, data))
        return reason is not None

    def text(self, model: Model, reasons: str) -> str:
        """The refusals in words; `reasons` says where those of the execution shown come from."""
        lines = [*self._summary()]
        if self.circular:
            lines.append("Left out: candidates whose values justify themselves in a circle.")
        if self.stopped:
            lines.append(f"These reasons are partial: {self.stopped}.")
        groups = [(axiom, g, g.shortest) for axiom, g in self.groups.items() if g.shortest]
        for axiom, group, shortest in sorted(groups, key=lambda found: found[2].rank):
            count = _count(group.count, "candidate")
            lines += ["", f"Forbidden by axiom {axiom} in {count}:"]
            lines += [f"  {line}".rstrip() for line in _reason_lines(shortest, model, reasons)]
        return joined(lines)

    def _summary(self) -> list[str]:
        if self.total:
            if self.coherent:
                noun = "coherent candidate execution"
                return [f"{_count(self.total, noun)} would reach it."]
            noun = "candidate execution"
            return [
                "No coherent candidate execution reaches it.",
                f"{_count(self.total, noun)} whose coherence contradicts program order would.",
            ]
        if self.stopped:
            return ["No candidate execution that would reach it was found."]
        within = " within the loop bound" if self.cut else ""
        always = "" if self.cut or self.circular else ", whatever the model"
        return [f"No candidate execution{within} reaches it{always}."]


def _reason_lines(refused: Refused, model: Model, reasons: str) -> list[str]:
    """The offending cycle on one line, or one from the graphs and one from a core; then the
    execution in which it stands."""
    lines = [cycle_text(refused)] if reasons == "graph" else []
    if reasons != "graph":
        by_core = explain_by_core(refused.data, model)
        if by_core is None:
            raise InternalError("the graphs refuse an execution that the solver allows")
        if reasons == "both":
            lines.append(f"graph  {refused.reason.axiom}, {cycle_text(refused)}")
        lines.append(f"core   {by_core.axiom}, {cycle_text(Refused(by_core, refused.data))}")
    return [*lines, *_legend(refused), "", *trace_text(refused.data).rstrip("\n").split("\n")]


def cycle_text(refused: Refused) -> str:
    """`acyclic: P0_1 --lob: dmb.sy[P0_2]--> P0_3 --fre--> P1_1 …`"""
    steps, reason = steps_of(refused.data), refused.reason
    cycle = "".join(f"{steps[edge.start].name} --{edge.label}--> " for edge in reason.edges)
    end = steps[reason.edges[-1].end].name if reason.edges else ""
    return f"{reason.test}: {cycle}{end}"


def _legend(refused: Refused) -> list[str]:
    """Of a compiled program: what the source has at the places of the cycle, in its order."""
    data, steps = refused.data, steps_of(refused.data)
    if not data.program.compiled:
        return []
    cycle = emphasis_of(refused)
    events = [event for start, _, end in cycle.edges for event in (start, end)]
    named = {steps[i].name: steps[i] for i in (*events, *sorted(cycle.events))}
    width = max(map(len, named), default=0)
    threads = [thread.name for thread in data.program.threads]
    return ["where"] + [
        f"  {name.ljust(width)}  {'' if step.initial else f'{threads[step.thread]}: '}{step.text}"
        for name, step in named.items()
    ]


def fence_name(step: WitnessStep) -> str:
    """A fence as the program has it, and its place: `dmb.sy[P0_2]`, `fence rw,rw[P1_3]`,
    `sync[L4]`."""
    if step.origin is not None:  # the legend has its text
        return f"fence[{step.name}]"
    words = step.text.split()
    if len(words) == 2 and words[1].isalpha():  # DMB SY
        return f"{'.'.join(words).lower()}[{step.name}]"
    return f"{step.text.lower() if len(words) < 3 else step.text}[{step.name}]"


def emphasis_of(refused: Refused) -> Emphasis:
    """The cycle as a drawing shows it: step by step, each fence by its name."""
    places: dict[str, EventId] = {step.name: i for i, step in steps_of(refused.data).items()}
    edges: list[tuple[EventId, str, EventId]] = []
    fences: set[EventId] = set()
    for edge in refused.reason.edges:
        for start, label, end in edge.steps or ((edge.start, edge.label, edge.end),):
            match = _PLACE.fullmatch(label)
            if match is not None and match[2] in places:
                fences.add(places[match[2]])
                label = match[1]
            edges.append((start, label, end))
    note = f"forbidden by axiom {refused.reason.axiom}, {cycle_text(refused)}"
    return Emphasis(tuple(edges), frozenset(fences), "the cycle", note)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
