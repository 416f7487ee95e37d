"""The engines by name: what each needs, and how it is made. Their modules are imported only when asked for."""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.engine.api import Engine
from hybrid.errors import InputError
from hybrid.model.core import Model

ORACLES = ("graph",)
POLICIES = ("first", "last", "random")


@dataclass(frozen=True, slots=True)
class EngineInfo:
    name: str
    title: str
    commit_before: bool  # whether it needs the model's commit-before
    oracle: bool  # whether it asks an oracle and has a policy; else it judges complete candidates itself
    equivalence: str = "trace"  # what it counts: Shasha–Snir traces


ENGINES = {
    info.name: info
    for info in (
        EngineInfo("enumerate", "brute force over paths, rf and co", False, False),
        EngineInfo(
            "rsmc", "stateless model checking with commits in any allowed order", True, True
        ),
    )
}


def engines_for(model: Model) -> tuple[str, ...]:
    """The names of the engines that take `model`."""
    known = model.commit_before is not None
    return tuple(info.name for info in ENGINES.values() if known or not info.commit_before)


def choose_engine(asked: str | None, model: Model) -> str:
    """The engine for `model`: the one asked for, else rsmc where the model has a commit-before, else enumerate."""
    if asked is None:
        return "rsmc" if model.commit_before is not None else "enumerate"
    info = _info(asked)
    if info.commit_before and model.commit_before is None:
        raise InputError(
            f"{info.name} needs a commit-before, and the model {model.name} has none: "
            f"{model.commit_before_origin or 'its text gives none'}",
            hint=f"engines that take this model: {', '.join(engines_for(model))}",
        )
    return asked


def make_engine(name: str, oracle: str = "graph", policy: str = "first", seed: int = 0) -> Engine:
    """A new engine. `oracle`, `policy` and `seed` are for those engines that have them."""
    info = _info(name)
    if oracle not in ORACLES:
        raise InputError(f"no oracle is called '{oracle}'", hint=f"known: {', '.join(ORACLES)}")
    if policy not in POLICIES:
        raise InputError(f"no policy is called '{policy}'", hint=f"known: {', '.join(POLICIES)}")
    if info.name == "enumerate":
        from hybrid.engine.enumerate import Enumerate

        return Enumerate()
    from hybrid.engine.rsmc import Rsmc

    return Rsmc(oracle=oracle, policy=policy, seed=seed)


def _info(name: str) -> EngineInfo:
    if name not in ENGINES:
        raise InputError(f"no engine is called '{name}'", hint=f"known: {', '.join(ENGINES)}")
    return ENGINES[name]
