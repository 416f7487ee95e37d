"""Random small programs, drawn from a seed, a number and a shape: single instructions, idioms and
critical cycles.

The size is bounded by how many candidates a brute force would look at, so that every program can be
enumerated.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

from hybrid.crosscheck.cycles import critical_cycle
from hybrid.crosscheck.loop_idioms import LoopIdiomMaker
from hybrid.crosscheck.shape import Shape as Shape
from hybrid.program import instructions as ins
from hybrid.program.condition import LocationTerm, Term
from hybrid.program.expr import Const
from hybrid.program.program import Program


def random_program(seed: int, number: int, shape: Shape | None = None) -> Program:
    """Program `number` of the sequence that `seed` gives."""
    shape = shape or Shape()
    rng = random.Random(f"{seed}/{number}")
    name = f"random-{seed}-{number}"
    cyclic = random.Random(f"{seed}/{number}/cycle").random() < shape.cycles
    while True:
        if cyclic:
            program = critical_cycle(rng, name, rng.randint(*shape.threads), shape.words)
        else:
            program = LoopIdiomMaker(rng, shape).program(name)
        size = sum(len(thread.code) for thread in program.threads)
        if size >= shape.least and estimate(program) <= shape.candidates:
            return replace(program, observed=_observed(program, seed, number))


def drawn_shape(seed: int, number: int, shapes: Sequence[Shape]) -> Shape:
    """The shape of program `number`, one of several."""
    if len(shapes) == 1:
        return shapes[0]
    return random.Random(f"{seed}/{number}/shape").choice(shapes)


def _observed(program: Program, seed: int, number: int) -> tuple[Term, ...]:
    """Some locations: outcomes show their final values, so that reads-from classes tell their last
    stores apart."""
    rng = random.Random(f"{seed}/{number}/observed")
    return tuple(
        LocationTerm(place.span, place.address, place.name)
        for place in program.locations
        if rng.random() < 0.3
    )


def estimate(program: Program) -> int:
    """Roughly how many combinations of paths, rf and co a brute force meets: rf and co at their
    worst, each computed address counted for every location."""
    count = 1
    loads: list[int | None] = []
    stores = {location.address: 0 for location in program.locations}
    for thread in program.threads:
        for instruction in thread.code:
            if isinstance(instruction, ins.Branch):
                count *= 3 if instruction.target <= thread.code.index(instruction) else 2
            place = instruction.place
            at = place.value if isinstance(place, Const) else None
            if instruction.reads:
                loads.append(at)
            if instruction.writes:
                for known in stores:
                    if at is None or at == known:
                        stores[known] += 1
            if isinstance(instruction, ins.StoreConditional) or (
                isinstance(instruction, ins.Rmw) and instruction.op == "cas"
            ):
                count *= 2
    for at in loads:
        count *= 1 + (stores[at] if at is not None else sum(stores.values()))
    for number in stores.values():
        count *= math.factorial(number)
    return count
