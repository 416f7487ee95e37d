"""Which models can tell that there are initial writes of locations that no access touches."""

from __future__ import annotations

import pytest
from support import model, model_of

from hybrid.model.load import builtin_models
from hybrid.model.untouched import ignores_untouched


@pytest.mark.parametrize("name", builtin_models())
def test_no_model_of_ours_tells(name: str) -> None:
    assert ignores_untouched(model(name))


IGNORES = (
    "acyclic po | rf | co | fr",
    "empty [IW] ; po",
    "empty co & (IW * W) & (R * R)",
    "acyclic po | (IW * (_ \\ IW))",  # they come before everything, and nothing before them
    "irreflexive (po | (IW * _)) ; co",
    "irreflexive (W * W) \\ loc",
    "empty loc & ext",
    "empty (loc \\ id) & (IW * IW)",
    "empty [range(po)] & [IW]",
    "let rec r = po | (r ; rf) in acyclic r",
    "flag ~empty ((W * M) & loc & ext) as race",
)
TELLS = (
    "empty [IW]",
    "~empty [IW]",
    "empty IW * R",
    "empty ext & (IW * R)",
    "acyclic (IW * R) | (R * IW)",
    "irreflexive (R * IW) ; (IW * R)",
    "acyclic id",
    "irreflexive int",
    "empty ~po",
    "irreflexive ~po",
    "acyclic ~(po | id)",
    "empty [domain(R * IW)]",
    "empty [FW]",
    "empty ((R * IW) ; (IW * R)) & po",
    "let rec r = po | (r ; (_ * _)) in acyclic r & po",
    "flag ~empty (IW * IW) as many",
    "empty loc & [IW]",
    "empty int & [W]",
    "irreflexive po?",
)


def of(text: str) -> bool:
    if text.startswith("let rec"):
        definition, axiom = text.split(" in ")
        text = f"{definition}\n{axiom}"
    return ignores_untouched(model_of(text))


@pytest.mark.parametrize("text", IGNORES)
def test_ignores(text: str) -> None:
    assert of(text)


@pytest.mark.parametrize("text", TELLS)
def test_tells(text: str) -> None:
    assert not of(text)


def test_annotations_count() -> None:
    """What leads through an untouched initial write in commit-before."""
    base = "acyclic po | rf | co | fr as sc\n"
    assert of(base + "(*% commit-before (po | rf)+ *)")
    assert not of(base + "(*% commit-before (po | rf | ((_ * IW) ; (IW * _)))+ *)")
