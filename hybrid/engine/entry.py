"""What an engine is: the entry that stands beside it, and that the catalogue collects.

Everything that the rest of hybrid knows about an engine before it runs is in its entry. An entry is
data and imports nothing of its engine; `make` and `refuses` do when they are called.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum

from hybrid.engine.api import TRACE, WITNESS, Engine
from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError
from hybrid.model.core import Model
from hybrid.program.program import Program


class Role(Enum):
    """When `--engine auto` takes an engine. Each role is played by one engine."""

    FASTEST = "fastest"  # where it takes the model and the program, and asks its own oracle
    USUAL = "usual"  # else, whenever it takes the model and the program
    FEW = "few"  # else, for a program with few candidate executions
    MANY = "many"  # else, for a program with many of them


@dataclass(frozen=True, slots=True)
class Auto:
    """How `--engine auto` takes an engine."""

    role: Role
    oracle: str = ""  # what it then asks; empty: the first that the engine offers


def _refuses_nothing(_program: Program | None, _model: Model) -> InputError | None:
    return None


@dataclass(frozen=True, slots=True)
class EngineEntry:
    name: str
    title: str
    # A new engine of a completed configuration. Its `explore` relies on the caller having asked
    # `refuses`, so that this is looked at once per run.
    make: Callable[[Configuration], Engine]
    # What may be asked for; the first of each is the default.
    equivalences: tuple[str, ...] = (TRACE,)
    oracles: tuple[str, ...] = ()  # empty: it judges complete candidates itself
    policies: tuple[str, ...] = ()
    names_oracle: bool = False  # a configuration's spelling shows the oracle also if it is default
    sat_oracle: str = "pysat"  # the oracle that asks the SAT solver of `--sat-solver`
    commit_before: bool = False  # it needs the model's commit-before
    # Why it does not take a program (None: any program) under a model; None if it does. It is asked
    # about models that have a commit-before, if the engine needs one.
    refuses: Callable[[Program | None, Model], InputError | None] = _refuses_nothing
    divisible: bool = False  # it is engine.subtrees.Divisible: several processes can share its work
    # What `--memory` may say, and the engine that this then means; empty: nothing.
    memories: tuple[tuple[str, str], ...] = ()
    family: str = ""  # what it is called together with others of its kind; empty: its name
    # It can answer by one run of each kind: `make` then gets the equivalence WITNESS.
    witnesses: bool = False
    kernel: bool = True  # its time is spent in what can be compiled (pyproject.toml)
    auto: Auto | None = None  # None: only by its name

    def completed(self, asked: Configuration) -> Configuration:
        """The configuration with this engine's choice wherever it was left open."""
        return replace(
            asked,
            engine=self.name,
            oracle=_first(asked.oracle, self.oracles),
            policy=_first(asked.policy, self.policies),
        )

    def answering(self, configuration: Configuration) -> Configuration:
        """The configuration for the verdict alone: by witnesses, if the engine can do that."""
        return replace(configuration, equivalence=WITNESS) if self.witnesses else configuration


def _first(word: str, words: tuple[str, ...]) -> str:
    return (word or words[0]) if words else ""
