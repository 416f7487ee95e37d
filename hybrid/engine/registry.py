"""The engines by name: what each needs, and how it is made. Their modules are imported only when
asked for."""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.engine.api import DEFAULT_UNROLL, EQUIVALENCES, POLICIES, Engine, check_word
from hybrid.engine.estimate import estimated_candidates
from hybrid.errors import InputError, Unsupported
from hybrid.model.core import Model
from hybrid.oracle.make import ORACLES, check_oracle
from hybrid.program.program import Program

__all__ = [
    "AUTO",
    "ENGINES",
    "EQUIVALENCES",
    "MEMORIES",
    "ORACLES",
    "POLICIES",
    "TRUST",
    "choose_engine",
    "engines_for",
    "make_engine",
    "refusal",
]

AUTO = "auto"  # the engine that suits the model and the program
FEW = 2.0  # the logarithm of the candidates up to which brute force is faster: see docs/batch.md


@dataclass(frozen=True, slots=True)
class EngineInfo:
    name: str
    title: str
    commit_before: bool  # whether it needs the model's commit-before
    # whether it asks an oracle and has a policy; else it judges complete candidates itself
    oracle: bool
    equivalences: tuple[str, ...] = (
        "trace",
    )  # what it can count: Shasha–Snir traces, reads-from classes


ENGINES = {
    info.name: info
    for info in (
        EngineInfo("enumerate", "brute force over paths, rf and co", False, False),
        EngineInfo(
            "rsmc",
            "stateless model checking with commits in any allowed order",
            True,
            True,
            ("trace", "rf"),
        ),
        EngineInfo(
            "trust",
            "optimal exploration of graphs, where po and rf make no cycle",
            True,
            True,
            ("trace", "rf"),
        ),
        EngineInfo(
            "trust-linear",
            "the same with one graph and nothing else in memory",
            True,
            True,
            ("trace", "rf"),
        ),
        EngineInfo("revisit", "graphs with a set of loads that may be revisited", True, True),
        EngineInfo("stateful", "graphs, all that were visited kept in a trie", True, True),
    )
}

TRUST = {"trust": "stack", "trust-linear": "linear"}  # to what it keeps in memory
MEMORIES = tuple(TRUST.values())
_GRAPHS = (*TRUST, "revisit", "stateful")  # explorers of graphs in which po and rf make no cycle


def refusal(name: str, model: Model, program: Program | None = None) -> InputError | None:
    """Why the engine does not take `model`, or does not take `program` under it; None when it does."""
    info = _info(name)
    if info.commit_before and model.commit_before is None:
        return InputError(
            f"{info.name} needs a commit-before, and the model {model.name} has none: "
            f"{model.commit_before_origin}"
        )
    if info.name == "rsmc" and program is not None:
        from hybrid.engine.rsmc.engine import check_supported

        try:
            check_supported(program, model)
        except InputError as error:
            return error
    if info.name in _GRAPHS:
        from hybrid.engine.trust import engine as trust_engine

        try:
            trust_engine.check_supported(program, model, info.name)
        except InputError as error:
            return error
    return None


def engines_for(model: Model) -> tuple[str, ...]:
    """The names of the engines that take `model`, at least with some programs."""
    known = model.commit_before is not None and not any(a.negated for a in model.constraints)
    return tuple(
        info.name
        for info in ENGINES.values()
        if not info.commit_before
        or (known and (info.name not in _GRAPHS or refusal(info.name, model) is None))
    )


def choose_engine(
    asked: str | None,
    model: Model,
    program: Program | None = None,
    unroll: int = DEFAULT_UNROLL,
    formula: str = "",
    stuck: bool = False,
) -> tuple[str, str]:
    """The engine for `model` (and `program`), and why it is not the usual one (empty if it is).

    It is the one asked for. For AUTO, or none, it is rsmc, which needs a commit-before and does not
    take every program; where it does not take these or got `stuck` on them, enumerate; or, if the
    program has more than about 10^FEW candidate executions, the engine that the caller calls
    `formula`.
    """
    if asked is not None and asked != AUTO:
        error = refusal(asked, model, program)
        if error is None:
            return asked, ""
        others = [name for name in ENGINES if refusal(name, model, program) is None]
        raise Unsupported(error.message, error.span, f"engines that take it: {', '.join(others)}")
    error = refusal("rsmc", model, program)
    if error is None and not stuck:
        return "rsmc", ""
    chosen, why = "enumerate", ""
    if formula and program is not None:
        size = estimated_candidates(program, unroll)
        chosen = "enumerate" if size <= FEW else formula
        many = f"{10**size:.0f}" if size < 6 else f"10^{size:.0f}"
        why = f"; the program has about {many} candidate executions"
    if error is None:
        reason = f"the commit-before of {model.name} does not fit its axioms"
        return chosen, f"{chosen} answers, as rsmc got stuck: {reason}{why}"
    return chosen, f"{chosen} was taken, not rsmc: {error.message}{why}"


def make_engine(
    name: str,
    oracle: str = "graph",
    policy: str = "first",
    seed: int = 0,
    equivalence: str = "trace",
    sat_solver: str = "",
) -> Engine:
    """A new engine. `oracle`, `policy` and `seed` are for those engines that have them,
    `sat_solver` for the pysat oracle."""
    info = _info(name)
    check_oracle(oracle, sat_solver)
    check_word("policy", policy, POLICIES)
    check_word("equivalence", equivalence, EQUIVALENCES)
    if equivalence not in info.equivalences:
        others = [other.name for other in ENGINES.values() if equivalence in other.equivalences]
        raise InputError(
            f"{info.name} does not count by the equivalence {equivalence}",
            hint=f"engines that do: {', '.join(others)}",
        )
    if info.name == "enumerate":
        from hybrid.engine.enumerate import Enumerate

        return Enumerate()
    if info.name in TRUST:
        from hybrid.engine.trust.engine import Trust

        return Trust(oracle, policy, seed, equivalence, sat_solver, TRUST[info.name])
    if info.name == "revisit":
        from hybrid.engine.graphs.revisit import Revisit

        return Revisit(oracle, policy, seed, sat_solver)
    if info.name == "stateful":
        from hybrid.engine.graphs.stateful import Stateful

        return Stateful(oracle, policy, seed, sat_solver)
    from hybrid.engine.rsmc.engine import Rsmc

    return Rsmc(oracle, policy, seed, equivalence, sat_solver)


def _info(name: str) -> EngineInfo:
    if name not in ENGINES:
        raise InputError(f"no engine is called '{name}'", hint=f"known: {', '.join(ENGINES)}")
    return ENGINES[name]
