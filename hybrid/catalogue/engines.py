"""The catalogue: one line for each engine.

What an engine is stands in its entry, in its own folder (see engine/entry.py). A new engine is a
file with the engine and its entry, and a line in ENTRIES: options, help texts, configurations,
`hybrid models`, crosscheck and fuzz go by the entries.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hybrid.bmc.entry import BMC
from hybrid.engine.api import WITNESS, Engine
from hybrid.engine.configuration import Configuration
from hybrid.engine.entry import EngineEntry, Role
from hybrid.engine.enumerate.entry import ENUMERATE
from hybrid.engine.graphs.entry import REVISIT, STATEFUL
from hybrid.engine.odpor.entry import ODPOR, ODPOR_SOURCE
from hybrid.engine.rsmc.entry import RSMC
from hybrid.engine.trust.entry import TRUST, TRUST_LINEAR
from hybrid.errors import InputError
from hybrid.model.core import Model
from hybrid.program.program import Program

ENTRIES: Final = (
    ENUMERATE,
    RSMC,
    TRUST,
    TRUST_LINEAR,
    REVISIT,
    STATEFUL,
    ODPOR,
    ODPOR_SOURCE,
    BMC,
)  # in the order in which they are listed and compared

ENGINES: Final = {entry.name: entry for entry in ENTRIES}


def entry_of(name: str) -> EngineEntry:
    if name not in ENGINES:
        raise InputError(f"no engine is called '{name}'", hint=f"known: {', '.join(ENGINES)}")
    return ENGINES[name]


def with_role(role: Role) -> EngineEntry:
    """The engine that `--engine auto` takes in that role."""
    return next(entry for entry in ENTRIES if entry.auto is not None and entry.auto.role is role)


def refusal(name: str, model: Model, program: Program | None = None) -> InputError | None:
    """Why the engine does not take `model`, or `program` under it; None when it does."""
    entry = entry_of(name)
    if entry.commit_before and model.commit_before is None:
        return InputError(
            f"{entry.name} needs a commit-before, and the model {model.name} has none: "
            f"{model.commit_before_origin}"
        )
    return entry.refuses(program, model)


def engines_for(model: Model) -> tuple[str, ...]:
    """The names of the engines that take `model`, at least with some programs."""
    partial = not any(axiom.negated for axiom in model.constraints)  # partial traces can be judged
    return tuple(
        entry.name
        for entry in ENTRIES
        if (partial or not entry.commit_before) and refusal(entry.name, model) is None
    )


def check_offered(configuration: Configuration) -> None:
    """Raises an InputError for words that the engine of the configuration does not know."""
    entry = entry_of(configuration.engine)
    offered = (
        ("oracle", configuration.oracle, entry.oracles),
        ("policy", configuration.policy, entry.policies),
    )
    for what, word, words in offered:
        if word and word not in words:
            known = f"known: {', '.join(words)}" if words else ""
            raise InputError(f"no {what} of {entry.name} is called '{word}'", hint=known)
    if configuration.equivalence == WITNESS and entry.witnesses:
        return
    if configuration.equivalence not in entry.equivalences:
        raise not_counted(entry, configuration.equivalence)


def not_counted(entry: EngineEntry, equivalence: str) -> InputError:
    able = [other.name for other in ENTRIES if equivalence in other.equivalences]
    return InputError(
        f"{entry.name} does not count by the equivalence {equivalence}",
        hint=f"engines that do: {', '.join(able)}" if able else "",
    )


def make(configuration: Configuration, seed: int | None = None) -> Engine:
    """A new engine; a `seed` takes the place of the configuration's. The caller asks `refusal`: the
    engine explores whatever it is given."""
    if seed is not None:
        configuration = replace(configuration, seed=seed)
    entry = entry_of(configuration.engine)
    configuration = entry.completed(configuration)
    check_offered(configuration)
    return entry.make(configuration)


def listed(entries: list[EngineEntry], families: bool = True) -> str:
    """`rsmc and the engines on graphs`: engines in words, with `families` by the names of these."""
    *names, last = dict.fromkeys((families and entry.family) or entry.name for entry in entries)
    return f"{', '.join(names)} and {last}" if names else last
