"""One program under one model: from the engine that is chosen to a Result with its notes."""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.catalogue.choice import choose, may_fall_back
from hybrid.catalogue.engines import entry_of, make
from hybrid.engine.api import Limits
from hybrid.engine.configuration import Configuration
from hybrid.engine.prepare import prepared
from hybrid.model import orders
from hybrid.model.core import Model
from hybrid.parallel.sharing import Sharing
from hybrid.program.program import Program
from hybrid.report.expectation import compare
from hybrid.report.explored import explore_with
from hybrid.report.progress import Progress
from hybrid.report.result import TIME_OUT, Result
from hybrid.report.screen import terminal
from hybrid.report.watch import watch_for

NOT_SHARED = Sharing()  # by this process alone


@dataclass(frozen=True, slots=True)
class Exploring:
    """How programs are explored."""

    configuration: Configuration
    seconds: float | None = None  # for each program and model, reading included; None: for ever
    max_memory: int | None = None  # bytes of a process
    first: bool = False  # stop at the first trace that answers
    max_traces: int | None = None
    demanded: str = ""  # the answer that every program must get; empty: what the file expects
    counted: bool = True  # numbers of traces are shown or compared


@dataclass(frozen=True, slots=True)
class Prepared:
    """A program as it is to run under a model, and how it is explored there."""

    program: Program
    asked: Configuration  # what the user asks for, with what suits the program
    configuration: Configuration  # completed
    notes: tuple[str, ...]  # about the choice
    mapping: tuple[str, ...]  # about the machine's sequences


@dataclass(frozen=True, slots=True)
class Explorer:
    """Explores one program after the other."""

    asked: Exploring
    progress: bool = False  # lines on standard error say how far it has come
    sharing: Sharing = NOT_SHARED  # an exploration that can be divided is shared out

    def prepare(self, program: Program, model: Model) -> Prepared:
        """The program as it is to run under the model, and the engine that suits both."""
        how = self.asked.configuration.suiting(program)
        program, mapping = orders.mapped(how.mapping, program, model)
        program = prepared(program, model, how.loops)
        choice = choose(how, program, model, counted=self._counted(program, model))
        return Prepared(program, how, choice.configuration, tuple(choice.notes), tuple(mapping))

    def _counted(self, program: Program, model: Model) -> bool:
        """Whether it matters how many traces there are: it is asked for, or the file says."""
        expected = program.expectation(model.name)
        stated = expected is not None and expected.traces is not None
        return self.asked.counted or self.asked.max_traces is not None or stated

    def explore(self, program: Program, model: Model, deadline: float | None) -> Result:
        """What comes of the program, with the next engine if the first got stuck."""
        asked = self.asked
        ready = self.prepare(program, model)
        program, how, chosen = ready.program, ready.asked, ready.configuration
        limits = how.limits(deadline)
        limited = asked.max_traces is not None
        shared, note = self.sharing.wanted(chosen, limited)
        notes = [*ready.notes, *ready.mapping, *([note] if note else [])]
        if shared:
            result = self.sharing.explore(
                program, model, chosen, limits, asked.first, self.progress
            )
        else:
            result = self._here(program, model, limits, chosen)
        if result.counters.stuck and not result.partial and may_fall_back(how):
            choice = choose(how, program, model, stuck=True)
            notes = [*choice.notes, *ready.mapping]
            before = result.seconds
            result = self._here(program, model, limits, choice.configuration)
            result.seconds += before
        if result.partial.startswith(TIME_OUT) and asked.seconds is not None:
            result.partial = f"{TIME_OUT} after {asked.seconds:.3g} s"  # reading included
        ignored = orders.note(program, model)
        result.messages += [ignored, *notes] if ignored else notes
        if asked.demanded:
            compare(result, asked.demanded)
        return result

    def _here(
        self, program: Program, model: Model, limits: Limits, configuration: Configuration
    ) -> Result:
        """In this process."""
        asked = self.asked
        if asked.first:
            configuration = entry_of(configuration.engine).answering(configuration)
        engine = make(configuration)
        watch = watch_for(program, model, limits, configuration.equivalence, configuration.seed)
        with Progress(engine, program.name, terminal(), self.progress, watch):
            return explore_with(
                engine,
                configuration,
                program,
                model,
                limits,
                first=asked.first,
                max_traces=asked.max_traces,
                watch=watch,
            )
