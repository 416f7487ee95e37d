"""A memory model as constraints: `encode_model` gives every definition as a sparse map from members or pairs to literals."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from hybrid.encoding.logic import Logic
from hybrid.model import core

Event = Hashable
Set = dict[Event, int]
Relation = dict[tuple[Event, Event], int]


@dataclass(frozen=True, slots=True)
class EncodedModel:
    """A literal is in a map when the member or pair may be there; absent means false.

    `definitions` holds what axioms, flags and `exact` names need of the model; the literals of those that are used in one direction only
    (`one_way`) are implied by their definition and may be true without it.
    """

    axioms: Mapping[str, int]  # name -> activation literal: assume it, and the axiom holds
    flags: Mapping[str, int]  # name -> literal: whether the flag is raised
    definitions: Mapping[int, Set | Relation]  # by index in Model.definitions
    one_way: frozenset[int]  # indices of definitions that are implied only


def encode_model(
    model: core.Model,
    logic: Logic,
    events: Sequence[Event],
    sets: Mapping[str, Mapping[Event, int]],
    relations: Mapping[str, Mapping[tuple[Event, Event], int]],
) -> EncodedModel:
    """The model's constraints over the base sets and relations given, in which absent members and pairs are false.

    `sets` and `relations` need the names that the model uses (core.py lists them); `rmw` may be left out (amo | lxsx), `fr` is
    no base relation. Axioms hold when their activation literals are assumed.
    """
    raise NotImplementedError
