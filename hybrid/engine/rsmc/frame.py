"""The stack of RSMC's exploration: one frame for each call of Explore or Traverse (Fig. 7) that is
under way; see rsmc.py."""

from __future__ import annotations

from typing import Final

from hybrid.execution.step import Step

ANY: Final = -2  # the paper's pseudo-parameter *
SKIP: Final = -3  # a load that waits is left out below

Template = tuple[tuple[int, int], ...]
Path = tuple[tuple[int, int, int], ...]  # of frames, as rsmc_subtrees describes them


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
        self.templates: list[Template] = []  # in order of discovery
        self.known: set[Template] = set()  # the same
        self.explored = 0  # how many of them were explored
        self.fetched = 0  # what commit-before had taken in on entry
        self.path: Path | None = None  # below a subtree: where templates go; see rsmc_subtrees
