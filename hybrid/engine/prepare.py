"""What is done to a program before engines see it: iterations of loops that change nothing go
(hybrid.program.passes), as far as the model allows.

What decides that is read off the model's text: whether it speaks of dependencies, whether it finds
races, and whether its commit-before orders the load of a read-modify-write before its store.
"""

from __future__ import annotations

from typing import Final

from hybrid.engine.rsmc.programs import orders_pairs
from hybrid.model.core import Model
from hybrid.model.reach import base_names
from hybrid.program.c11 import C_SOURCE
from hybrid.program.loops import has_loops
from hybrid.program.passes.pipeline import Eliminated, eliminate
from hybrid.program.passes.setting import ASSUME, AWAIT, DYNAMIC, KEEP, Setting
from hybrid.program.program import Program

_DEPENDENCIES = frozenset({"addr", "data", "ctrl", "pick"})


# what is done with loops if nobody says so: in programs in C, and in others
_OF_C: Final = DYNAMIC
_OF_OTHERS: Final = AWAIT


def default_loops(program: Program) -> str:
    return _OF_C if program.arch == C_SOURCE else _OF_OTHERS


def prepared(program: Program, model: Model, loops: str) -> Program:
    """The program as engines are to see it; `loops` is one of LOOPS, or empty for the default."""
    loops = loops or default_loops(program)
    if loops == KEEP or program.loops or not any(has_loops(t.code) for t in program.threads):
        return program
    return without_pure_iterations(program, model, loops).program


def without_pure_iterations(program: Program, model: Model, loops: str) -> Eliminated:
    """The same with what was found out about the loops."""
    return eliminate(program, setting_for(model, loops))


def setting_for(model: Model, loops: str) -> Setting:
    names = base_names(model, [axiom.expr for axiom in model.axioms])
    dependencies = bool(names & _DEPENDENCIES)
    pairs = dependencies and orders_pairs(model)
    return Setting(loops != ASSUME, dependencies, pairs, bool(model.races), loops == DYNAMIC)
