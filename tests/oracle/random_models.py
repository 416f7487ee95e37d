"""Random axioms over what events in order tell: po, rf, dependencies and what is made of them,
composed and united with communication."""

from __future__ import annotations

import random

SETS = ("R", "W", "M", "F", "IW", "REL", "ACQ", "W & REL", "R & ACQ", "M & RLX", "_ \\ W", "R | F")
RELATIONS = ("po", "po", "rf", "rf", "rfe", "rmw", "addr", "data", "ctrl", "po & loc", "rf ; rmw")
OTHERS = ("loc", "ext", "int", "(R * W)", "(W * M)")
COMMUNICATION = (
    "co",
    "fr",
    "(co | fr)",
    "(rf | co | fr)+",
    "(co | fr)+",
    "(co | rf)+",
    "(fr | rf)+",
    "(rf | co | fr)",
    "(fr ; rf)",
    "fre",
    "coe",
)
COHERENCE = (
    "",
    "acyclic (po & loc) | rf | co | fr as coherent\n",
    "irreflexive (po | rf)+ ; (co | fr) as coherent\n",
)
REST = """acyclic po | rf as causal
empty rmw & (fre ; coe) as atomic
(*% commit-before (po | rf)+ *)
"""


def relation(rng: random.Random, depth: int) -> str:
    """One of which most have pairs that end in new events alone."""
    if depth == 0:
        return f"({rng.choice(RELATIONS)})"
    one = relation(rng, depth - 1)
    match rng.randrange(11):
        case 0:
            return f"({one} | {relation(rng, depth - 1)})"
        case 1 | 2:
            return f"({one} ; {relation(rng, depth - 1)})"
        case 3:
            return f"({one}+)"
        case 4:
            return f"({one}*)"
        case 5:
            return f"({one}?)"
        case 6:
            return f"([{rng.choice(SETS)}] ; {one})"
        case 7:
            return f"({one} ; [{rng.choice(SETS)}])"
        case 8:
            return f"({one} & {rng.choice((*OTHERS, relation(rng, depth - 1)))})"
        case 9:
            return f"({one} \\ {rng.choice((*OTHERS, relation(rng, depth - 1)))})"
        case _:
            return f"([range({one})] ; {relation(rng, depth - 1)} | [{rng.choice(SETS)}])"


def axiom(rng: random.Random) -> str:
    order, communication = relation(rng, rng.choice((2, 3, 3, 4))), rng.choice(COMMUNICATION)
    match rng.randrange(8):
        case 0 | 1:
            return f"irreflexive {order} ; {communication}"
        case 2:
            return f"irreflexive {communication} ; {order}"
        case 3:
            return f"irreflexive {order} ; {communication}?"
        case 4:
            return f"acyclic {order} | co | fr"
        case 5:
            return f"empty {order} & {communication}"
        case 6:
            return f"flag ~empty {order} & {communication}"
        case _:
            return f"empty ({order} & rf) ; ([RLX] ; {relation(rng, 1)})"


def random_model(rng: random.Random) -> str:
    coherence = rng.choice(COHERENCE)
    axioms = (f"{axiom(rng)} as a{at}\n" for at in range(rng.randrange(1, 3)))
    return "".join((REST, coherence, *axioms))
