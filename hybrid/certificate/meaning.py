"""What the variables of a formula mean, in words: `rf(L3,L0)`, `co(a,b)`, `r0 bit 3 (L0)`.

An event is called by its label; where a loop makes several of one label, the second is `L0#2`. A
gate is shown by the literals that go into it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from hybrid.bmc.slots import Symbolic
from hybrid.certificate.cnf import CnfLogic
from hybrid.model.core import Model
from hybrid.model.show import show_expr
from hybrid.program.program import Program

_GATES = {"and": " & ", "xor": " ^ "}


def variable_table(logic: CnfLogic, runs: Symbolic, program: Program, model: Model) -> str:
    """One line per variable: its number, and what it means."""
    meaning = _Meaning(runs, program, model)
    lines = [f"{i} {meaning.of(name)}" for i, name in enumerate(logic.names, 1)]
    return "\n".join(lines) + "\n"


class _Meaning:
    def __init__(self, runs: Symbolic, program: Program, model: Model) -> None:
        self.model = model
        self.events: list[str] = []  # by slot
        seen: Counter[str] = Counter()
        for slot in runs.slots:
            seen[slot.label] += 1
            again = seen[slot.label]
            self.events.append(slot.label if again == 1 else f"{slot.label}#{again}")
        self.places = {each.address: each.name for each in program.locations}
        self.registers = {
            each.label: each.sets[0] for t in program.threads for each in t.code if each.sets
        }
        self.labels = [slot.label for slot in runs.slots]

    def of(self, name: Hashable) -> str:
        if not isinstance(name, tuple):
            return str(name)
        word, *rest = name
        found = self._known(word, rest) if isinstance(word, str) else None
        return self._any(name) if found is None else found

    def _known(self, word: str, rest: list[Hashable]) -> str | None:
        match word, rest:
            case (("rf" | "co"), [int(a), int(b)]):
                return f"{word}({self.events[a]},{self.events[b]})"
            case "value", [int(load), bit]:
                register = self.registers.get(self.labels[load], "value")
                return f"{register} bit {bit} ({self.events[load]})"
            case "final", [int(address), bit]:
                return f"{self.places.get(address, address)} bit {bit} (at the end)"
            case "choice", [int(slot)] if slot < 0:
                return f"stop({self.events[~slot]})"
            case "choice", [int(slot)]:
                return f"choice({self.events[slot]})"
            case "circle", [int(slot)]:
                return f"circle({self.events[slot]})"
            case "at", [int(slot), int(address)]:
                return f"at({self.events[slot]},{self.places.get(address, address)})"
            case (("and" | "xor"), _):
                return _GATES[word].join(str(x) for x in rest if x != 0)
            case "ite", [a, b, c]:
                return f"if {a} then {b} else {c}"
            case "majority", [a, b, c]:
                return f"majority of {a}, {b}, {c}"
            case "axiom", [axiom]:
                return f"axiom {axiom}"
            case "def", [str(definition), *_, key]:
                return f"{definition}{self._key(key)}"
            case "part", [int(number), key]:
                return f"part {number}{self._key(key)}"
            case (("path" | "before"), [((("axiom", axiom), _)), a, b]):
                return f"{word}{self._key((a, b))} of axiom {axiom}"
        return None

    def _key(self, key: Hashable) -> str:
        members = key if isinstance(key, tuple) else (key,)
        return f"({','.join(self.events[m] if isinstance(m, int) else str(m) for m in members)})"

    def _any(self, name: Hashable) -> str:
        """A name of which no more is known than its parts."""
        if isinstance(name, tuple):
            return f"({' '.join(map(self._any, name))})"
        if isinstance(name, str | int):
            return str(name)
        return show_expr(name, self.model)  # type: ignore[arg-type]
