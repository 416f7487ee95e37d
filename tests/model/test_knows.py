"""Which annotations and fences mean something to a model."""

from __future__ import annotations

import pytest
from support import model, model_of

from hybrid.model.knows import known_tags, sequential


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("acyclic po ; [ACQ]", {("ACQ", "R"), ("ACQ", "W"), ("ACQ", "F")}),
        ("acyclic po ; [R & ACQ]", {("ACQ", "R")}),
        ("let acq = ACQ\nlet loads = R\nacyclic po ; [acq & loads]", {("ACQ", "R")}),
        ("acyclic fencerel(F & SC)", {("SC", "F")}),
        ("let unused = ACQ\nacyclic po", set()),
        ("acyclic po\nshow [ACQ]", set()),
        ("acyclic po\nflag ~empty [ACQ & F] as odd", {("ACQ", "F")}),
    ],
)
def test_what_axioms_speak_of(text: str, known: set[tuple[str, str]]) -> None:
    assert known_tags(model_of(text)) == known


def test_of_the_built_in_models() -> None:
    assert ("ACQ", "R") in known_tags(model("rc11"))
    assert ("ACQ", "R") not in known_tags(model("power"))
    assert ("SC", "F") in known_tags(model("power"))
    assert ("SC", "R") not in known_tags(model("power"))
    assert {"ACQ", "REL"} <= model("tso").implied
    assert "SC" not in model("tso").implied
    assert [name for name in ("sc", "tso", "ra", "rc11") if sequential(model(name))] == ["sc"]


def test_special_comments_of_names() -> None:
    own = model_of("acyclic po\n(*% machine power *)\n(*% implied ACQ | REL *)")
    assert (own.machine, own.implied) == ("power", {"ACQ", "REL"})
    assert model_of('include "power.cat"').machine == "power"
