"""Runs that are not complete traces, and in what two configurations' sets of them differ: those
that reach the loop bound or access no location, and blocked ones in which an assert fails.

Where no access of the program waits for a value the sets themselves are compared. Where one does it
is compared which kinds there are, and which asserts fail in any run: one that stands at an await
and one that goes on from there, to its end perhaps, need not both be listed.
"""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from hybrid.execution.trace import Key, Status, Trace, class_key, key_of
from hybrid.program.program import Program


class Ending(NamedTuple):
    status: str
    failed: tuple[str, ...]  # asserts
    key: Key

    def by_class(self) -> Ending:
        """The same for all runs of its reads-from class; no store is told to be the last."""
        return self._replace(key=class_key(self.key, set()))


Endings = Set[Ending]


def ending_of(trace: Trace) -> Ending:
    return Ending(trace.status.value, trace.failed, key_of(trace.data()))


def kinds(endings: Endings) -> frozenset[str]:
    """What there is, in words."""
    labels = {label for ending in endings for label in ending.failed}
    no_kinds = (Status.BLOCKED.value, Status.WAITING.value)
    others = {ending.status for ending in endings if ending.status not in no_kinds}
    return frozenset({_fails(label) for label in labels} | {f"{end} runs" for end in others})


def _fails(label: str) -> str:
    return f"runs in which {label} fails"


def waits(program: Program) -> bool:
    """Whether an access waits for a value."""
    return any(
        instruction.awaits is not None for thread in program.threads for instruction in thread.code
    )


def difference(
    names: tuple[str, str],
    reference: Endings,
    found: Endings,
    failing: tuple[Set[str], Set[str]],
    *,
    finished: bool,
    each: bool,
    classes: bool,
) -> str:
    """In words how those found differ from the reference's; empty if they do not. What is missing
    counts only if the search was `finished`, single runs only with `each`: by reads-from class with
    `classes`. `failing` are the asserts that fail in complete traces, of both."""
    kinds_there, kinds_here = kinds(reference), kinds(found)
    extra_kinds = kinds_here - kinds_there - set(map(_fails, failing[0]))
    missing_kinds = kinds_there - kinds_here - set(map(_fails, failing[1]))
    if extra_kinds or (finished and missing_kinds):
        return f"{names[0]} has {_show(kinds_there)}, {names[1]} has {_show(kinds_here)}"
    if not each:
        return ""
    if classes:
        reference = {ending.by_class() for ending in reference}
        found = {ending.by_class() for ending in found}
    parts = []
    extra = found - reference
    missing = reference - found if finished else frozenset[Ending]()
    if extra:
        parts.append(f"{names[1]} has {_count(extra)} that {names[0]} has not")
    if missing:
        parts.append(f"{names[0]} has {_count(missing)} that {names[1]} has not")
    return ", ".join(parts)


def _count(endings: Endings) -> str:
    """As `2 cut and 1 error runs`."""
    by_status = sorted({ending.status for ending in endings})
    counts = [f"{sum(end.status == status for end in endings)} {status}" for status in by_status]
    return f"{' and '.join(counts)} {'run' if len(endings) == 1 else 'runs'}"


def _show(found: frozenset[str]) -> str:
    return " and ".join(sorted(found)) or "complete traces alone"
