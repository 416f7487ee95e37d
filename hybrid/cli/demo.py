"""`hybrid demo`: what hybrid is for, shown by a few of its own commands."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from hybrid.cli.main import EXIT_CODES, dispatch
from hybrid.data import bundled
from hybrid.report.colour import dim
from hybrid.report.screen import write_coloured
from hybrid.verdict import worst_code

EXAMPLES = """examples:
  hybrid demo                  everything
  hybrid demo | less           page by page, without colours
"""


@dataclass(frozen=True, slots=True)
class Scene:
    """A command and what there is to see."""

    text: str
    verb: str
    programs: tuple[str, ...] = ()  # bundled ones
    options: tuple[str, ...] = ()

    @property
    def arguments(self) -> list[str]:
        return [self.verb, *(_path(name) for name in self.programs), *self.options]


MESSAGE, ORDERED = "classic/MP.prog", "classic/MP+lwsync+addr.prog"
SCENES = (
    Scene(
        "Does a program behave alike on every machine? Two threads pass a message (MP): one\n"
        "writes data and then a flag, the other reads the flag and then the data. Can it see\n"
        "the flag and miss the data? Two threads store and then look at each other (SB): can\n"
        "both miss the other's store? The memory models of sequential consistency (sc), x86\n"
        "(tso) and POWER answer, without fences and with them:",
        "verify",
        (MESSAGE, ORDERED, "classic/SB.prog", "classic/SB+mfences.prog"),
        ("--model", "sc,tso,power", "--quiet"),
    ),
    Scene(
        "POWER lets a message overtake its data. The report gives the verdict, all final\n"
        "states and a witness: an execution, step by step, in which it happens.",
        "verify",
        (MESSAGE,),
        ("--model", "power"),
    ),
    Scene(
        "A fence (lwsync) and an address dependency forbid it. Why? Each axiom of the model that\n"
        "rules the outcome out is named, with the cycle that it breaks.",
        "explain",
        (ORDERED,),
        ("--model", "power"),
    ),
    Scene(
        "All bundled programs and litmus tests, whose answers are known, one line per folder:",
        "verify",
    ),
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Shows what hybrid is for: some questions and their answers, a witness, a reason, and the "
        "bundled programs with known answers. Takes less than a minute."
    )
    parser.epilog = f"{EXAMPLES}\n{EXIT_CODES}"


def run(args: argparse.Namespace) -> int:
    codes: list[int] = []
    for number, scene in enumerate(SCENES, 1):
        command = shlex.join(["hybrid", *scene.arguments])
        gap = "\n\n" if codes else ""
        sys.stdout.write(f"{gap}{number}. {scene.text}\n\n")
        write_coloured(sys.stdout, f"$ {command}", dim)
        sys.stdout.write("\n")
        sys.stdout.flush()
        codes.append(dispatch(scene.arguments))
    return worst_code(codes)


def _path(name: str) -> str:
    """Of a bundled program: as seen from here, if it lies below."""
    path = bundled("litmus") / name
    here = Path.cwd()
    return os.path.relpath(path, here) if path.is_relative_to(here) else str(path)
