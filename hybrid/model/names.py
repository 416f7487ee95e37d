"""The names that cat texts find defined, and the words of herd's cat that hybrid's dialect leaves out."""

from __future__ import annotations

from hybrid.model.core import Kind
from hybrid.program.tags import TAGS

SETS = ("_", "R", "W", "M", "F", "B", "IW", "FW", "RMW")
RELATIONS = ("po", "rf", "co", "loc", "int", "ext", "id", "addr", "data", "ctrl", "amo", "lxsx")

BASE: dict[str, Kind] = {
    **dict.fromkeys(TAGS, Kind.SET),
    **dict.fromkeys(SETS, Kind.SET),
    **dict.fromkeys(RELATIONS, Kind.RELATION),
}

C11_ORDERS = frozenset(("RLX", "ACQ", "REL", "ACQ_REL"))  # no other architecture has these sets

# Keywords of herd's (and Dartagnan's) cat that hybrid refuses wherever they stand.
REFUSED_WORDS = frozenset(
    (
        "call", "compat", "cut", "debug", "default", "do", "else", "enum", "forall", "if", "instructions", "match", "not",
        "procedure", "subset", "then", "try", "when", "yield",
    )
)  # fmt: skip

# Functions and values that herd computes itself and that no execution of hybrid gives.
REFUSED_NAMES = frozenset(
    (
        "classes", "classes-loc", "domain-of", "fold", "generate_cos", "generate_orders", "intervening-write",
        "linearisations", "map", "partition", "same-instance", "tag2events", "tag2instrs", "tag2level", "tag2scope",
    )
)  # fmt: skip

KEYWORDS = frozenset(
    (
        "acyclic", "and", "as", "begin", "empty", "end", "flag", "from", "fun", "in", "include", "irreflexive", "let", "rec",
        "show", "undefined_unless", "unshow", "with",
    )
)  # fmt: skip

# What may follow a title in herd: where co and the initial writes come from; hybrid's always has both.
TITLE_OPTIONS = frozenset(("withco", "withoutco", "withinit"))
