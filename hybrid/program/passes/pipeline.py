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
from hybrid.program.passes.repeated_states import Watched, watched
from hybrid.program.passes.rewriting import Code
from hybrid.program.passes.setting import Setting
from hybrid.program.program import Program
from hybrid.program.thread import Thread

_AGAIN = "goes round and round"  # what a thread of a compiled program does that stops there


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
    stops: list[str] = []
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
        stops += work.stops
    if found.changed:
        known = program.origins
        new = {label: known[of] for label, of in origins.items() if of in known}
        new |= {label: replace(new[label], message=_AGAIN) for label in stops if label in new}
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
        self.stops: list[str] = []  # labels of what stops rounds that have changed nothing

    def run(self) -> Code:
        while True:
            flow = ControlFlow(self.code)
            loop = next((x for x in flow.loops if self._label(x.header) not in self.done), None)
            if loop is None:
                break
            self.done.add(self._label(loop.header))
            self._loop(flow, loop)
        if self.setting.dynamic:
            self._watch()
        return self.code

    def _watch(self) -> None:
        """Makes the thread stop where a round of a loop that is left has changed nothing."""
        whole = {each.header for each in self.reports if each.done and not each.reasons}
        found = watched(
            self.code,
            self.at_end,
            self.setting,
            self._races,
            self._watching_label,
            lambda header: self._label(header) in whole,
        )
        for loop in found.loops:
            self._told_of(loop)
        self.code = found.code

    def _told_of(self, loop: Watched) -> None:
        label = self._label(loop.header)
        report = next((each for each in self.reports if each.header == label), None)
        if report is None:
            report = LoopReport(self.thread.name, label, label)
            self.reports.append(report)
        if loop.text:
            report.done.append(loop.text)
            self.stops.append(loop.stops)
        else:
            report.kept.append(loop.reason)

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
        return self._untaken(f"{label}_pure")

    def _watching_label(self, label: str) -> str:
        made = self._untaken(f"{label}_again")
        self.origins[made] = self.origins.get(label, label)
        return made

    def _untaken(self, name: str) -> str:
        number, made = 1, name
        while made in self.taken:
            number += 1
            made = f"{name}{number}"
        self.taken.add(made)
        return made
