"""Under which models every prefix of an allowed execution is allowed."""

from __future__ import annotations

import pytest
from support import model, model_of

from hybrid.model.prefixes import allows_prefixes

ACYCLIC = "acyclic po | rf as order\n"


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("sc", True),
        ("ra", True),
        ("rc11", True),
        ("rc20", True),
        # po and rf may make a cycle
        ("power", False),
        ("armv7", False),
        ("aarch64", False),
        ("riscv", False),
        # they cannot, but no axiom says so in as many words
        ("tso", False),
        ("pso", False),
    ],
)
def test_models_of_ours(name: str, answer: bool) -> None:
    assert allows_prefixes(model(name)) is answer


@pytest.mark.parametrize(
    "text",
    [
        "empty rmw & (fre ; coe)",
        "irreflexive (po | rf)+ ; fr",
        "acyclic (po \\ loc) | rf",
        "empty [R \\ ACQ] ; po ; [~W & F]",
        "empty [domain(rf)] ; po ; [range(co)]",
        "acyclic (rf & ~int) | (RMW * W)",
        "let rec r = po | (r ; rf)\nempty r & loc & (R * R) & (W * R)",
        # what is said of a flag, forbids nothing
        "flag ~empty po \\ (po ; po) as steps",
    ],
)
def test_less_has_happened_and_less_is_wrong(text: str) -> None:
    assert allows_prefixes(model_of(ACYCLIC + text))


@pytest.mark.parametrize(
    "text",
    [
        "~empty rf",
        "empty po \\ (po ; po)",  # a step that is the only one from the load to the store
        "empty co \\ (co ; co)",
        "empty [W \\ domain(rf)] ; po",  # nobody has read from it yet
        "empty [~(range(rf))] ; po ; [R]",
        "empty [FW] ; po",  # the last one so far
        "empty [R \\ RMW] ; po",  # its store has not happened yet
        "let rec r = po | (r ; rf)\nempty po \\ r",
    ],
)
def test_what_is_to_come_may_be_needed(text: str) -> None:
    assert not allows_prefixes(model_of(ACYCLIC + text))


def test_cycles_of_po_and_rf() -> None:
    assert not allows_prefixes(model_of("acyclic po | co"))
