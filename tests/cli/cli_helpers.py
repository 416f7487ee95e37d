"""What the tests of the command line share: programs, running `hybrid`, masking times."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hybrid.cli.main import main
from hybrid.engine.api import Counters, Engine, Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.execution.trace import Trace
from hybrid.model.core import Model
from hybrid.program.program import Program

PROGRAMS = {
    "sb": r"""
        x = 0; y = 0
        thread P: L0: x := 1; L1: r0 := y;
        thread Q: L2: y := 1; L3: r1 := x;
        exists (P:r0 = 0 /\ Q:r1 = 0)
        expect sc: FORBIDDEN 3 traces, power: ALLOWED 4 traces
        """,
    "sb_wrong": r"""
        x = 0; y = 0
        thread P: L0: x := 1; L1: r0 := y;
        thread Q: L2: y := 1; L3: r1 := x;
        exists (P:r0 = 0 /\ Q:r1 = 0)
        expect sc: ALLOWED 4 traces
        """,
    "mp_claim": r"""
        x = 0; y = 0
        thread P: L0: x := 1; sync; L1: y := 1;
        thread Q: L2: r0 := y; L3: r1 := x;
        ~exists (Q:r0 = 1 /\ Q:r1 = 0)
        expect power: VIOLATED 4 traces
        """,
    "forall": r"""
        x = 0
        thread P: L0: x := 1;
        thread Q: L1: x := 2;
        forall (x = 1 \/ x = 2)
        """,
    "assert_fails": r"""
        x = 0
        thread P: L0: x := 1;
        thread Q: L1: r := x; A: assert r = 0;
        """,
    "bad_address": r"""
        x = 0
        thread P: L0: r := x; L1: [r + 7] := 1;
        """,
    "pointers": r"""
        x = 7; a[2] = {1, 2}; p = &a
        thread P: L0: q := p; L1: r := [q];
        thread Q: L2: p := &x; L3: s := xchg(p, &a[1]);
        exists (P:q = &x /\ P:r = 7)
        locations [p; Q:s]
        """,
    "past_the_end": r"""
        a[2] = {1, 2}; b = 7
        thread P: L0: i := 0; L1: while i <= 2 { L2: r := a[i]; L3: i := i + 1; }
        """,
    "spin": r"""
        x = 0
        thread P: L0: x := 1;
        thread Q: S: r := x; k := k + 1; B: if r = 0 && k < 100 goto S;
        exists (Q:r = 2)
        """,
    "spin_expected": r"""
        x = 0
        thread P: L0: x := 1;
        thread Q: S: r := x; k := k + 1; B: if r = 0 && k < 100 goto S;
        exists (Q:r = 2)
        expect sc: BOUNDED
        """,
    "wait": r"""
        x = 0
        thread P: L0: x := 1;
        thread Q: S: r := x; B: if r = 0 goto S;
        exists (Q:r = 2)
        expect sc: FORBIDDEN 1 trace
        """,
    "plain": r"""
        x = 0
        thread P: L0: x := 1;
        """,
    "broken": "x = 0\nthread P: L0: x := ;\n",
    "many": "x = 0\n"
    + "".join(f"thread T{t}: " + "".join(f"x := {t}{i};" for i in range(1, 7)) for t in range(1, 4))
    + "exists (x = 0)\n",
}


def write(folder: Path, *names: str) -> list[str]:
    """The named programs as files in `folder`."""
    found = []
    for name in names:
        path = folder / f"{name}.prog"
        path.write_text(PROGRAMS[name], encoding="utf-8")
        found.append(str(path))
    return found


def mask(text: str, folder: Path | None = None) -> str:
    """Times become T, and the folder of the test is left out of paths."""
    text = re.sub(r"^(Time \S+) [\d.]+$", r"\1 T", text, flags=re.MULTILINE)
    text = re.sub(r"(?<!after) +[\d.]+ s(?=$|  flags: )", " T s", text, flags=re.MULTILINE)
    text = re.sub(r'"seconds": [\d.e-]+', '"seconds": 0', text)
    return text if folder is None else text.replace(f"{folder}/", "")


@dataclass(frozen=True, slots=True)
class Run:
    code: int
    out: str
    err: str


class Hybrid:
    """Runs `hybrid` in this process, with a folder of programs as the place to be."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys

    def __call__(self, *arguments: str) -> Run:
        code = main(list(arguments))
        out, err = self.capsys.readouterr()
        return Run(code, mask(out, self.folder), mask(err, self.folder))

    def on(self, verb: str, programs: str, *options: str) -> Run:
        """`hybrid VERB FILE… options` on the named programs."""
        return self(verb, *write(self.folder, *programs.split()), *options)


class Interrupting:
    """Brute force until the N-th trace; then Ctrl-C."""

    name = "enumerate"

    def __init__(self, after: int) -> None:
        self.after = after
        self.inner: Engine = Enumerate()

    @property
    def counters(self) -> Counters:
        return self.inner.counters

    def explore(self, program: Program, model: Model, limits: Limits) -> Iterator[Trace]:
        for number, trace in enumerate(self.inner.explore(program, model, limits)):
            if number == self.after:
                raise KeyboardInterrupt
            yield trace
