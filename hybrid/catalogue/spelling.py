"""Configurations spelled as one word: an engine with its equivalence, its oracle and its policy.

    ENGINE [ + EQUIVALENCE ] [ : ORACLE ] [ / POLICY ]

as in `enumerate`, `rsmc`, `rsmc/last`, `rsmc:z3`, `rsmc+rf:graph`, `bmc:sat`. What is left out is
the first of what the engine offers; a printed configuration leaves out the same, except that an
engine whose entry says so (bmc) always names its oracle. This is the only place that knows the
spelling.
"""

from __future__ import annotations

import re

from hybrid.catalogue.engines import ENGINES, ENTRIES, entry_of, not_counted, refusal
from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError
from hybrid.model.core import Model
from hybrid.parsing import did_you_mean
from hybrid.program.program import Program
from hybrid.source import Source, Span

GRAMMAR = "ENGINE[+EQUIVALENCE][:ORACLE][/POLICY]"
ALL = "all"  # stands for CONFIGURATIONS

_PARTS = re.compile(
    r"(?P<engine>[^+:/]*)(\+(?P<equivalence>[^+:/]*))?"
    r"(:(?P<oracle>[^+:/]*))?(/(?P<policy>[^+:/]*))?"
)


def spelled(configuration: Configuration) -> str:
    """The word for a configuration; what the word does not say of it is left out."""
    entry = entry_of(configuration.engine)
    text = entry.name
    if configuration.equivalence != entry.equivalences[0]:
        text += f"+{configuration.equivalence}"
    if entry.oracles and (entry.names_oracle or configuration.oracle != entry.oracles[0]):
        text += f":{configuration.oracle}"
    if entry.policies and configuration.policy != entry.policies[0]:
        text += f"/{configuration.policy}"
    return text


def parse_configuration(text: str, source: Source | None = None, at: int = 0) -> Configuration:
    """The configuration that `text` spells; `source` is the option's whole text, in which it stands
    at place `at`."""
    source = source or Source("--engines", text)

    def fault(message: str, start: int, length: int, hint: str) -> InputError:
        begin = at + start + 1
        return InputError(message, Span(source, 1, begin, 1, begin + max(length, 1)), hint)

    match = _PARTS.fullmatch(text)
    if match is None:
        raise fault(f"'{text}' is not a configuration", 0, len(text), f"expected {GRAMMAR}")
    name = match["engine"]
    if name not in ENGINES:
        known = f"known: {', '.join(ENGINES)}"
        guess = did_you_mean(name, ENGINES)
        message = f"no engine is called '{name}'" if name else "a configuration without an engine"
        raise fault(message, 0, len(name), f"{guess} {known}" if guess else known)
    entry = ENGINES[name]
    chosen: dict[str, str] = {}
    for part, words in (
        ("equivalence", entry.equivalences),
        ("oracle", entry.oracles),
        ("policy", entry.policies),
    ):
        word = match[part]
        chosen[part] = next(iter(words), "") if word is None else word
        if word is not None and word not in words:
            start, length = match.start(part), len(word)
            if not words:
                raise fault(f"{name} has no {part}, as in '{text}'", start, length, "")
            message = f"no {part} of {name} is called '{word}'"
            raise fault(message, start, length, f"known: {', '.join(words)}")
    return Configuration(name, chosen["equivalence"], chosen["oracle"], chosen["policy"])


def parse_configurations(text: str) -> tuple[Configuration, ...]:
    """Configurations with commas between them, each once; `all` stands for CONFIGURATIONS."""
    source = Source("--engines", text)
    found: dict[Configuration, None] = {}
    at = 0
    for piece in text.split(","):
        word = piece.strip()
        if word == ALL:
            found |= dict.fromkeys(CONFIGURATIONS)
        else:
            start = at + len(piece) - len(piece.lstrip())
            found[parse_configuration(word, source, start)] = None
        at += len(piece) + 1
    return tuple(found)


CONFIGURATIONS = tuple(
    Configuration(entry.name, equivalence, oracle, next(iter(entry.policies), ""))
    for entry in ENTRIES
    for equivalence in entry.equivalences
    for oracle in entry.oracles or ("",)
)  # every engine × equivalence × oracle, with the default policy


def not_applicable(
    configuration: Configuration, model: Model, program: Program | None = None
) -> str:
    """Why the configuration does not take the model or the program; empty when it does."""
    entry = entry_of(configuration.engine)
    if configuration.equivalence not in entry.equivalences:
        return not_counted(entry, configuration.equivalence).message
    error = refusal(entry.name, model, program)
    return "" if error is None else error.message
