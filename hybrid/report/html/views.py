"""What a report shows, as plain data. `page.render` turns it into HTML; nothing here is markup, and
all of it can be written as JSON and read again (`view_json.py`).

hybrid.explain.view makes an AnswerView of what came of one program; callers that have another way
to one (a page that is served, a notebook) may fill these in themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.witness.picture import Picture

# How a choice ended.
TAKEN, ALLOWED, REFUSED = "taken", "allowed", "refused"
NO_MODEL = "-"  # of what could not be read


@dataclass(frozen=True, slots=True)
class SourcePiece:
    """A part of a line of the source."""

    text: str
    labels: tuple[str, ...] = ()  # of the instructions that it is; none: it is no event


@dataclass(frozen=True, slots=True)
class SourceView:
    """One file of the program, with its events marked."""

    name: str
    lines: tuple[tuple[SourcePiece, ...], ...]


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    count: int
    values: tuple[str, ...]
    marked: bool  # it satisfies the condition


@dataclass(frozen=True, slots=True)
class OutcomesView:
    """The final states, with the number of executions that end in each."""

    terms: tuple[str, ...]
    rows: tuple[OutcomeRow, ...]
    condition: str = ""
    counted: str = "executions"  # what the numbers count


@dataclass(frozen=True, slots=True)
class EdgeView:
    """An edge of a cycle: from one box of the picture to another."""

    source: str  # keys of boxes
    label: str
    target: str
    source_name: str
    target_name: str


@dataclass(frozen=True, slots=True)
class EventName:
    """A step of a thread."""

    key: str  # of its box
    text: str  # `L0: r0 := x`


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """A parameter with which an event could have been committed, and what the model says of it."""

    parameter: str  # as in a run: `L3`, `0`
    meaning: str  # `reads 1 from L3`
    state: str  # TAKEN, ALLOWED or REFUSED
    why: str = ""  # of a refused one: the axiom, or what else stands against it
    cycle: tuple[EdgeView, ...] = ()  # against that axiom


@dataclass(frozen=True, slots=True)
class StepView:
    """One commit of a run."""

    key: str  # of its box
    label: str  # of its instruction
    text: str  # `L0: r0 := x`
    parameter: str
    meaning: str  # `reads 1 from L3`
    fetched: tuple[EventName, ...] = ()  # what the commit lets threads fetch
    waiting: tuple[EventName, ...] = ()  # fetched before, and neither committed yet nor this one
    choices: tuple[ChoiceView, ...] = ()  # all that came into question; none: not derived
    refused: bool = False  # the model does not allow it: the run ends here


@dataclass(frozen=True, slots=True)
class DefinitionView:
    """A `let` of the model."""

    name: str
    place: str  # `power.cat:41`
    text: str


@dataclass(frozen=True, slots=True)
class AxiomView:
    """The axiom that refuses an execution, and the cycle against it."""

    name: str
    place: str  # `power.cat:52`
    text: str  # as the model has it
    definitions: tuple[DefinitionView, ...]  # that it speaks of
    cycle: tuple[EdgeView, ...]
    cycle_text: str
    counted: str  # `refuses 3 candidate executions`


@dataclass(frozen=True, slots=True)
class RelationView:
    """A relation that the model's text names, in an execution."""

    name: str
    place: str  # `power.cat:41`
    text: str  # as the model has it
    pairs: tuple[str, ...]  # of keys of boxes, `0.1>1.0`; empty also if there are too many
    count: int  # of all pairs


@dataclass(frozen=True, slots=True)
class RunView:
    """An execution: drawn, and step by step."""

    heading: str
    run: str  # on one line: `L3[0].L0[L3]`
    picture: Picture
    first: tuple[EventName, ...]  # what threads fetch before the first commit
    steps: tuple[StepView, ...]
    note: str = ""  # what is missing in the steps, and why
    axiom: AxiomView | None = None  # of an execution that is forbidden
    named: tuple[RelationView, ...] = ()  # relations of the model, those that are not empty


@dataclass(frozen=True, slots=True)
class CompareRow:
    """What one configuration found, in a comparison of several."""

    name: str
    counts: str
    seconds: float
    crash: str = ""


@dataclass(frozen=True, slots=True)
class CompareView:
    """Several configurations on one program."""

    rows: tuple[CompareRow, ...]
    left_out: tuple[tuple[str, str], ...]  # configurations, and why
    disagreement: str  # in words; empty: they agree


@dataclass(frozen=True, slots=True)
class AnswerView:
    """All about one program under one model."""

    name: str
    model: str  # or NO_MODEL
    verdict: str  # a word, `FORBIDDEN`
    expected: str  # `as expected`, `not as expected`, or empty
    sentence: str  # what the verdict means
    notes: tuple[str, ...]  # what is to be known with it
    facts: tuple[tuple[str, str], ...]  # model, engine, counts, time
    sources: tuple[SourceView, ...] = ()
    outcomes: OutcomesView | None = None
    runs: tuple[RunView, ...] = ()
    comparison: CompareView | None = None


@dataclass(frozen=True, slots=True)
class BatchRow:
    """A line of the table of a batch."""

    name: str
    model: str
    verdict: str
    expected: str
    engine: str
    traces: int | None
    seconds: float | None
    note: str
    path: str
    answer: AnswerView | None = None  # what the row opens; None: nothing


@dataclass(frozen=True, slots=True)
class PageView:
    """A whole report: one answer, or a table of many."""

    title: str
    version: str  # of hybrid
    command: str  # that made it; may be empty
    answer: AnswerView | None = None
    rows: tuple[BatchRow, ...] = ()  # of a batch
    summary: tuple[str, ...] = ()  # its last lines
