"""What `hybrid verify` keeps of one file under one model."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hybrid.batch.journal import JournalKind
from hybrid.frontend.c.provenance import Sources
from hybrid.frontend.compiler_options import is_compiled
from hybrid.report.result import INTERRUPTED
from hybrid.report.row import Row
from hybrid.verdict import Verdict
from hybrid.versions import BATCH_JOURNAL

if TYPE_CHECKING:
    from hybrid.report.html.views import AnswerView

# How a test ended.
ANSWERED = "answered"
TIMED_OUT = "timed out"
# a limit, Ctrl-C, memory, stuck runs: no comparison with a known answer
UNFINISHED = "not finished"
UNSUPPORTED = "unsupported"  # refused
FAULTY = "error"  # the input is at fault
BUG = "internal error"


@dataclass(frozen=True, slots=True)
class Done:
    """What came of one file under one model."""

    path: str  # as the user wrote it
    end: str  # one of the above
    row: Row
    text: str  # for the output, in the format asked for; a table is made of the rows
    complaint: str = ""  # for standard error
    table: str = ""  # the table of known answers that was looked at; empty: none was
    listed: bool = False  # it has a row for the file
    differences: tuple[str, ...] = ()  # from that row
    sources: Sources = ()  # what a C program was compiled from
    view: AnswerView | None = None  # for --html; None: not asked for, or there is none

    @property
    def agrees(self) -> bool | None:
        """None: not compared."""
        if not self.listed or self.end != ANSWERED:
            return None
        return not self.differences

    @property
    def name(self) -> str:
        return self.row.program

    @property
    def interrupted(self) -> bool:
        return self.row.partial == INTERRUPTED

    @property
    def trouble(self) -> str:
        """A test without an answer, or with a wrong one."""
        end = "disagree" if self.agrees is False else self.end
        return "" if end == ANSWERED else end


# ---- the journal

_VERDICTS = ("verdict", "counted")  # the fields of a row that hold a Verdict


def _written(done: Done) -> dict[str, object]:
    found = asdict(done)
    del found["path"]
    for name in _VERDICTS:
        found["row"][name] = found["row"][name].value
    return found


def _read(path: str, found: dict[str, Any]) -> Done:
    """Raises TypeError, KeyError or ValueError where `found` is not such a result."""
    row = dict(found["row"])
    for name in _VERDICTS:
        row[name] = Verdict(row[name])
    for name in ("flags", "ignored"):
        row[name] = tuple(map(str, row[name]))
    for holder in (row, rest := {**found, "row": None}):
        holder["differences"] = tuple(map(str, holder["differences"]))
    if not all(isinstance(rest[name], str) for name in ("end", "text", "complaint", "table")):
        raise TypeError
    numbers = (row["traces"], row["blocked"], row["seconds"])
    if not all(number is None or isinstance(number, int | float) for number in numbers):
        raise TypeError
    rest["view"] = read_view(found.get("view"))
    rest["sources"] = tuple((str(name), str(value)) for name, value in found.get("sources", ()))
    if {field.name for field in fields(Row)} != set(row):
        raise KeyError
    return Done(path=path, **{**rest, "row": Row(**row)})


def read_view(found: object) -> AnswerView | None:
    """What a journal keeps of a report; raises as `_read` does."""
    if found is None:
        return None
    from hybrid.report.html.view_json import from_json

    return from_json(found)


def _lasting(done: Done) -> bool:
    if done.end in (FAULTY, UNSUPPORTED) and is_compiled(Path(done.path)):
        return False  # what it includes is not known, and may be what is wrong
    return done.end != BUG and not done.interrupted


VERIFY_JOURNAL: JournalKind[Done] = JournalKind(
    "hybrid verify", BATCH_JOURNAL, _written, _read, _lasting, lambda done: done.sources
)
