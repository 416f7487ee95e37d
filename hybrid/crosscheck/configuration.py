"""Configurations: an engine with its oracle, its equivalence and its policy, spelled as one word.

    ENGINE [ + EQUIVALENCE ] [ : ORACLE ] [ / POLICY ]

as in `enumerate`, `rsmc`, `rsmc/last`, `rsmc:z3`, `rsmc+rf:graph`, `bmc:sat`. What is left out is
the first of what the engine offers; a printed configuration leaves out the same, except that an
engine of several solvers (bmc) always names its solver. This is the only place that knows the
spelling.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hybrid.bmc.engine import SOLVERS, Bmc
from hybrid.engine.api import Engine
from hybrid.engine.registry import ENGINES, ORACLES, POLICIES, make_engine, refusal
from hybrid.errors import InputError
from hybrid.model.core import Model
from hybrid.parsing import did_you_mean
from hybrid.program.program import Program
from hybrid.source import Source, Span

GRAMMAR = "ENGINE[+EQUIVALENCE][:ORACLE][/POLICY]"
BMC = "bmc"
ALL = "all"  # stands for CONFIGURATIONS

TRACE = "trace"  # Shasha–Snir traces
RF = "rf"  # reads-from classes


@dataclass(frozen=True, slots=True)
class _Offer:
    """What may stand behind an engine's name; the first of each is the default."""

    equivalences: tuple[str, ...] = (TRACE,)
    oracles: tuple[str, ...] = ("",)
    policies: tuple[str, ...] = ("",)
    always: bool = False  # the oracle is printed also when it is the default


_OFFERS = {
    "enumerate": _Offer(),
    "rsmc": _Offer((TRACE, RF), ORACLES, POLICIES),
    "trust": _Offer((TRACE, RF), ORACLES, POLICIES),
    "trust-linear": _Offer((TRACE, RF), ORACLES, POLICIES),
    "revisit": _Offer((TRACE,), ORACLES, POLICIES),
    "stateful": _Offer((TRACE,), ORACLES, POLICIES),
    BMC: _Offer((TRACE,), SOLVERS, always=True),
}

_PARTS = re.compile(
    r"(?P<engine>[^+:/]*)(\+(?P<equivalence>[^+:/]*))?(:(?P<oracle>[^+:/]*))?(/(?P<policy>[^+:/]*))?"
)


@dataclass(frozen=True, slots=True)
class Configuration:
    engine: str
    equivalence: str = TRACE
    oracle: str = ""  # empty: the engine has none; of bmc its solver
    policy: str = ""  # empty: the engine has none

    def __str__(self) -> str:
        offer = _OFFERS[self.engine]
        text = self.engine
        if self.equivalence != offer.equivalences[0]:
            text += f"+{self.equivalence}"
        if offer.always or self.oracle != offer.oracles[0]:
            text += f":{self.oracle}"
        if self.policy != offer.policies[0]:
            text += f"/{self.policy}"
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
        raise fault(f"'{text}' is no configuration", 0, len(text), f"expected {GRAMMAR}")
    name = match["engine"]
    if name not in _OFFERS:
        known = f"known: {', '.join(_OFFERS)}"
        guess = did_you_mean(name, _OFFERS)
        message = f"no engine is called '{name}'" if name else "a configuration without an engine"
        raise fault(message, 0, len(name), f"{guess} {known}" if guess else known)
    offer = _OFFERS[name]
    chosen: dict[str, str] = {}
    for part, words in (
        ("equivalence", offer.equivalences),
        ("oracle", offer.oracles),
        ("policy", offer.policies),
    ):
        word = match[part]
        chosen[part] = words[0] if word is None else word
        if chosen[part] not in words or word == "":
            start, length = match.start(part), len(word or "")
            if words == ("",):
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
    Configuration(engine, equivalence, oracle, offer.policies[0])
    for engine, offer in _OFFERS.items()
    for equivalence in offer.equivalences
    for oracle in offer.oracles
)  # every engine × equivalence × oracle, with the default policy


def not_applicable(
    configuration: Configuration, model: Model, program: Program | None = None
) -> str:
    """Why the configuration does not take the model or the program; empty when it does."""
    if configuration.engine == BMC:
        return ""  # it takes every model and every program
    info = ENGINES[configuration.engine]
    if configuration.equivalence not in info.equivalences:
        return f"{info.name} does not count by the equivalence {configuration.equivalence}"
    error = refusal(configuration.engine, model, program)
    return "" if error is None else error.message


def make(configuration: Configuration, seed: int = 0) -> Engine:
    """A new engine of an applicable configuration; the seed is for the policy `random`."""
    if configuration.engine == BMC:
        return Bmc(configuration.oracle)
    return make_engine(
        configuration.engine,
        oracle=configuration.oracle or ORACLES[0],
        policy=configuration.policy or POLICIES[0],
        seed=seed,
        equivalence=configuration.equivalence,
    )
