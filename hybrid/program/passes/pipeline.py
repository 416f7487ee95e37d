"""Loops to assumes and awaits: all loops of a program, inner ones first."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hybrid.program import instructions as ins
from hybrid.program.condition import RegisterTerm
from hybrid.program.loops import has_loops
from hybrid.program.passes.accesses import Accesses
from hybrid.program.passes.cfg import ControlFlow, NaturalLoop
from hybrid.program.passes.conditions import TooManyError
from hybrid.program.passes.deciding import decided
from hybrid.program.passes.elimination import LoopElimination, LoopReport
from hybrid.program.passes.rewriting import Code
from hybrid.program.passes.setting import Setting
from hybrid.program.program import Program
from hybrid.program.thread import Thread


@dataclass(slots=True)
class Eliminated:
    """A program without the loops' pure iterations, and what was found out about its loops."""

    program: Program
    reports: list[LoopReport] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        return any(report.done for report in self.reports)


def eliminate(program: Program, setting: Setting) -> Eliminated:
    """The program with assumes, and awaits if the setting says so."""
    found = Eliminated(program)
    accesses = Accesses(program)
    taken = {each.label for thread in program.threads for each in thread.code}
    origins: dict[str, str] = {}
    threads: list[Thread] = []
    for number, thread in enumerate(program.threads):
        if not has_loops(thread.code):
            threads.append(thread)
            continue
        at_end = frozenset(
            t.register for t in program.asked if isinstance(t, RegisterTerm) and t.thread == number
        )
        work = _ThreadElimination(thread, number, at_end, setting, accesses, taken)
        code = work.run()
        kept = at_end - {register for each in code for register in each.sets}
        initial = dict.fromkeys(sorted(kept), 0) | dict(thread.initial)
        threads.append(replace(thread, code=code, initial=initial))
        found.reports += work.reports
        origins |= work.origins
    if found.changed:
        known = program.origins
        new = {label: known[of] for label, of in origins.items() if of in known}
        program = replace(program, threads=tuple(threads), origins={**known, **new})
    found.program = replace(program, loops=setting.words)
    return found


class _ThreadElimination:
    def __init__(
        self,
        thread: Thread,
        number: int,
        at_end: frozenset[str],
        setting: Setting,
        accesses: Accesses,
        taken: set[str],
    ) -> None:
        self.thread = thread
        self.number = number
        self.at_end = at_end
        self.setting = setting
        self.accesses = accesses
        self.taken = taken
        self.code: Code = thread.code
        self.done: set[str] = set()  # the labels of headers
        self.reports: list[LoopReport] = []
        self.origins: dict[str, str] = {}

    def run(self) -> Code:
        while True:
            flow = ControlFlow(self.code)
            loop = next((x for x in flow.loops if self._label(x.header) not in self.done), None)
            if loop is None:
                return self.code
            self.done.add(self._label(loop.header))
            self._loop(flow, loop)

    def _label(self, at: int) -> str:
        """Of an instruction, those that were put in left out."""
        while self.code[at].label in self.origins:
            at += 1
        return self.code[at].label

    def _loop(self, flow: ControlFlow, loop: NaturalLoop) -> None:
        first, last = self.code[loop.header], self.code[loop.back[-1]]
        report = LoopReport(self.thread.name, first.label, last.label)
        self.reports.append(report)
        if not flow.reducible(loop):
            report.reasons.append("a jump leads into the middle of an inner loop")
            return
        try:
            work = LoopElimination(
                flow,
                loop,
                flow.live(self.at_end)[loop.header],
                self.setting,
                self.accesses.may_fail,
                self._races,
                self._new_label,
                report,
            )
            code = work.run()
        except TooManyError:
            report.reasons.append("too many ways through it")
            return
        self.origins |= work.origins
        if report.done:
            self.code = decided(code, self.setting.dependencies)

    def _races(self, access: ins.Access) -> bool:
        return self.accesses.may_race(self.number, access)

    def _new_label(self, label: str) -> str:
        number, made = 1, f"{label}_pure"
        while made in self.taken:
            number += 1
            made = f"{label}_pure{number}"
        self.taken.add(made)
        return made
