"""The stack of RSMC's exploration: one frame for each call of Explore or Traverse (Fig. 7) that is
under way; explorer.py has the algorithm.

As data, a stack is a `Path`: its frames from the bottom up, each (kind, event, parameter). What one
frame has not tried yet is an `RsmcRemainder`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from hybrid.execution.step import Step

ANY: Final = -2  # the paper's pseudo-parameter *
SKIP: Final = -3  # a load that waits is left out below

Template = tuple[tuple[int, int], ...]
PathEntry = tuple[int, int, int]
Path = tuple[PathEntry, ...]

# Kinds of frames in a path.
COMMITTED: Final = 0  # a call of Explore with its event committed
SKIPPING: Final = 1  # one with its event left out
OWNER: Final = 2  # one whose template is being traversed
TRAVERSED: Final = 3  # a call of Traverse


class RsmcRemainder(NamedTuple):
    """What is left to do in a frame, its templates apart, as data."""

    event: int
    candidates: tuple[int, ...]  # that were not tried
    checked: bool  # they are known to be allowed
    found: int  # how many of those before were allowed
    template: Template  # () for a call of Explore
    place: int  # in the template


class RsmcFrame:
    """A call of Explore, or of Traverse for one event of a template."""

    __slots__ = (
        "candidates",
        "checked",
        "committed",
        "event",
        "explored",
        "fetched",
        "found",
        "known",
        "length",
        "open",
        "owner",
        "parameter",
        "past",
        "path",
        "place",
        "skipping",
        "step",
        "template",
        "templates",
        "tried",
    )

    def __init__(self, step: Step, length: int, committed: int, past: int) -> None:
        self.step = step
        self.event = step.event
        self.length = length  # of the run on entry
        self.committed = committed  # E on entry
        self.past = past  # cb-past of the event, its source left out
        self.candidates: list[int] = []
        self.checked = False  # the candidates are known to be allowed
        self.tried = 0  # how many candidates were taken up
        self.found = 0  # how many were allowed
        self.open = False  # the event is committed, something above explores what follows
        self.parameter = 0  # with which it is committed
        self.skipping = False  # the same with the event left out
        self.template: Template | None = None
        self.place = 0  # in the template
        self.owner: RsmcFrame | None = None  # whose template it is
        # As most frames have none, these are made with the first one.
        self.templates: list[Template] | None = None  # in order of discovery
        self.known: set[Template] | None = None  # the same, and those that were offered
        self.explored = 0  # how many of `templates` were explored
        self.fetched = 0  # what commit-before had taken in on entry
        # of a frame that was given: the path to it as an owner, for templates that are found for it
        self.path: Path | None = None

    def has(self, template: Template) -> bool:
        """Whether the load has had this template."""
        return self.known is not None and template in self.known

    def add(self, template: Template) -> None:
        """Takes a new template for the load; it is explored here, unless it was offered."""
        if self.known is None:
            self.known = set()
        self.known.add(template)
        if self.path is None:
            if self.templates is None:
                self.templates = []
            self.templates.append(template)

    def next_template(self) -> Template | None:
        """A template that is to be explored now; None if there is none left."""
        if self.templates is None or self.explored == len(self.templates):
            return None
        self.explored += 1
        return self.templates[self.explored - 1]

    def entry(self) -> PathEntry:
        """The frame as a part of a path."""
        if self.template is not None:
            return TRAVERSED, self.event, self.parameter
        if self.skipping:
            return SKIPPING, self.event, 0
        return (COMMITTED, self.event, self.parameter) if self.open else (OWNER, self.event, 0)

    def remainder(self) -> RsmcRemainder | None:
        """What it has not tried; None if that is nothing."""
        if self.tried >= len(self.candidates) and self.found:
            return None
        return RsmcRemainder(
            self.event,
            tuple(self.candidates[self.tried :]),
            self.checked,
            self.found,
            self.template or (),
            self.place,
        )
