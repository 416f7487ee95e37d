"""hybrid: a SAT/SMT-assisted checker for concurrent programs under weak memory models.

    import hybrid

    answer = hybrid.verify("mp.litmus", model="power")

docs/python.md describes what there is. Nothing is loaded before it is used.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from hybrid.errors import HybridError, InputError, InternalError, Unsupported
from hybrid.verdict import Verdict
from hybrid.versions import __version__

if TYPE_CHECKING:
    from hybrid.api.builder.program import ProgramBuilder
    from hybrid.api.builder.thread import ThreadBuilder
    from hybrid.api.certify import CheckedCertificate, certify
    from hybrid.api.crosscheck import Crosschecked, crosscheck
    from hybrid.api.explain import Explained, explain
    from hybrid.api.inputs import CatModel as Model
    from hybrid.api.inputs import load, parse
    from hybrid.api.trace_view import TraceView
    from hybrid.api.verified import FinalState, Verified
    from hybrid.api.verify import verify
    from hybrid.program.program import Program

__all__ = [
    "CheckedCertificate",
    "Crosschecked",
    "Explained",
    "FinalState",
    "HybridError",
    "InputError",
    "InternalError",
    "Model",
    "Program",
    "ProgramBuilder",
    "ThreadBuilder",
    "TraceView",
    "Unsupported",
    "Verdict",
    "Verified",
    "__version__",
    "certify",
    "crosscheck",
    "explain",
    "load",
    "parse",
    "verify",
]

# Where the others are: the module, and the name there if it is another one.
_PLACES = {
    "CheckedCertificate": ("hybrid.api.certify", ""),
    "Crosschecked": ("hybrid.api.crosscheck", ""),
    "Explained": ("hybrid.api.explain", ""),
    "FinalState": ("hybrid.api.verified", ""),
    "Model": ("hybrid.api.inputs", "CatModel"),
    "Program": ("hybrid.program.program", ""),
    "ProgramBuilder": ("hybrid.api.builder.program", ""),
    "ThreadBuilder": ("hybrid.api.builder.thread", ""),
    "TraceView": ("hybrid.api.trace_view", ""),
    "Verified": ("hybrid.api.verified", ""),
    "certify": ("hybrid.api.certify", ""),
    "crosscheck": ("hybrid.api.crosscheck", ""),
    "explain": ("hybrid.api.explain", ""),
    "load": ("hybrid.api.inputs", ""),
    "parse": ("hybrid.api.inputs", ""),
    "verify": ("hybrid.api.verify", ""),
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'hybrid' has no attribute '{name}'")
    module, there = _PLACES[name]
    return getattr(import_module(module), there or name)


def __dir__() -> list[str]:
    return __all__


class _Package(ModuleType):
    """`hybrid.explain` and `hybrid.crosscheck` are functions, and there are packages of the same
    names. Python puts a package that it has loaded into its parent; here it stays outside, where
    imports find it all the same."""

    @property
    def explain(self) -> object:
        return __getattr__("explain")

    @explain.setter
    def explain(self, package: object) -> None:
        pass

    @property
    def crosscheck(self) -> object:
        return __getattr__("crosscheck")

    @crosscheck.setter
    def crosscheck(self, package: object) -> None:
        pass


sys.modules[__name__].__class__ = _Package
