"""Which engine answers: checking what was asked for, and choosing where that was left open.

`check` needs no program and builds no engine. `choose` is asked once for each program and model; it
is also where an engine refuses them, so that nobody has to look again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from hybrid.catalogue.engines import (
    ENGINES,
    ENTRIES,
    entry_of,
    listed,
    not_counted,
    refusal,
    with_role,
)
from hybrid.engine.api import EQUIVALENCES, RANDOM, RF, TRACE, check_word
from hybrid.engine.configuration import Configuration
from hybrid.engine.entry import EngineEntry, Role
from hybrid.engine.estimate import estimated_candidates, estimated_orders
from hybrid.errors import InputError, Unsupported
from hybrid.model.core import Model
from hybrid.model.reach import base_names
from hybrid.oracle.make import check_sat_solver
from hybrid.parsing import did_you_mean
from hybrid.program.program import Program

AUTO: Final = "auto"  # the engine that suits the model and the program
FORCE: Final = f"--equivalence {TRACE}"
FEWER: Final = 1.0  # the logarithm of the orders per class from which classes are faster
FEW: Final = 2.0  # the logarithm of the candidates up to which brute force is faster: docs/batch.md


@dataclass(frozen=True, slots=True)
class Choice:
    configuration: Configuration  # completed
    # about the model, the choice, and options that were given and have no effect
    notes: tuple[str, ...]

    @property
    def entry(self) -> EngineEntry:
        return entry_of(self.configuration.engine)


def check(asked: Configuration) -> Configuration:
    """Complains of names that are not known and of options that do not go together. Gives the
    configuration back, its memory turned into an engine."""
    known = (*ENGINES, AUTO)
    if asked.engine not in known:
        hint = f"known: {', '.join(known)}"
        guess = did_you_mean(asked.engine, known)
        raise InputError(f"no engine is called '{asked.engine}'", hint=f"{guess} {hint}".lstrip())
    if asked.memory:
        asked = replace(asked, engine=_by_memory(asked))
    oracles = known_oracles(asked.engine)
    if asked.oracle and asked.oracle not in oracles:
        raise unknown_oracle(asked.oracle, asked.engine, oracles)
    check_sat_solver(asked.sat_solver)
    if asked.policy:
        check_word("policy", asked.policy, known_policies())
    check_word("equivalence", asked.equivalence, EQUIVALENCES)
    entry = with_role(Role.USUAL) if asked.engine == AUTO else entry_of(asked.engine)
    if asked.equivalence not in entry.equivalences:
        raise not_counted(entry, asked.equivalence)
    return asked


def known_oracles(engine: str) -> tuple[str, ...]:
    """What `--oracle` may say for an engine. For one that asks none it has no effect, but must be
    something that the usual engine would ask."""
    if engine == AUTO:
        able = [entry for entry in ENTRIES if entry.auto is not None]
        return tuple(dict.fromkeys(oracle for entry in able for oracle in entry.oracles))
    return entry_of(engine).oracles or with_role(Role.USUAL).oracles


def known_policies() -> tuple[str, ...]:
    return tuple(dict.fromkeys(policy for entry in ENTRIES for policy in entry.policies))


def known_memories() -> tuple[str, ...]:
    return tuple(dict.fromkeys(memory for entry in ENTRIES for memory, _ in entry.memories))


def with_memories() -> EngineEntry:
    """The engine that `--memory` is for."""
    return next(entry for entry in ENTRIES if len(entry.memories) > 1)


def _by_memory(asked: Configuration) -> str:
    """The engine that keeps what `--memory` says."""
    if asked.memory not in known_memories():
        known = ", ".join(known_memories())
        raise InputError(f"no memory is called '{asked.memory}'", hint=f"known: {known}")
    memories = {} if asked.engine == AUTO else dict(entry_of(asked.engine).memories)
    if not memories:
        which = with_memories().name
        raise InputError(f"--memory is for --engine {which}, not for {asked.engine}")
    if asked.memory not in memories:
        raise InputError(f"--memory {asked.memory} and --engine {asked.engine} do not go together")
    return memories[asked.memory]


def unknown_oracle(name: str, engine: str, known: tuple[str, ...]) -> InputError:
    hint = f"known: {', '.join(known)}"
    able = [entry for entry in ENTRIES if name in entry.oracles]
    if able:
        return InputError(f"the oracle {name} is for {listed(able)}, not for {engine}", hint=hint)
    return InputError(f"no oracle is called '{name}'", hint=hint)


def choose(
    asked: Configuration,
    program: Program | None,
    model: Model,
    stuck: bool = False,
    counted: bool = True,
) -> Choice:
    """The configuration that answers for `program` under `model`: the one asked for, or what AUTO
    stands for; for that the next engine, if the usual one got `stuck`, and, where nothing is
    `counted`, the equivalence of fewer runs."""
    why = ""
    if asked.engine == AUTO:
        entry, why = _for_auto(asked, program, model, stuck)
        oracle = asked.oracle or ("" if entry.auto is None else entry.auto.oracle)
        if entry.oracles and oracle and oracle not in entry.oracles:
            raise unknown_oracle(oracle, entry.name, entry.oracles)
        if asked.equivalence not in entry.equivalences:
            raise not_counted(entry, asked.equivalence)
        if not counted and _by_classes(asked, entry, program, model):
            asked = replace(asked, equivalence=RF)
            why = f"one run stands for all traces with the same reads-from: {FORCE} visits each"
    else:
        entry, oracle = entry_of(asked.engine), asked.oracle
        error = refusal(entry.name, model, program)
        if error is not None:
            able = [name for name in ENGINES if refusal(name, model, program) is None]
            hint = f"engines that take it: {', '.join(able)}"
            raise Unsupported(error.message, error.span, hint)
    configuration = entry.completed(replace(asked, oracle=oracle))
    notes = (*model.notes, *([why] if why else []))
    if not stuck:  # else the options had their effect before
        notes += tuple(_without_effect(asked, entry, configuration))
    return Choice(configuration, notes)


def may_fall_back(asked: Configuration) -> bool:
    """Whether another engine may answer where the first gets stuck: the choice is ours, and the
    others count what is asked for."""
    return asked.engine == AUTO and asked.equivalence == TRACE


def _for_auto(
    asked: Configuration, program: Program | None, model: Model, stuck: bool
) -> tuple[EngineEntry, str]:
    """The engine, and why it is neither the fastest nor the usual one (empty if it is).

    Where both do not take the model or the program, or got stuck on them, it is the one for few
    candidate executions; or, if the program has more than about 10^FEW of them, the one for many,
    unless it does not know what is asked for.
    """
    fastest, usual, few, many = map(with_role, Role)
    own = asked.oracle in ("", *fastest.oracles[:1]) and asked.equivalence in fastest.equivalences
    taken = fastest if own and refusal(fastest.name, model, program) is None else usual
    error = refusal(usual.name, model, program) if taken is usual else None
    if error is None and not stuck:
        return taken, ""
    chosen, size = few, ""
    if program is not None and _knows(many, asked):
        candidates = estimated_candidates(program, asked.limits().unroll)
        chosen = few if candidates <= FEW else many
        number = f"{10**candidates:.0f}" if candidates < 6 else f"10^{candidates:.0f}"
        size = f"; the program has about {number} candidate executions"
    if error is None:
        reason = f"the commit-before of {model.name} does not fit its axioms"
        return chosen, f"{chosen.name} answers, as {taken.name} got stuck: {reason}{size}"
    return chosen, f"{chosen.name} was taken, not {usual.name}: {error.message}{size}"


def _by_classes(
    asked: Configuration, entry: EngineEntry, program: Program | None, model: Model
) -> bool:
    """Whether reads-from classes answer the same, and are fewer than traces by more than they cost:
    each takes up to four times as long. No flag may depend on coherence, of which a class shows one
    order only; nor may what is said of freed memory."""
    if program is None or asked.equivalence != TRACE or RF not in entry.equivalences:
        return False
    if program.freed_by or base_names(model, (flag.expr for flag in model.flags)) & {"co", "FW"}:
        return False
    return estimated_orders(program, asked.limits().unroll) >= FEWER


def _knows(entry: EngineEntry, asked: Configuration) -> bool:
    return asked.oracle in ("", *entry.oracles) and asked.equivalence in entry.equivalences


def _without_effect(
    asked: Configuration, entry: EngineEntry, configuration: Configuration
) -> list[str]:
    """What to say of options that were given and have no effect."""
    given = [("oracle", bool(asked.oracle), entry.oracles)]
    given.append(("policy", bool(asked.policy), entry.policies))
    if not entry.policies:
        given.append(("seed", asked.seed is not None, ()))
    notes = [
        f"--{option} has no effect: {entry.name} has none"
        for option, is_given, offered in given
        if is_given and not offered
    ]
    if asked.sat_solver and configuration.oracle != entry.sat_oracle:
        notes.append(f"--sat-solver has no effect without --oracle {entry.sat_oracle}")
    if entry.policies and asked.seed is not None and asked.policy != RANDOM:
        notes.append(f"--seed has no effect without --policy {RANDOM}")
    return notes
