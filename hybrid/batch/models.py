"""The models that the programs of a batch run under: those that the user names, else their own."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from hybrid.batch.journal import digest, digest_of
from hybrid.data import builtin_models, bundled
from hybrid.frontend.load import model_of
from hybrid.model.core import Model
from hybrid.model.load import load_model
from hybrid.program.program import Program


class Unnamed(Enum):
    """What a program runs under where the user names no model."""

    OWN = auto()  # the model of its architecture
    EXPECTED = auto()  # those that it has expectations for, else its own
    OWN_OR_ALL = auto()  # the model of its architecture, or all built-in ones


class Models:
    """Each model is loaded once; those that the user names at once, so that a bad one is complained
    of before the work, and worker processes have them from the start."""

    def __init__(self, names: Sequence[str] | None, unnamed: Unnamed) -> None:
        self.names = names
        self.unnamed = unnamed
        self._loaded: dict[str, Model] = {}
        for name in names or ():
            self.load(name)

    def settings(self) -> dict[str, object]:
        """What a journal must have in common with a batch that goes on from it."""
        if self.names is None:  # any of the built-in ones may be asked for
            texts: object = digest(*sorted(bundled("encodings").rglob("*.cat")))
        else:  # each with what it includes
            texts = [digest_of(repr(self.load(name))) for name in self.names]
        return {"models": self.names, "model_texts": texts}

    def load(self, name: str) -> Model:
        if name not in self._loaded:
            self._loaded[name] = load_model(name)
        return self._loaded[name]

    def names_for(self, program: Program) -> Sequence[str]:
        if self.names is not None:
            return self.names
        if self.unnamed is Unnamed.EXPECTED and program.expectations:
            return list(dict.fromkeys(each.model for each in program.expectations))
        if self.unnamed is Unnamed.OWN_OR_ALL and not program.arch:
            return builtin_models()
        return [model_of(program)]
