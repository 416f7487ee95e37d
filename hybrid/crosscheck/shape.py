"""What random programs look like, and the named mixes that `--profile` takes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hybrid.crosscheck.vocabulary import DEFAULT, RandomVocabulary

# The idioms of hybrid.crosscheck.idioms.
PUBLISH = "publish"  # a value stored, then a pointer to it
FOLLOW = "follow"  # a pointer read, perhaps compared with null, and what it points to accessed
STRIDE = "stride"  # an address computed from a pointer: often past the end of its object
SPIN = "spin"  # a loop that ends when memory says so, perhaps with an assert in it
COUNTED = "counted"  # a loop whose end does not depend on memory
CLAIM = "claim"  # an assert
RESERVE = "reserve"  # a load-reserve and a store-conditional, not always to the same place
SWAP = "swap"  # a cas, and what it read or whether it stored goes elsewhere
LOCK = "lock"  # a critical section, perhaps with another within
WAIT = "wait"  # an await
AGAIN = "again"  # the same location accessed several times
RELAY = "relay"  # what is read goes on to another location, and is overwritten there
SIGNAL = "signal"  # two stores with a fence between them
MEET = "meet"  # ways that come together with other values in registers
GATHER = "gather"  # a loop on memory that changes registers in each round
# Those of hybrid.crosscheck.loop_idioms: loops of which some iterations change nothing.
POLL = "poll"  # one or two locations read until they hold something
RETRY = "retry"  # a cas until it stores
TICKET = "ticket"  # a ticket taken, and waited for
SEIZE = "seize"  # a lock taken by test-and-set, perhaps after a look at it
PARTLY = "partly"  # a loop that stores on some ways
TANGLE = "tangle"  # any instructions with jumps forward and back
FEED = "feed"  # stores of what others may wait for, or pass on


@dataclass(frozen=True, slots=True)
class Shape:
    """What random programs look like."""

    threads: tuple[int, int] = (2, 4)
    instructions: tuple[int, int] = (2, 5)  # per thread; an idiom may run over
    locations: tuple[int, int] = (2, 3)
    candidates: int = 3000  # at most so many (an estimate) for brute force
    cycles: float = 0.0  # how many of them are critical cycles, from 0 to 1
    words: RandomVocabulary = DEFAULT  # annotations and fences
    exotic: tuple[float, ...] = (0.0, 0.0, 0.35, 0.8)  # how much of it is unusual: one is drawn
    idioms: tuple[tuple[str, float], ...] = ()  # how likely each is in place of one instruction
    pointers: bool = False  # the last location holds addresses, or null
    initial: tuple[int, ...] = (0, 0, 0, 1)  # of the other locations: one is drawn
    least: int = 0  # so many instructions at least, in all threads together


PROFILES: dict[str, Shape] = {
    # everything that the language has, one instruction at a time, and critical cycles
    "mixed": Shape(cycles=0.25),
    # threads of up to eight instructions with many accesses of one location
    "long": Shape(
        threads=(2, 3),
        instructions=(1, 8),
        locations=(1, 2),
        exotic=(0.0, 0.0, 0.0, 0.2),
        idioms=((AGAIN, 0.15), (RELAY, 0.15), (SIGNAL, 0.15)),
        least=7,
    ),
    # addresses in memory, null among them, and accesses through them
    "pointers": Shape(
        threads=(2, 3),
        exotic=(0.0, 0.0, 0.2),
        idioms=((PUBLISH, 0.3), (FOLLOW, 0.3), (STRIDE, 0.08)),
        pointers=True,
    ),
    # loops on memory and on constants, with asserts in them
    "loops": Shape(
        threads=(2, 3),
        instructions=(1, 4),
        exotic=(0.0, 0.2),
        idioms=((SPIN, 0.3), (COUNTED, 0.1), (CLAIM, 0.2)),
    ),
    # compare-and-swap, load-reserve and store-conditional, not always to the same place
    "exclusives": Shape(
        threads=(2, 3), exotic=(0.0, 0.1), idioms=((RESERVE, 0.3), (SWAP, 0.3), (CLAIM, 0.1))
    ),
    # locks and awaits, used rightly and wrongly, so that some wait for ever
    "locks": Shape(
        threads=(2, 3),
        exotic=(0.0, 0.1),
        idioms=((LOCK, 0.4), (WAIT, 0.15), (CLAIM, 0.05)),
        initial=(0,),
    ),
    # loops that wait, or do so on some ways
    "waits": Shape(
        threads=(2, 3),
        instructions=(1, 4),
        exotic=(0.0, 0.0, 0.2),
        idioms=(
            (POLL, 0.12),
            (RETRY, 0.06),
            (TICKET, 0.04),
            (SEIZE, 0.06),
            (PARTLY, 0.16),
            (TANGLE, 0.12),
            (FEED, 0.22),
            (GATHER, 0.05),
            (CLAIM, 0.04),
        ),
    ),
}
_SIGNED = (0, 0, 0, 1, -1)  # in fewer bits a sign can get lost
# of programs that are also written in C: what they hold in registers matters more, and what a
# read-modify-write does
C_PROFILES: dict[str, Shape] = {
    **{
        name: replace(shape, initial=_SIGNED) if len(shape.initial) > 1 else shape
        for name, shape in PROFILES.items()
    },
    "loops": replace(
        PROFILES["loops"],
        idioms=((SPIN, 0.3), (COUNTED, 0.1), (GATHER, 0.3)),
        initial=_SIGNED,
    ),
    "registers": Shape(
        threads=(2, 3),
        instructions=(1, 3),
        exotic=(0.0, 0.2),
        idioms=((MEET, 0.4), (GATHER, 0.35), (CLAIM, 0.1)),
        initial=_SIGNED,
    ),
    # every read-modify-write in every order
    "atomics": Shape(threads=(2, 3), exotic=(0.9,), idioms=((CLAIM, 0.1),), initial=_SIGNED),
}
ALL = "all"  # stands for every profile, each program drawing one
