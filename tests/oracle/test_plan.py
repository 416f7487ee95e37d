"""How a plan takes the expressions of a model apart. That what it makes means the same is tested by
the oracles that run it."""

from __future__ import annotations

import pytest
from support import model_of

from hybrid.oracle.columns import GROW, Op
from hybrid.oracle.plan import Plan


def composed(text: str) -> list[str]:
    """The growing compositions of an axiom, in the order in which they are made."""
    model = model_of(f"empty {text}")
    plan = Plan(model)
    plan.node(model.constraints[0].expr)
    return [repr(node) for node in plan.nodes if node.op is Op.SEQ and node.level == GROW]


@pytest.mark.parametrize(
    "end", ["po ; [F & SC]", "[F]", "(po | co) & (_ * SC)", "[REL | ACQ] ; [W]"]
)
def test_a_composition_that_ends_in_few_events_is_built_from_there(end: str) -> None:
    """All of its parts then have pairs to these events alone."""
    made = composed(f"po ; rf ; co ; ({end})")
    assert len(made) >= 2
    assert all(each.startswith(("SEQ(PO(), ", "SEQ(RF(), ", "SEQ(CO(), ")) for each in made)


@pytest.mark.parametrize("end", ["co", "[W]", "[W | SC]", "[_ \\ SC]"])
def test_any_other_is_built_from_what_is_known_at_fetch(end: str) -> None:
    assert composed(f"rf ; (po & int) ; rf ; {end}")[0].startswith("SEQ(INTER(PO(), INT()), RF()")


def stored(text: str) -> set[Op]:
    """The operators of what is kept of an axiom, from its root down to what is known at fetch."""
    model = model_of(f"empty {text}")
    plan = Plan(model)
    todo, found = [plan.node(model.constraints[0].expr)], set()
    while todo:
        node = todo.pop()
        if node.level >= GROW:
            found.add(node.op)
            todo.extend(node.args)
        else:
            assert node.op is not Op.IDENTITY
    return found


@pytest.mark.parametrize(
    "text",
    [
        "[W] ; (rf ; po)* ; rf ; co",
        "[F] ; (rf ; po)? ; rf ; co",
        "co ; rf ; (po ; rf)? ; [SC]",
        "([SC] | rf) ; co",
        "co ; (rf | [F])",
        "([W] ; co* ; [W]) ; (fr | rf)",
    ],
)
def test_the_identity_is_not_stored(text: str) -> None:
    """[S] ; r* ; s is [S] ; s | [S] ; r+ ; s, of which the first has only the pairs of s."""
    assert not stored(text) & {Op.STAR, Op.OPT, Op.IDENTITY}


def test_sets_within_others() -> None:
    model = model_of("empty ([SC] | [F & SC] | ([F & SC] ; rf?)) ; co")
    plan = Plan(model)
    plan.node(model.constraints[0].expr)
    assert not any(node.op is Op.SET_UNION for node in plan.nodes)
