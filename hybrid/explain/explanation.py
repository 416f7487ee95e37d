"""The words of `hybrid explain`: the verdict as soon as it is known, then the execution or the
reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TextIO

from hybrid.engine.api import Limits
from hybrid.execution.trace import Trace, TraceData
from hybrid.execution.wait_text import waiting_note
from hybrid.explain.refusals import Refusals, emphasis_of
from hybrid.explain.search import Search
from hybrid.explain.target import Target
from hybrid.model.core import Model
from hybrid.printable import joined
from hybrid.program.program import Program
from hybrid.report.colour import in_report
from hybrid.report.result import INTERRUPTED
from hybrid.report.screen import write_coloured
from hybrid.report.violations import mixed_text, mixes_sizes
from hybrid.report.witness_lines import trace_lines
from hybrid.verdict import Verdict
from hybrid.witness.graph import Emphasis

GRAPH, CORE, BOTH = "graph", "core", "both"  # where the reason of a refused execution comes from


@dataclass(frozen=True, slots=True)
class ReasonsAsked:
    """How reasons are looked for."""

    source: str  # GRAPH, CORE or BOTH
    seconds: float
    candidates: int  # to be looked at, at most
    limits: Limits
    errors: bool  # a run that errs is the answer, whatever else is asked


class Explanation:
    """Writes the verdict, then the execution or the reasons; keeps what a drawing is to show."""

    def __init__(
        self,
        program: Program,
        model: Model,
        target: Target,
        engine: str,
        asked: ReasonsAsked,
        stream: TextIO,
    ) -> None:
        self.program = program
        self.model = model
        self.target = target
        self.engine = engine
        self.asked = asked
        self.stream = stream
        self.shown: TraceData | None = None  # the execution to draw
        self.emphasis: Emphasis | None = None  # and what of it is in bold
        self.text = ""  # what was written
        self.refusals: Refusals | None = None  # the candidates that were looked at
        self.partial = ""  # why there may be more to say; empty: there is not

    def tell(self, found: Search) -> Verdict:
        self.partial = found.open
        if found.trace is not None:
            return self._reached(self.target.if_reached, found.trace)
        if found.erring is not None and self.asked.errors:
            return self._errs(found.erring)
        if self.target.nothing:
            return self._nothing(found)
        verdict = Verdict.INCONCLUSIVE if found.open else Verdict.FORBIDDEN
        traces = f"{found.seen} trace{'s' if found.seen != 1 else ''}"
        if found.open:
            self._say(f"not reached in {traces}, but not decided: {found.open}")
        else:
            self._say(f"{verdict.value}: none of {traces} reaches it.")
        if found.erring is not None:
            self._say(f"A run errs: {found.erring.data().error}.")
        if found.waiting is not None:
            self._say(self._waits(found.waiting))
        if found.open == INTERRUPTED:
            return verdict
        refusals = self._refusals()
        if refusals.allowed is not None and found.open:
            return self._reached(self.target.if_reached, refusals.allowed)
        if refusals.allowed is not None:
            return self._reached(Verdict.DISAGREE, refusals.allowed)
        self._write(refusals.text(self.model, self.asked.source))
        if refusals.shortest is not None:
            self.shown, self.emphasis = refusals.shortest.data, emphasis_of(refusals.shortest)
        return verdict

    def _errs(self, trace: Trace) -> Verdict:
        """The program accesses no location: that is what is wrong with it, whatever it claims."""
        self.shown = trace.data()
        if mixes_sizes(trace):
            self._say(f"UNSUPPORTED: {mixed_text(trace.data())}\n")
        else:
            self._say(f"{Verdict.VIOLATED.value}: {trace.data().error}\n")
        self._write(joined(trace_lines(trace, self.asked.limits)))
        return Verdict.ERROR if mixes_sizes(trace) else Verdict.VIOLATED

    def _nothing(self, found: Search) -> Verdict:
        """The program claims nothing and no access errs; a run in which threads wait is shown."""
        if found.waiting is not None:
            self.shown = found.waiting.data()
            self._say(f"{self._waits(found.waiting)}\n")
            self._write(joined(trace_lines(found.waiting, self.asked.limits)))
            return Verdict.INCONCLUSIVE if found.open else Verdict.HOLDS
        self._say(f"nothing found, but not decided: {found.open}")
        return Verdict.INCONCLUSIVE

    def _waits(self, trace: Trace) -> str:
        note = waiting_note(self.program, 0, 0, trace.data().waiting, counted=False)
        return f"{note[0].upper()}{note[1:]}"

    def _say(self, line: str) -> None:
        """The verdict, which nobody should have to wait for."""
        self.text += f"{line}\n"
        write_coloured(self.stream, f"{line}\n", in_report)
        self.stream.flush()

    def _write(self, text: str) -> None:
        self.text += text
        self.stream.write(text)

    def _refusals(self) -> Refusals:
        asked, refusals = self.asked, Refusals()
        refusals.look(
            self.program,
            self.model,
            self.target.formula,
            asked.limits,
            asked.seconds,
            asked.candidates,
        )
        self.refusals = refusals
        if not self.partial or refusals.stopped == INTERRUPTED:
            self.partial = refusals.stopped
        return refusals

    def _reached(self, verdict: Verdict, trace: Trace) -> Verdict:
        if verdict is Verdict.DISAGREE:
            self._say(
                f"{verdict.value}: {self.engine} does not find this execution, and no axiom "
                "forbids it.\n"
                f"The commit-before of {self.model.name} does not fit its axioms, or hybrid has a "
                "bug; --engine enumerate needs no commit-before.\n"
            )
        else:
            self._say(f"{verdict.value}: this execution reaches it.\n")
        self._write(joined(trace_lines(trace, self.asked.limits)))
        self.shown = trace.data()
        return verdict
