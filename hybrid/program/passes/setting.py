"""How far the elimination of pure iterations goes, and how that is written down: in witnesses, so
that their programs can be made again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from hybrid.errors import InputError

KEEP: Final = "keep"  # loops stay as they are
ASSUME: Final = "assume"  # a thread ends where an iteration would change nothing
AWAIT: Final = "await"  # the same, but where it can, it waits for another value
DYNAMIC: Final = "dynamic"  # the same, and it stops where a round has changed nothing
LOOPS: Final = (KEEP, ASSUME, AWAIT, DYNAMIC)  # what --loops takes
_DEPENDENCIES: Final = "dependencies"
_PAIRS: Final = "pairs"
_RACES: Final = "races"


@dataclass(frozen=True, slots=True)
class Setting:
    """What decides how far it goes."""

    awaits: bool = True  # whether assumes become awaits
    dependencies: bool = True  # whether the model knows addr, data or ctrl
    pairs: bool = False  # whether it orders the load of a read-modify-write before its store
    races: bool = True  # whether the model finds races
    dynamic: bool = False  # whether threads stop where a round of a loop has changed nothing

    @property
    def words(self) -> tuple[str, ...]:
        """`await dependencies pairs`."""
        first = DYNAMIC if self.dynamic else AWAIT if self.awaits else ASSUME
        facts = ((self.dependencies, _DEPENDENCIES), (self.pairs, _PAIRS), (self.races, _RACES))
        return (first, *(word for true, word in facts if true))


def setting_of(words: Iterable[str]) -> Setting:
    """The setting with these words, of which there are some."""
    first, *facts = words
    unknown = sorted({*facts} - {_DEPENDENCIES, _PAIRS, _RACES})
    if first not in (ASSUME, AWAIT, DYNAMIC) or unknown:
        raise InputError(f"an unknown treatment of loops, '{(unknown or [first])[0]}'")
    dependencies, pairs, races = (word in facts for word in (_DEPENDENCIES, _PAIRS, _RACES))
    return Setting(first != ASSUME, dependencies, pairs, races, first == DYNAMIC)
