"""Random critical cycles, the programs that tell weak memory models apart: each thread makes two
accesses, to a location that it shares with the thread before it and to one that it shares with the
thread after it, with a fence, a dependency or nothing between them.

After Alglave, Maranget, Sarkar and Sewell, Fences in Weak Memory Models (CAV 2010), section 6; here
the steps are drawn at random.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from hybrid.crosscheck.vocabulary import DEFAULT, RandomVocabulary, fence_tags
from hybrid.program import instructions as ins
from hybrid.program import memory
from hybrid.program.expr import Binary, Const, Expr, Register
from hybrid.program.program import Location, Program, Thread
from hybrid.source import nowhere

_HERE = nowhere("<random>")
_NAMES = "xyzw"
_PLACES = memory.addresses([1] * len(_NAMES))


def critical_cycle(
    rng: random.Random, name: str, threads: int, words: RandomVocabulary = DEFAULT
) -> Program:
    """A cycle through that many threads, at most four."""
    return _Cycle(rng, threads, words).program(name)


class _Cycle:
    def __init__(self, rng: random.Random, threads: int, words: RandomVocabulary) -> None:
        self.rng = rng
        self.words = words
        self.threads = threads
        self.labels = 0
        self.annotated = rng.random() < 0.4
        self.written = [0] * threads  # the last value stored, by location

    def program(self, name: str) -> Program:
        kinds = self._kinds()
        code = [self._code(t, kinds[2 * t], kinds[2 * t + 1]) for t in range(self.threads)]
        return Program(
            name,
            tuple(Location(_HERE, _NAMES[i], _PLACES[i], 0) for i in range(self.threads)),
            tuple(Thread(_HERE, "PQRS"[t], tuple(c)) for t, c in enumerate(code)),
        )

    def _kinds(self) -> Sequence[str]:
        """R or W for each access; of the two to a location one is a store."""
        while True:
            kinds = [self.rng.choice("RW") for _ in range(2 * self.threads)]
            if all("W" in (kinds[2 * t - 1], kinds[2 * t]) for t in range(self.threads)):
                return kinds

    def _code(self, thread: int, first: str, second: str) -> list[ins.Instruction]:
        code = [self._access(first, thread, "r0", [])]
        between = self._between(first)
        register = Register(_HERE, "r0")
        if between == "fence":
            tags = fence_tags(self.rng.choice(self.words.cycle_fences))
            if self.annotated and self.words.ordered:
                tags = frozenset({self.rng.choice(self.words.ordered)})
            code.append(ins.Fence(_HERE, self._label(), tags))
        elif between.startswith("ctrl"):
            test = Binary(_HERE, "!=", register, Const(_HERE, self.rng.randint(0, 1)))
            end = 4 if between == "ctrl+isync" else 3
            target = self.rng.choice((2, end))  # the next instruction, or past the second access
            code.append(ins.Branch(_HERE, self._label(), test, target))
            if between == "ctrl+isync":
                code.append(ins.Fence(_HERE, self._label(), fence_tags(self.words.after_branch)))
        depends = [between] if between in ("addr", "data") else []
        code.append(self._access(second, (thread + 1) % self.threads, "r1", depends))
        return code

    def _between(self, first: str) -> str:
        ways = ["fence", "fence", "fence", "nothing"]
        if first == "R":
            ways += ["addr", "addr", "data", "ctrl", "ctrl+isync"]
        return self.rng.choice(ways)

    def _access(self, kind: str, place: int, register: str, depends: list[str]) -> ins.Instruction:
        zero = Binary(_HERE, "^", Register(_HERE, "r0"), Register(_HERE, "r0"))
        address: Expr = Const(_HERE, _PLACES[place], f"&{_NAMES[place]}")
        if "addr" in depends or (depends and kind == "R"):
            address = Binary(_HERE, "+", address, zero)
        if kind == "R":
            return ins.Load(_HERE, self._label(), register, address, self._order(self.words.loads))
        self.written[place] += 1
        value: Expr = Const(_HERE, self.written[place])
        if "data" in depends:
            value = Binary(_HERE, "+", value, zero)
        return ins.Store(_HERE, self._label(), address, value, self._order(self.words.stores))

    def _order(self, orders: tuple[str, ...]) -> frozenset[str]:
        return frozenset({self.rng.choice(orders) if self.annotated else "NA"})

    def _label(self) -> str:
        self.labels += 1
        return f"L{self.labels - 1}"
